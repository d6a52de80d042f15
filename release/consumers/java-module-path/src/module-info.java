module consumer {
    requires dev.arrowdevice.core;
}

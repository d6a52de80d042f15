/** Programs to start from. */
module dev.arrowdevice.samples {
    requires static org.jspecify;
    requires dev.arrowdevice.core;
    requires kotlin.stdlib;
}

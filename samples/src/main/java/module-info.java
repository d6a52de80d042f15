/** Programs to start from. */
module dev.arrowdevice.samples {
    requires static org.jspecify;
    requires dev.arrowdevice.core;
    requires dev.arrowdevice.coroutines;
    requires kotlin.stdlib;
    requires kotlinx.coroutines.core;
    requires me.tongfei.progressbar;
}

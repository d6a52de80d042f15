/** Programs to start from. */
module dev.arrowdevice.samples {
    requires static org.jspecify;
    requires dev.arrowdevice.core;
    requires dev.arrowdevice.coroutines;
    requires dev.arrowdevice.cuda;
    requires dev.arrowdevice.rocm;
    requires dev.arrowdevice.testkit;
    requires kotlin.stdlib;
    requires kotlinx.coroutines.core;
    requires me.tongfei.progressbar;
}

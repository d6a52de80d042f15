/** Programs to start from. */
@SuppressWarnings("requires-automatic") // Jep is no module yet.
module dev.arrowdevice.samples {
    requires static org.jspecify;
    requires dev.arrowdevice.adbc;
    requires dev.arrowdevice.core;
    requires dev.arrowdevice.coroutines;
    requires dev.arrowdevice.cuda;
    requires dev.arrowdevice.ipc;
    requires dev.arrowdevice.oneapi;
    requires dev.arrowdevice.rocm;
    requires dev.arrowdevice.testkit;
    requires java.net.http;
    requires jdk.httpserver;
    requires kotlin.stdlib;
    requires kotlinx.coroutines.core;
    requires me.tongfei.progressbar;
    requires org.ninia.jep;
}

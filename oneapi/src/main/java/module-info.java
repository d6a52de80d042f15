/** oneAPI devices for Arrow arrays: devices of the type ONEAPI, in SYCL's unified shared memory. */
module dev.arrowdevice.oneapi {
    requires static transitive org.jspecify;
    requires transitive dev.arrowdevice.core;
    requires transitive kotlin.stdlib;

    exports dev.arrowdevice.oneapi;

    provides dev.arrowdevice.spi.DeviceProvider with
            dev.arrowdevice.oneapi.SyclProvider;
}

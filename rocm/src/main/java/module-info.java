/** AMD GPUs for Arrow arrays: devices of the types ROCM and ROCM_HOST, by the HIP runtime. */
module dev.arrowdevice.rocm {
    requires static transitive org.jspecify;
    requires transitive dev.arrowdevice.core;
    requires transitive kotlin.stdlib;

    exports dev.arrowdevice.rocm;

    provides dev.arrowdevice.spi.DeviceProvider with
            dev.arrowdevice.rocm.HipProvider;
}

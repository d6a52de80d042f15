/** Arrow arrays on NVIDIA GPUs. */
// JCuda's types are part of the API, and JCuda is no module yet.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.arrowdevice.cuda {
    requires static transitive org.jspecify;
    requires transitive dev.arrowdevice.core;
    requires transitive jcuda;
    requires kotlin.stdlib;

    exports dev.arrowdevice.cuda;

    provides dev.arrowdevice.spi.DeviceProvider with
            dev.arrowdevice.cuda.CudaProvider;
}

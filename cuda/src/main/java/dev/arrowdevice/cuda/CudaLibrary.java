package dev.arrowdevice.cuda;

import dev.arrowdevice.DeviceUnavailableException;
import dev.arrowdevice.spi.NativeLibrary;
import dev.arrowdevice.spi.NativeLibraryException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import jcuda.JCudaVersion;
import jcuda.driver.JCudaDriver;
import org.jspecify.annotations.Nullable;

/**
 * Finds NVIDIA's driver and gets JCuda to speak to it. Everything is looked at before the first call: a function that the
 * driver lacks would end the process when JCuda calls it.
 */
final class CudaLibrary {
    /** System property with the path of the driver's library, for one that the system's loader does not find. */
    static final String PATH_PROPERTY = "dev.arrowdevice.cuda.library";

    /** What JCuda's natives are built for. */
    private static final int OLDEST_VERSION = 12_000;

    private static final int NO_DEVICE = 100;

    /** Where containers and Windows' Linux put the library without telling the loader. */
    private static final List<Path> ELSEWHERE =
            List.of(Path.of("/usr/lib/wsl/lib/libcuda.so.1"), Path.of("/usr/local/nvidia/lib64/libcuda.so.1"));

    private static final List<String> FUNCTIONS = List.of(
            "cuInit",
            "cuDriverGetVersion",
            "cuGetErrorName",
            "cuGetErrorString",
            "cuDeviceGetCount",
            "cuDeviceGetName",
            "cuDeviceGetAttribute",
            "cuDeviceCanAccessPeer",
            "cuDevicePrimaryCtxRetain",
            "cuDevicePrimaryCtxRelease_v2",
            "cuCtxPushCurrent_v2",
            "cuCtxPopCurrent_v2",
            "cuCtxEnablePeerAccess",
            "cuMemGetInfo_v2",
            "cuMemAlloc_v2",
            "cuMemFree_v2",
            "cuMemAllocManaged",
            "cuMemHostAlloc",
            "cuMemFreeHost",
            "cuMemcpyAsync",
            "cuMemcpyHtoDAsync_v2",
            "cuMemcpyDtoHAsync_v2",
            "cuStreamCreate",
            "cuStreamDestroy_v2",
            "cuStreamGetCtx",
            "cuStreamSynchronize",
            "cuStreamWaitEvent",
            "cuStreamAddCallback",
            "cuEventCreate",
            "cuEventDestroy_v2",
            "cuEventRecord",
            "cuEventQuery",
            "cuEventSynchronize");

    private static @Nullable CudaApi loaded;

    private CudaLibrary() {}

    /**
     * The driver, initialised.
     *
     * @throws DeviceUnavailableException if it can't be used; the message says why
     */
    static synchronized CudaApi api() {
        CudaApi api = loaded;
        if (api == null) {
            requirePlatform();
            try {
                api = load();
            } catch (IllegalCallerException e) {
                throw notEnabled(e);
            }
            loaded = api;
        }
        return api;
    }

    static DeviceUnavailableException notEnabled(IllegalCallerException e) {
        return new DeviceUnavailableException(
                "CUDA needs the JVM flag --enable-native-access=dev.arrowdevice.core,jcuda, on the"
                        + " class path --enable-native-access=ALL-UNNAMED",
                e);
    }

    private static CudaApi load() {
        NativeLibrary library = find();
        List<String> missing =
                FUNCTIONS.stream().filter(name -> library.address(name) == 0).collect(Collectors.toList());
        if (!missing.isEmpty()) {
            throw new DeviceUnavailableException(
                    "NVIDIA's driver lacks " + String.join(", ", missing) + ": it is too old; a newer one is needed");
        }
        JCudaNatives.load(JCudaDriver.class);
        boolean ordered = library.address("cuMemAllocAsync") != 0 && library.address("cuMemFreeAsync") != 0;
        CudaApi api = new JCudaApi(library.bind(MethodHandles.lookup(), CudaForeign.class), ordered);
        requireVersion(api);
        initialize(api);
        return api;
    }

    static void requirePlatform() {
        String system = System.getProperty("os.name", "");
        String processor = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        boolean known = (system.startsWith("Linux") || system.startsWith("Windows"))
                && (processor.equals("amd64") || processor.equals("x86_64"));
        if (!known) {
            throw new DeviceUnavailableException("JCuda " + JCudaVersion.get()
                    + ", through which CUDA is called, exists for Linux and Windows on x86-64, not for " + system
                    + " on " + processor);
        }
    }

    private static NativeLibrary find() {
        String name = System.getProperty("os.name", "").startsWith("Windows") ? "nvcuda.dll" : "libcuda.so.1";
        try {
            return NativeLibrary.search("NVIDIA driver")
                    .configured(System.getProperty(PATH_PROPERTY), "-D" + PATH_PROPERTY)
                    .names(List.of(name))
                    .files(ELSEWHERE)
                    .open();
        } catch (NativeLibraryException e) {
            throw new DeviceUnavailableException(
                    e.getMessage() + ". Install NVIDIA's driver; -D" + PATH_PROPERTY
                            + "=<path> names one that the system's loader does not find",
                    e);
        }
    }

    private static void requireVersion(CudaApi api) {
        int[] version = new int[1];
        int code = api.cuDriverGetVersion(version);
        if (code != 0) {
            throw unavailable(api, "cuDriverGetVersion", code);
        }
        if (version[0] < OLDEST_VERSION) {
            throw new DeviceUnavailableException("NVIDIA's driver is of CUDA " + text(version[0]) + "; JCuda "
                    + JCudaVersion.get() + " needs one of CUDA " + text(OLDEST_VERSION) + " (525.60) or newer");
        }
    }

    private static void initialize(CudaApi api) {
        int code = api.cuInit(0);
        int[] count = new int[1];
        if (code == 0) {
            code = api.cuDeviceGetCount(count);
        }
        if (code == NO_DEVICE || (code == 0 && count[0] == 0)) {
            String visible = System.getenv("CUDA_VISIBLE_DEVICES");
            throw new DeviceUnavailableException("NVIDIA's driver is there, but no GPU"
                    + (visible == null ? "" : "; CUDA_VISIBLE_DEVICES is \"" + visible + "\""));
        }
        if (code != 0) {
            throw unavailable(api, "cuInit", code);
        }
    }

    private static DeviceUnavailableException unavailable(CudaApi api, String function, int code) {
        return new DeviceUnavailableException("NVIDIA's driver can't be used: " + function + " failed with " + code
                + " (" + api.cuGetErrorName(code) + ": " + api.cuGetErrorString(code) + ")");
    }

    /** A version as people write it. */
    static String text(int version) {
        return version / 1000 + "." + version % 1000 / 10;
    }
}

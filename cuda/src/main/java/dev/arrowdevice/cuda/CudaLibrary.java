package dev.arrowdevice.cuda;

import dev.arrowdevice.spi.DeviceUnavailableException;
import dev.arrowdevice.spi.NativeLibrary;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import jcuda.JCudaVersion;
import jcuda.driver.JCudaDriver;

/**
 * NVIDIA's driver, loaded: its functions, which JCuda calls, and its version. All functions are looked up before the
 * first call, because JCuda ends the process if it calls a function that the driver lacks.
 */
final class CudaLibrary {
    private static final int SUCCESS = 0;

    /** JCuda's native libraries are built for this version of CUDA. */
    private static final int OLDEST_VERSION = 12_000;

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
            "cuCtxSynchronize",
            "cuMemGetInfo_v2",
            "cuMemAlloc_v2",
            "cuMemFree_v2",
            "cuMemAllocManaged",
            "cuMemHostAlloc",
            "cuMemFreeHost",
            "cuMemcpyAsync",
            "cuMemcpyHtoDAsync_v2",
            "cuMemcpyDtoHAsync_v2",
            "cuMemcpyPeerAsync",
            "cuStreamCreate",
            "cuStreamDestroy_v2",
            "cuStreamGetCtx",
            "cuStreamSynchronize",
            "cuStreamWaitEvent",
            "cuEventCreate",
            "cuEventDestroy_v2",
            "cuEventRecord",
            "cuEventQuery",
            "cuEventSynchronize");

    private final int version;

    /** The functions. */
    final CudaApi api;

    CudaLibrary(CudaApi api) {
        this.api = api;
        int[] found = new int[1];
        require("cuDriverGetVersion", api.cuDriverGetVersion(found));
        this.version = found[0];
        if (version < OLDEST_VERSION) {
            throw new DeviceUnavailableException("NVIDIA's driver has CUDA " + text(version) + "; JCuda "
                    + JCudaVersion.get() + " needs a driver with CUDA " + text(OLDEST_VERSION) + " (525.60) or newer");
        }
    }

    /**
     * Loads the driver.
     *
     * @throws DeviceUnavailableException if it can't be used; the message says what would help
     */
    static CudaLibrary load(CudaSearch search) {
        requirePlatform();
        try {
            return new CudaLibrary(bind(search.load()));
        } catch (IllegalCallerException e) {
            throw notEnabled(e);
        }
    }

    private static CudaApi bind(NativeLibrary library) {
        List<String> missing =
                FUNCTIONS.stream().filter(name -> library.address(name) == 0).collect(Collectors.toList());
        if (!missing.isEmpty()) {
            throw new DeviceUnavailableException(
                    "NVIDIA's driver lacks " + String.join(", ", missing) + ": it is too old; a newer one is needed");
        }
        JCudaNatives.load(JCudaDriver.class);
        boolean ordered = library.address("cuMemAllocAsync") != 0 && library.address("cuMemFreeAsync") != 0;
        return new JCudaApi(library.bind(MethodHandles.lookup(), JCudaGaps.class), ordered);
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

    static DeviceUnavailableException notEnabled(IllegalCallerException e) {
        return new DeviceUnavailableException(
                "CUDA needs the JVM flag --enable-native-access=dev.arrowdevice.core,jcuda, on the"
                        + " class path --enable-native-access=ALL-UNNAMED",
                e);
    }

    /** The driver's version of CUDA as text. */
    String versionText() {
        return text(version);
    }

    private static String text(int version) {
        return version / 1000 + "." + version % 1000 / 10;
    }

    /**
     * Checks the result of a call that must succeed before any device can be used.
     *
     * @throws DeviceUnavailableException if it failed
     */
    void require(String function, int code) {
        if (code != SUCCESS) {
            throw new DeviceUnavailableException("NVIDIA's driver can't be used: " + function + " failed with " + code
                    + " (" + errorText(code) + ")");
        }
    }

    /** The driver's name of an error and its description. */
    String errorText(int code) {
        return api.cuGetErrorName(code) + ": " + api.cuGetErrorString(code);
    }
}

package dev.arrowdevice.cuda;

import dev.arrowdevice.spi.DeviceUnavailableException;
import dev.arrowdevice.spi.NativeAllocation;
import dev.arrowdevice.spi.NativeLibrary;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jcuda.JCudaVersion;
import jcuda.nvrtc.JNvrtc;

/**
 * CUDA's compiler for kernels at run time. It belongs to the CUDA toolkit, not to the driver, and needs no GPU. JCuda
 * calls it by {@link JNvrtc}. {@link #load} makes that class usable, as safely as the driver is loaded: by itself JCuda
 * loads its library from a file of a fixed name, which anybody on the machine may have put there.
 */
public final class Nvrtc {
    /** The system property with the compiler's library, for a library that is not found otherwise. */
    static final String PROPERTY = "dev.arrowdevice.cuda.nvrtc";

    private static final int MAJOR = 12;

    private static final String SOURCE = "It comes with the CUDA toolkit 12, and as nvidia-cuda-nvrtc-cu12 for Python";

    private static boolean loaded;

    private Nvrtc() {}

    /**
     * Makes {@link JNvrtc} usable. Call it before you use that class; once is enough. Any thread may call it.
     *
     * @throws DeviceUnavailableException if the compiler is not installed or can't be used; the message says why
     */
    public static synchronized void load() {
        if (loaded) {
            return;
        }
        CudaLibrary.requirePlatform();
        try {
            boolean windows = System.getProperty("os.name", "").startsWith("Windows");
            NativeLibrary library = find(windows);
            requireVersion(library);
            JCudaNatives.load(JNvrtc.class);
        } catch (IllegalCallerException e) {
            throw CudaLibrary.notEnabled(e);
        }
        loaded = true;
    }

    /** The function that says which release a library is, whatever its name. */
    interface Version {
        int nvrtcVersion(long major, long minor);
    }

    /** JCuda's library ends the process when it calls another release than its own. */
    private static void requireVersion(NativeLibrary library) {
        if (library.address("nvrtcVersion") == 0) {
            throw new DeviceUnavailableException(library + " is not CUDA's compiler NVRTC");
        }
        Version functions = library.bind(MethodHandles.lookup(), Version.class).getCalls();
        try (NativeAllocation out = NativeAllocation.allocate(2 * Integer.BYTES)) {
            int code = functions.nvrtcVersion(out.getAddress(), out.getAddress() + Integer.BYTES);
            int major = out.getInt(0);
            if (code != 0 || major != MAJOR) {
                throw new DeviceUnavailableException(
                        library + " is NVRTC of CUDA " + major + "." + out.getInt(Integer.BYTES) + "; JCuda "
                                + JCudaVersion.get() + " needs that of CUDA " + MAJOR + ". " + SOURCE);
            }
        }
    }

    private static NativeLibrary find(boolean windows) {
        return NativeLibrary.search("CUDA compiler NVRTC")
                .configured(System.getProperty(PROPERTY), "-D" + PROPERTY)
                .names(List.of(fileName(windows)))
                .files(places(windows, System.getenv()))
                .openDriver(SOURCE + "; -D" + PROPERTY + "=<path> names one in another place");
    }

    /** The file that JCuda's own library is linked to. */
    private static String fileName(boolean windows) {
        return windows ? "nvrtc64_120_0.dll" : "libnvrtc.so.12";
    }

    /** Where the toolkit puts the library without configuring the loader. */
    static List<Path> places(boolean windows, Map<String, String> environment) {
        List<Path> toolkits = new ArrayList<>();
        for (String variable : List.of("CUDA_PATH", "CUDA_HOME")) {
            String toolkit = environment.get(variable);
            if (toolkit != null && !toolkit.isEmpty()) {
                toolkits.add(Path.of(toolkit));
            }
        }
        if (!windows) {
            toolkits.add(Path.of("/usr/local/cuda"));
        }
        return toolkits.stream()
                .map(toolkit -> toolkit.resolve(windows ? "bin" : "lib64").resolve(fileName(windows)))
                .distinct()
                .toList();
    }
}

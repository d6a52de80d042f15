package dev.arrowdevice.rocm;

import dev.arrowdevice.spi.DeviceUnavailableException;
import dev.arrowdevice.spi.NativeAllocation;
import dev.arrowdevice.spi.NativeFunctions;
import dev.arrowdevice.spi.NativeLibrary;
import dev.arrowdevice.spi.NativeMemory;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.List;

/** A loaded HIP runtime: its functions and its version. A process may have several, which share nothing. */
final class HipLibrary {
    private static final int SUCCESS = 0;
    private static final int LONGEST_TEXT = 256;

    private final String name;
    private final int version;

    private final NativeFunctions<HipApi> functions;

    /** The functions. */
    final HipApi api;

    private HipLibrary(NativeLibrary library) {
        this.name = library.getName();
        this.functions = library.bind(MethodHandles.lookup(), HipApi.class);
        this.api = functions.getCalls();
        List<String> missing = functions.missing();
        if (!missing.isEmpty()) {
            throw new DeviceUnavailableException("the HIP runtime " + name + " lacks " + String.join(", ", missing)
                    + "; install ROCm 5, 6 or 7, or name another library by -D" + HipSearch.PROPERTY);
        }
        this.version = readVersion();
    }

    /**
     * Loads one library.
     *
     * @throws DeviceUnavailableException if it can't be used; the message says what would help
     */
    static HipLibrary load(Path file) {
        return load(HipSearch.of(file));
    }

    static HipLibrary load(HipSearch search) {
        return new HipLibrary(search.load());
    }

    /** The file, or the name under which the system's loader finds it. */
    String name() {
        return name;
    }

    /** Whether the library has a function. It has all that {@link HipApi} does not mark as optional. */
    boolean has(String function) {
        return functions.has(function);
    }

    /** The result of {@code hipRuntimeGetVersion}. */
    int version() {
        return version;
    }

    /** The major version, which is ROCm's too. */
    int major() {
        return version / 10_000_000;
    }

    /** The version as AMD writes it, such as {@code 6.3.42134}. */
    String versionText() {
        return major() + "." + version / 100_000 % 100 + "." + version % 100_000;
    }

    /**
     * Checks the result of a call that must succeed before any device can be used.
     *
     * @throws DeviceUnavailableException if it failed
     */
    void require(String function, int code) {
        if (code != SUCCESS) {
            forget(code);
            throw new DeviceUnavailableException("the HIP runtime " + name + ": " + function + " failed with " + code
                    + " (" + errorText(code) + ")");
        }
    }

    /**
     * Clears an error of our calls from the thread's last error. Otherwise the caller's own code would find it with
     * {@code hipGetLastError} after a kernel launch; since ROCm 7 it stays there until somebody asks.
     */
    void forget(int code) {
        if (has("hipPeekAtLastError") && has("hipGetLastError") && api.hipPeekAtLastError() == code) {
            api.hipGetLastError();
        }
    }

    /** The runtime's name of an error and its description. */
    String errorText(int code) {
        String errorName = text(api.hipGetErrorName(code));
        String text = text(api.hipGetErrorString(code));
        return text.isEmpty() || text.equals(errorName) ? errorName : errorName + ": " + text;
    }

    private static String text(long address) {
        return address == 0 ? "" : NativeMemory.getString(address, LONGEST_TEXT);
    }

    private int readVersion() {
        try (NativeAllocation out = NativeAllocation.allocate(Integer.BYTES)) {
            require("hipRuntimeGetVersion", api.hipRuntimeGetVersion(out.getAddress()));
            return out.getInt(0);
        }
    }
}

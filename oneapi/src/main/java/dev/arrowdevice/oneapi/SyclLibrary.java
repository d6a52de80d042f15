package dev.arrowdevice.oneapi;

import dev.arrowdevice.spi.DeviceUnavailableException;
import dev.arrowdevice.spi.NativeFunctions;
import dev.arrowdevice.spi.NativeLibrary;
import dev.arrowdevice.spi.NativeMemory;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.List;

/** dpctl's C library, loaded: its functions and the version of the SYCL compiler that it was built with. */
final class SyclLibrary {
    private static final int LONGEST_TEXT = 512;

    private final String name;
    private final String version;

    /** The functions. */
    final SyclApi api;

    private SyclLibrary(NativeLibrary library) {
        this.name = library.getName();
        NativeFunctions<SyclApi> functions = library.bind(MethodHandles.lookup(), SyclApi.class);
        this.api = functions.getCalls();
        List<String> missing = functions.missing();
        if (!missing.isEmpty()) {
            throw new DeviceUnavailableException("dpctl's library " + name + " lacks " + String.join(", ", missing)
                    + "; install dpctl 0.22 or newer, or name another library by -D" + SyclSearch.PROPERTY);
        }
        this.version = text(api.DPCTLService_GetDPCPPVersion());
    }

    /**
     * Loads one library.
     *
     * @throws DeviceUnavailableException if it can't be used; the message says what would help
     */
    static SyclLibrary load(Path file) {
        return load(SyclSearch.of(file));
    }

    static SyclLibrary load(SyclSearch search) {
        return new SyclLibrary(search.load());
    }

    /** The file, or the name under which the system's loader finds it. */
    String name() {
        return name;
    }

    /** The version of the SYCL compiler that dpctl was built with. */
    String version() {
        return version;
    }

    /** A text that dpctl returned, which is deleted here; empty if it returned none. */
    String text(long address) {
        if (address == 0) {
            return "";
        }
        try {
            return NativeMemory.getString(address, LONGEST_TEXT).strip();
        } finally {
            api.DPCTLCString_Delete(address);
        }
    }
}

package dev.arrowdevice.oneapi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The functions of one loaded library. There is one handle for each signature, constant for the JIT compiler, and the
 * address of the function is passed to it. The methods are named by the result: {@code pointer} for {@code p},
 * {@code number} for {@code i}, {@code truth} for {@code b}, {@code run} for {@code v}.
 */
final class SyclCalls {
    private static final MethodHandle P = handle("p");
    private static final MethodHandle PI = handle("pi");
    private static final MethodHandle PP = handle("pp");
    private static final MethodHandle PPP = handle("ppp");
    private static final MethodHandle PPPP = handle("pppp");
    private static final MethodHandle PPPPP = handle("ppppp");
    private static final MethodHandle PPPPI = handle("ppppi");
    private static final MethodHandle IP = handle("ip");
    private static final MethodHandle IPP = handle("ipp");
    private static final MethodHandle BP = handle("bp");
    private static final MethodHandle BPI = handle("bpi");
    private static final MethodHandle BPP = handle("bpp");
    private static final MethodHandle VP = handle("vp");
    private static final MethodHandle VPP = handle("vpp");

    private final Map<SyclFunction, MemorySegment> addresses = new EnumMap<>(SyclFunction.class);

    SyclCalls(SymbolLookup library) {
        for (SyclFunction function : SyclFunction.values()) {
            library.find(function.symbol).ifPresent(address -> addresses.put(function, address));
        }
    }

    /** Names of the functions that are not there. */
    List<String> missing() {
        return Stream.of(SyclFunction.values())
                .filter(function -> !addresses.containsKey(function))
                .map(function -> function.symbol)
                .toList();
    }

    long pointer(SyclFunction function) {
        try {
            return (long) P.invokeExact(address(function, "p"));
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    long pointer(SyclFunction function, int a) {
        try {
            return (long) PI.invokeExact(address(function, "pi"), a);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    long pointer(SyclFunction function, long a) {
        try {
            return (long) PP.invokeExact(address(function, "pp"), a);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    long pointer(SyclFunction function, long a, long b) {
        try {
            return (long) PPP.invokeExact(address(function, "ppp"), a, b);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    long pointer(SyclFunction function, long a, long b, long c) {
        try {
            return (long) PPPP.invokeExact(address(function, "pppp"), a, b, c);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    long pointer(SyclFunction function, long a, long b, long c, long d) {
        try {
            return (long) PPPPP.invokeExact(address(function, "ppppp"), a, b, c, d);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    long pointer(SyclFunction function, long a, long b, long c, int d) {
        try {
            return (long) PPPPI.invokeExact(address(function, "ppppi"), a, b, c, d);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    int number(SyclFunction function, long a) {
        try {
            return (int) IP.invokeExact(address(function, "ip"), a);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    int number(SyclFunction function, long a, long b) {
        try {
            return (int) IPP.invokeExact(address(function, "ipp"), a, b);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    boolean truth(SyclFunction function, long a) {
        try {
            return (boolean) BP.invokeExact(address(function, "bp"), a);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    boolean truth(SyclFunction function, long a, int b) {
        try {
            return (boolean) BPI.invokeExact(address(function, "bpi"), a, b);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    boolean truth(SyclFunction function, long a, long b) {
        try {
            return (boolean) BPP.invokeExact(address(function, "bpp"), a, b);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    void run(SyclFunction function, long a) {
        try {
            VP.invokeExact(address(function, "vp"), a);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    void run(SyclFunction function, long a, long b) {
        try {
            VPP.invokeExact(address(function, "vpp"), a, b);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    private MemorySegment address(SyclFunction function, String signature) {
        MemorySegment address = addresses.get(function);
        if (address == null || !function.signature.equals(signature)) {
            throw new AssertionError(
                    function.symbol + " of signature " + function.signature + " called as " + signature);
        }
        return address;
    }

    private static RuntimeException unchecked(Throwable e) {
        if (e instanceof Error) {
            throw (Error) e;
        }
        return e instanceof RuntimeException ? (RuntimeException) e : new IllegalStateException(e);
    }

    @SuppressWarnings("restricted") // downcalls: what the flag --enable-native-access is for
    private static MethodHandle handle(String signature) {
        MemoryLayout[] parameters =
                signature.substring(1).chars().mapToObj(SyclCalls::layout).toArray(MemoryLayout[]::new);
        FunctionDescriptor descriptor = signature.charAt(0) == 'v'
                ? FunctionDescriptor.ofVoid(parameters)
                : FunctionDescriptor.of(layout(signature.charAt(0)), parameters);
        return Linker.nativeLinker().downcallHandle(descriptor);
    }

    private static ValueLayout layout(int letter) {
        if (letter == 'p') {
            return ValueLayout.JAVA_LONG;
        }
        return letter == 'b' ? ValueLayout.JAVA_BOOLEAN : ValueLayout.JAVA_INT;
    }
}

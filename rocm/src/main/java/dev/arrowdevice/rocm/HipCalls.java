package dev.arrowdevice.rocm;

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
 * The functions of one loaded library. There is one handle for each shape of parameters, constant for the JIT compiler,
 * and the address of the function is passed to it, so that several libraries can be loaded. The overloads differ by their
 * shapes: {@code long} for {@code p}, {@code int} for {@code i}.
 */
final class HipCalls {
    private static final MethodHandle TEXT = handle(ValueLayout.JAVA_LONG, "i");
    private static final MethodHandle NONE = handle(ValueLayout.JAVA_INT, "");
    private static final MethodHandle I = handle(ValueLayout.JAVA_INT, "i");
    private static final MethodHandle II = handle(ValueLayout.JAVA_INT, "ii");
    private static final MethodHandle P = handle(ValueLayout.JAVA_INT, "p");
    private static final MethodHandle PI = handle(ValueLayout.JAVA_INT, "pi");
    private static final MethodHandle PII = handle(ValueLayout.JAVA_INT, "pii");
    private static final MethodHandle PP = handle(ValueLayout.JAVA_INT, "pp");
    private static final MethodHandle PPI = handle(ValueLayout.JAVA_INT, "ppi");
    private static final MethodHandle PPP = handle(ValueLayout.JAVA_INT, "ppp");
    private static final MethodHandle PPPI = handle(ValueLayout.JAVA_INT, "pppi");
    private static final MethodHandle PPPIP = handle(ValueLayout.JAVA_INT, "pppip");

    private final Map<HipFunction, MemorySegment> addresses = new EnumMap<>(HipFunction.class);

    HipCalls(SymbolLookup library) {
        for (HipFunction function : HipFunction.values()) {
            library.find(function.symbol).ifPresent(address -> addresses.put(function, address));
        }
    }

    boolean has(HipFunction function) {
        return addresses.containsKey(function);
    }

    /** Names of the functions that nothing works without and that are not there. */
    List<String> missing() {
        return Stream.of(HipFunction.values())
                .filter(function -> !function.optional && !has(function))
                .map(function -> function.symbol)
                .toList();
    }

    long text(HipFunction function, int code) {
        try {
            return (long) TEXT.invokeExact(address(function, "i"), code);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    int call(HipFunction function) {
        try {
            return (int) NONE.invokeExact(address(function, ""));
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    int call(HipFunction function, int a) {
        try {
            return (int) I.invokeExact(address(function, "i"), a);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    int call(HipFunction function, int a, int b) {
        try {
            return (int) II.invokeExact(address(function, "ii"), a, b);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    int call(HipFunction function, long a) {
        try {
            return (int) P.invokeExact(address(function, "p"), a);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    int call(HipFunction function, long a, int b) {
        try {
            return (int) PI.invokeExact(address(function, "pi"), a, b);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    int call(HipFunction function, long a, int b, int c) {
        try {
            return (int) PII.invokeExact(address(function, "pii"), a, b, c);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    int call(HipFunction function, long a, long b) {
        try {
            return (int) PP.invokeExact(address(function, "pp"), a, b);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    int call(HipFunction function, long a, long b, int c) {
        try {
            return (int) PPI.invokeExact(address(function, "ppi"), a, b, c);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    int call(HipFunction function, long a, long b, long c) {
        try {
            return (int) PPP.invokeExact(address(function, "ppp"), a, b, c);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    int call(HipFunction function, long a, long b, long c, int d) {
        try {
            return (int) PPPI.invokeExact(address(function, "pppi"), a, b, c, d);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    int call(HipFunction function, long a, long b, long c, int d, long e) {
        try {
            return (int) PPPIP.invokeExact(address(function, "pppip"), a, b, c, d, e);
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    private MemorySegment address(HipFunction function, String parameters) {
        if (!function.parameters.equals(parameters)) {
            throw new AssertionError(function.symbol + "(" + function.parameters + ") called as (" + parameters + ")");
        }
        MemorySegment address = addresses.get(function);
        if (address == null) {
            throw new IllegalStateException("this HIP runtime has no function " + function.symbol);
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
    private static MethodHandle handle(ValueLayout result, String parameters) {
        MemoryLayout[] layouts = parameters
                .chars()
                .mapToObj(letter -> letter == 'p' ? ValueLayout.JAVA_LONG : ValueLayout.JAVA_INT)
                .toArray(MemoryLayout[]::new);
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(result, layouts));
    }
}

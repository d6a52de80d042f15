package dev.arrowdevice.internal.binding;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Makes addresses at which native code calls functions of ours. */
public final class Upcalls {
    private static final Set<Long> OURS = ConcurrentHashMap.newKeySet();

    private Upcalls() {}

    /**
     * The address of a function, which is valid as long as the process: making one costs as much as hundreds of calls,
     * and calling one that was freed crashes the process. Its Java types determine the C types, as in
     * {@link Downcalls}. An exception that leaves the function crashes the process.
     */
    @SuppressWarnings("restricted") // an address for native code: what the flag --enable-native-access is for
    public static long addressOf(MethodHandle target) {
        long address = Linker.nativeLinker()
                .upcallStub(target, Downcalls.descriptor(target.type()), Arena.global())
                .address();
        OURS.add(address);
        return address;
    }

    /** Whether native code that calls the function at an address calls Java. */
    public static boolean isOurs(long address) {
        return OURS.contains(address);
    }
}

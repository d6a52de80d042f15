package dev.arrowdevice.internal.binding;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** Makes addresses at which native code calls functions of ours. */
public final class Upcalls {
    private Upcalls() {}

    /**
     * The address of a function, which is valid as long as the process: making one costs as much as hundreds of calls,
     * and calling one that was freed crashes the process. Its Java types determine the C types, as in
     * {@link Downcalls}. An exception that leaves the function crashes the process.
     */
    @SuppressWarnings("restricted") // an address for native code: what the flag --enable-native-access is for
    public static long addressOf(MethodHandle target) {
        return Linker.nativeLinker()
                .upcallStub(target, Downcalls.descriptor(target.type()), Arena.global())
                .address();
    }
}

package dev.arrowdevice.internal.binding;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** Addresses under which native code calls functions of ours. */
public final class Upcalls {
    private Upcalls() {}

    /**
     * The address of a function, for ever: making one costs as much as hundreds of calls, and a call of a dead one ends the
     * process. Its Java types say the C types, as in {@link Downcalls}. An exception that leaves it ends the process.
     */
    @SuppressWarnings("restricted") // an address for native code: what the flag --enable-native-access is for
    public static long addressOf(MethodHandle target) {
        return Linker.nativeLinker()
                .upcallStub(target, Downcalls.descriptor(target.type()), Arena.global())
                .address();
    }
}

package dev.arrowdevice.internal.binding;

import dev.arrowdevice.internal.diagnostics.NotOnAndroid;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Whether this module may call the restricted methods of {@code java.lang.foreign}, as the flag
 * {@code --enable-native-access} allows. Without the flag, some JDKs allow the first call with a warning, which allows
 * all later ones; others deny it. Used only if {@code java.lang.foreign} exists.
 */
@NotOnAndroid
public final class NativeAccess {
    private static final Module MODULE = NativeAccess.class.getModule();

    /** A constant, so that a program with the flag never asks again. */
    private static final boolean FROM_START = MODULE.isNativeAccessEnabled();

    /** Never false again. Other threads may see it late, and ask the module once more. */
    private static boolean since;

    private NativeAccess() {}

    /** Whether restricted calls work, without a warning. Makes none. */
    public static boolean isEnabled() {
        return FROM_START || since || isEnabledMeanwhile();
    }

    private static boolean isEnabledMeanwhile() {
        since = MODULE.isNativeAccessEnabled();
        return since;
    }

    /**
     * Ensures that restricted calls work. The first time, this may make one, and the JDK may print its warning.
     *
     * @param operation the call of the user
     * @throws UnsupportedOperationException if the JDK denies them
     */
    public static void require(String operation) {
        if (!isEnabled()) {
            tryToEnable(operation);
        }
    }

    @SuppressWarnings("restricted") // the first of all restricted calls
    private static void tryToEnable(String operation) {
        try {
            MemorySegment ignored = MemorySegment.NULL.reinterpret(1);
            since = true;
        } catch (IllegalCallerException e) {
            throw new UnsupportedOperationException(denied(operation, MODULE.getName()), e);
        }
    }

    private static String denied(String operation, @Nullable String module) {
        String name = module == null ? "ALL-UNNAMED" : module;
        return operation + " needs native access, which this JVM denies to "
                + (module == null ? "the class path (ALL-UNNAMED)" : "the module " + module)
                + ": start it with --enable-native-access=" + name
                + (module == null
                        ? ", or with java -jar"
                        : ", or put this library on the class path and start with java -jar")
                + " and the line Enable-Native-Access: ALL-UNNAMED in the manifest of the program's jar";
    }
}

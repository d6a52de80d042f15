package dev.arrowdevice.internal.memory;

import dev.arrowdevice.internal.binding.NativeAccess;

/** The abilities of the running Java. */
public final class Platform {
    /**
     * Whether {@code java.lang.foreign} can be used: Java 22 or newer. Decided by the version alone, so that no class
     * of the API is loaded where it does not exist. (Android reports version 0.9.)
     */
    public static final boolean HAS_FOREIGN_MEMORY = javaVersion() >= 22;

    private Platform() {}

    /**
     * The exception for a call that needs the C interface on a Java that lacks it.
     *
     * @param operation the call of the user
     */
    public static UnsupportedOperationException needsForeignMemory(String operation) {
        return new UnsupportedOperationException(
                operation + " needs Java 22 or newer (java.lang.foreign); this is Java "
                        + System.getProperty("java.specification.version")
                        + ". Building, reading, slicing and in-process streams on the CPU work here.");
    }

    /**
     * Whether native memory can be allocated and bound to a scope without a warning of the JDK: Java 22 or newer with
     * native access. False may become true, but not the other way round.
     */
    public static boolean hasNativeAccess() {
        return HAS_FOREIGN_MEMORY && NativeAccess.isEnabled();
    }

    /**
     * Fails with a clear exception if no native code can be called here, before a class that does so is initialised.
     *
     * @param operation the call of the user
     * @throws UnsupportedOperationException on Java before 22, and if the JVM denies native access
     */
    public static void requireNativeAccess(String operation) {
        if (!HAS_FOREIGN_MEMORY) {
            throw needsForeignMemory(operation);
        }
        NativeAccess.require(operation);
    }

    private static int javaVersion() {
        String version = System.getProperty("java.specification.version", "0");
        int dot = version.indexOf('.');
        try {
            return Integer.parseInt(dot < 0 ? version : version.substring(0, dot));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}

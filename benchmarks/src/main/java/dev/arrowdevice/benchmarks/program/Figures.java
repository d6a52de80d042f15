package dev.arrowdevice.benchmarks.program;

/** What a program has measured, as a line for the JVM that started it. */
public final class Figures {
    /** What the line begins with; nanoseconds an operation follow, and then maybe bytes of native memory. */
    public static final String MARK = "figures";

    private Figures() {}

    static void print(double nanos) {
        System.out.println(MARK + " " + nanos);
    }

    static void print(double nanos, double nativeBytes) {
        System.out.println(MARK + " " + nanos + " " + nativeBytes);
    }
}

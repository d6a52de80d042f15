package dev.arrowdevice.internal.diagnostics;

import java.io.PrintWriter;
import java.io.StringWriter;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The events of {@link Flight}. */
@NotOnAndroid
final class FlightEvents {
    /** The group of all our events. */
    static final String GROUP = "Arrow Device";

    private FlightEvents() {}

    static void leak(String owner, @Nullable Throwable allocation) {
        Leak event = new Leak();
        if (event.isEnabled()) {
            event.owner = owner;
            event.madeAt = allocation == null ? null : text(allocation);
            event.commit();
        }
    }

    static void lateFailure(Throwable failure) {
        LateFailure event = new LateFailure();
        if (event.isEnabled()) {
            event.failure = failure.toString();
            event.commit();
        }
    }

    static void shutdown(long unreleasedExports) {
        Shutdown event = new Shutdown();
        event.unreleasedExports = unreleasedExports;
        event.commit();
    }

    private static String text(Throwable allocation) {
        StringWriter text = new StringWriter();
        allocation.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @NotOnAndroid
    @Name("dev.arrowdevice.Leak")
    @Label("Leak")
    @Description("An owner was never closed; the garbage collector found it and it was released")
    @Category(GROUP)
    @StackTrace(false)
    static final class Leak extends Event {
        @Label("Owner")
        @Nullable
        String owner;

        @Label("Made At")
        @Description("The stack of the maker, if stacks are captured")
        @Nullable
        String madeAt;
    }

    @NotOnAndroid
    @Name("dev.arrowdevice.LateFailure")
    @Label("Late Failure")
    @Description("A release failed, which never throws")
    @Category(GROUP)
    static final class LateFailure extends Event {
        @Label("Failure")
        @Nullable
        String failure;
    }

    @NotOnAndroid
    @Name("dev.arrowdevice.Shutdown")
    @Label("Shutdown")
    @Description("The JVM begins to end while foreign consumers have outstanding exports")
    @Category(GROUP)
    @StackTrace(false)
    static final class Shutdown extends Event {
        @Label("Unreleased Exports")
        long unreleasedExports;
    }
}

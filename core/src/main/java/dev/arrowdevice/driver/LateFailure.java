package dev.arrowdevice.driver;

import dev.arrowdevice.memory.DeviceException;
import java.util.function.Consumer;

/** What becomes of failures that nobody can be told by an exception: those of a release, which never throws. */
public final class LateFailure {
    private static volatile Consumer<DeviceException> listener =
            failure -> System.err.println("arrow-device: while releasing: " + failure.getMessage());

    private LateFailure() {}

    /** Who is told, on the thread that released; in the beginning, standard error. Must not throw. */
    public static void onFailure(Consumer<DeviceException> newListener) {
        listener = newListener;
    }

    /** Runs a release; a failure of the driver is reported, not thrown: there is nothing left to be done about it. */
    static void reporting(Runnable release) {
        try {
            release.run();
        } catch (DeviceException e) {
            report(e);
        }
    }

    static void report(DeviceException failure) {
        listener.accept(failure);
    }
}

package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceException;
import java.util.function.Consumer;

/** What becomes of failures that nobody can be told by an exception: those of a release, which never throws. */
public final class LateFailure {
    private static volatile Consumer<DeviceException> listener =
            failure -> System.err.println("arrow-device: while releasing: " + failure.getMessage());

    private LateFailure() {}

    /**
     * Who is told from now on, on the thread that released; in the beginning, standard error.
     *
     * @return who was told before
     */
    public static synchronized Consumer<DeviceException> onFailure(Consumer<DeviceException> newListener) {
        Consumer<DeviceException> before = listener;
        listener = newListener;
        return before;
    }

    /** Runs a release; a failure is reported, not thrown: there is nothing left to be done about it. */
    static void reporting(Runnable release) {
        try {
            release.run();
        } catch (Throwable e) {
            report(e);
        }
    }

    /** Tells of a failure; one that is not the device's is a bug in its driver's binding and is told to standard error. */
    static void report(Throwable failure) {
        if (failure instanceof DeviceException) {
            try {
                listener.accept((DeviceException) failure);
            } catch (Throwable e) {
                System.err.println("arrow-device: the listener of late failures threw " + e);
            }
        } else {
            System.err.println("arrow-device: while releasing: " + failure);
        }
    }
}

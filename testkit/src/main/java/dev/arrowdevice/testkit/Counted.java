package dev.arrowdevice.testkit;

import java.util.List;
import java.util.function.Supplier;

/** A foreign library that counts what is outstanding, for {@link ReleaseBalance#start(Counted)}. */
@FunctionalInterface
public interface Counted {
    /**
     * Reads the counters.
     *
     * @return reports what was not released since this call, one sentence each; an empty list means that everything
     *     was. It may be called more than once
     */
    Supplier<List<String>> count();
}

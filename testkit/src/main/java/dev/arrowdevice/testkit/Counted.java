package dev.arrowdevice.testkit;

import java.util.List;
import java.util.function.Supplier;

/** A foreign library that counts what it has handed out and what it holds, for {@link ReleaseBalance#start(Counted)}. */
@FunctionalInterface
public interface Counted {
    /**
     * Notes the counters as they are now.
     *
     * @return says what has not been given back since, one sentence for each; empty: nothing. It may be asked more than once
     */
    Supplier<List<String>> count();
}

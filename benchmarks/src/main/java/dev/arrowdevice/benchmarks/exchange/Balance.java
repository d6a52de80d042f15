package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.testkit.ReleaseBalance;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the benchmarks release everything. The first state that is set up in this process begins the check, and the
 * last one that is torn down verifies it, because the counters are those of all threads.
 */
final class Balance {
    private static int states;
    private static @Nullable ReleaseBalance balance;

    private Balance() {}

    static synchronized void begin() {
        if (states++ == 0) {
            balance = ReleaseBalance.start();
        }
    }

    /**
     * Ends one state.
     *
     * @throws AssertionError if it was the last one and something was not released
     */
    static synchronized void end() {
        if (--states == 0 && balance != null) {
            balance.verify();
        }
    }
}

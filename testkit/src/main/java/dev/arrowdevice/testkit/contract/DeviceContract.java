package dev.arrowdevice.testkit.contract;

import dev.arrowdevice.testkit.ReleaseBalance;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The contract of {@link dev.arrowdevice.spi.DeviceRuntime}, {@link dev.arrowdevice.spi.DeviceQueue} and
 * {@link dev.arrowdevice.spi.DeviceEvent}, sentence by sentence, as cases for any test framework. With Kotest:
 *
 * <!-- not compiled: Kotlin -->
 * <pre>{@code
 * class MyRuntimeTest : FunSpec({
 *     DeviceContract.cases { MySubject() }.forEach { case ->
 *         test(case.name()).config(enabledOrReasonIf = { case.skipped()?.let(Enabled::disabled) ?: Enabled.enabled }) { case.run() }
 *     }
 * })
 * }</pre>
 *
 * <p>With JUnit:
 *
 * <!-- not compiled: a member of a JUnit class -->
 * <pre>{@code
 * @TestFactory
 * Stream<DynamicTest> contract() {
 *     return DeviceContract.cases(MySubject::new).stream().map(test -> dynamicTest(test.name(), () -> {
 *         assumeTrue(test.skipped() == null, test.skipped());
 *         test.run();
 *     }));
 * }
 * }</pre>
 *
 * <p>Each case ends with a {@link ReleaseBalance}; nothing else may exchange arrays or use devices meanwhile.
 */
public final class DeviceContract {
    private final List<Case> cases = new ArrayList<>();
    private final Supplier<? extends DeviceSubject> subjects;
    private final Set<Ability> abilities;
    private final boolean hostReadable;

    DeviceContract(Supplier<? extends DeviceSubject> subjects) {
        this.subjects = subjects;
        try (DeviceSubject subject = subjects.get()) {
            abilities = Set.copyOf(subject.abilities());
            hostReadable = subject.runtime().allocatesHostReadable();
        }
    }

    /**
     * Returns all cases for a subject.
     *
     * @param subjects opens the subject: here, to find out what it can do, and once for each case
     */
    public static List<Case> cases(Supplier<? extends DeviceSubject> subjects) {
        DeviceContract contract = new DeviceContract(subjects);
        MemoryCases.addTo(contract);
        AddressCases.addTo(contract);
        CopyCases.addTo(contract);
        QueueCases.addTo(contract);
        EventCases.addTo(contract);
        CallbackCases.addTo(contract);
        OrderCases.addTo(contract);
        ForeignCases.addTo(contract);
        SecondDeviceCases.addTo(contract);
        FaultCases.addTo(contract);
        RefusalCases.addTo(contract);
        ThreadCases.addTo(contract);
        CloseCases.addTo(contract);
        return contract.cases();
    }

    List<Case> cases() {
        return List.copyOf(cases);
    }

    /** What a case does. */
    interface Body {
        void run(Trial trial) throws Exception;
    }

    void add(String name, Set<Ability> needed, Body body) {
        add(name, needed, null, body);
    }

    /** Adds a case about memory that the host can't read. */
    void addOnDevice(String name, Set<Ability> needed, Body body) {
        add(name, needed, hostReadable ? "the host, not a queue, reads and writes its memory" : null, body);
    }

    private void add(String name, Set<Ability> needed, @Nullable String reason, Body body) {
        String skipped = reason;
        for (Ability ability : needed) {
            if (!abilities.contains(ability)) {
                skipped = ability.lack();
            }
        }
        cases.add(new Case(name, skipped, subjects, body));
    }

    void add(String name, Body body) {
        add(name, Set.of(), body);
    }

    /** One case: a sentence of the contract. */
    public static final class Case {
        private final String name;
        private final @Nullable String skipped;
        private final Supplier<? extends DeviceSubject> subjects;
        private final Body body;

        private Case(String name, @Nullable String skipped, Supplier<? extends DeviceSubject> subjects, Body body) {
            this.name = name;
            this.skipped = skipped;
            this.subjects = subjects;
            this.body = body;
        }

        /** The sentence. */
        public String name() {
            return name;
        }

        /** The reason why the case can't run with this subject, or null if it can. */
        public @Nullable String skipped() {
            return skipped;
        }

        /**
         * Runs the case, on a thread of its own. If the runtime blocks where it must not, the case fails after twenty
         * seconds, or as many as the system property {@code dev.arrowdevice.testkit.limit} says.
         *
         * @throws AssertionError if the runtime does not keep the contract
         */
        public void run() {
            if (skipped != null) {
                throw new IllegalStateException("skipped: " + skipped);
            }
            ReleaseBalance balance = ReleaseBalance.start();
            try (DeviceSubject subject = subjects.get()) {
                run(new Trial(subject));
            }
            balance.verify();
        }

        private void run(Trial trial) {
            AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
            Thread thread = new Thread(
                    () -> {
                        try (trial) {
                            body.run(trial);
                        } catch (Throwable e) {
                            failure.set(e);
                        }
                    },
                    "device-contract");
            thread.setDaemon(true);
            thread.start();
            try {
                thread.join(Trial.LIMIT_MILLIS);
                if (thread.isAlive()) {
                    AssertionError stuck = new AssertionError("the case blocks; its stack shows where");
                    stuck.setStackTrace(thread.getStackTrace());
                    trial.resumeAll();
                    thread.join(Trial.LIMIT_MILLIS);
                    throw stuck;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
            Throwable thrown = failure.get();
            if (thrown != null) {
                throw new AssertionError(name + ": " + thrown, thrown);
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }
}

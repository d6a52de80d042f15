package dev.arrowdevice.spi;

import dev.arrowdevice.internal.abi.ReleaseGates;
import dev.arrowdevice.internal.memory.DeferredRelease;

/** Decides when releases run. All methods may be called from any thread. */
public final class Releases {
    private Releases() {}

    /**
     * Releases a reference, and closes an event, after the event is complete or its work has failed: now if it is
     * complete already, otherwise later, on another thread. Never throws. If the device refuses to say whether the work
     * is over, the reference is kept and the device is asked again until it answers; refusals that last for half a
     * minute are reported as a {@linkplain Diagnostics#onLateFailure late failure}.
     *
     * @param event the event, which moves to this method
     * @param owner the resource; the caller's reference moves to this method
     */
    public static void after(DeviceEvent event, ReferenceCounted owner) {
        DeferredRelease.after(event, owner);
    }

    /**
     * Installs a gate, which is asked before each foreign release from now on. If there are several gates, they are
     * asked in the order in which they were installed, until one returns false. Without a gate a release costs nothing
     * more.
     *
     * @return removes the gate when it is closed for the first time. Releases that the gate has let in still leave it.
     *     To keep the gate as long as the process, ignore this result
     */
    public static Installation install(ReleaseGate gate) {
        return new Installation(gate);
    }

    /** An installed gate. */
    public static final class Installation implements AutoCloseable {
        private final ReleaseGates.Gate gate;

        Installation(ReleaseGate gate) {
            this.gate = new ReleaseGates.Gate() {
                @Override
                public boolean enter() {
                    return gate.enter();
                }

                @Override
                public void leave() {
                    gate.leave();
                }
            };
            ReleaseGates.add(this.gate);
        }

        /** Removes the gate. Idempotent, never throws. */
        @Override
        public void close() {
            ReleaseGates.remove(gate);
        }
    }
}

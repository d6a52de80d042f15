package dev.arrowdevice.spi;

import dev.arrowdevice.internal.abi.ReleaseGates;
import dev.arrowdevice.internal.memory.DeferredRelease;

/** When releases run. All methods may be called from any thread. */
public final class Releases {
    private Releases() {}

    /**
     * Gives a reference back once an event has completed, or its work has failed, and closes the event: at once if it has, else
     * later on another thread. Never throws.
     *
     * @param event is handed over
     * @param owner the caller's reference is handed over
     */
    public static void after(DeviceEvent event, ReferenceCounted owner) {
        DeferredRelease.after(event, owner);
    }

    /**
     * Has a gate asked before each foreign release from now on. Of several gates each is asked, in the order in which they
     * were installed, until one says no. Without a gate a release costs what it cost before.
     *
     * @return takes the gate away when it is closed for the first time; releases that the gate has let in still leave it.
     *     Who wants the gate as long as the process forgets it
     */
    public static Installation install(ReleaseGate gate) {
        return new Installation(gate);
    }

    /** A gate that is asked. */
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

        /** Takes the gate away. Idempotent, never throws. */
        @Override
        public void close() {
            ReleaseGates.remove(gate);
        }
    }
}

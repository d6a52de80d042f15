package dev.arrowdevice.testkit.device;

/**
 * Something that happened on a simulated device.
 *
 * @param nanos when, in {@link System#nanoTime}'s terms
 * @param thread the name of the thread on which it happened
 * @param operation what
 * @param phase how far it came
 * @param queue the handle of the queue, 0 where no queue takes part
 * @param value the size in bytes of memory, copies; the handle of an event; else 0
 */
public record TraceEntry(long nanos, String thread, Operation operation, Phase phase, long queue, long value) {
    /** How far an operation came. */
    public enum Phase {
        /** A call was accepted; what it queued may be done later. */
        CALLED,
        /** A call failed: nothing was done, or for what frees and destroys, it was done all the same. */
        REFUSED,
        /** A queue began with work. */
        STARTED,
        /** A queue has done work. */
        DONE,
        /** The work of a queue failed, or was skipped since work before it had failed. */
        FAILED
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(operation + " " + phase);
        if (queue != 0) {
            text.append(" on 0x").append(Long.toHexString(queue));
        }
        if (value != 0) {
            text.append(" of 0x").append(Long.toHexString(value));
        }
        return text.append(" [").append(thread).append(']').toString();
    }
}

package dev.arrowdevice.testkit.device;

/**
 * A call or a piece of work of a simulated device.
 *
 * @param nanos the time, as of {@link System#nanoTime}
 * @param thread the name of its thread
 * @param operation the call or work
 * @param phase how far it got
 * @param queue the handle of the queue; 0 without a queue
 * @param value the size of memory or of a copy in bytes; the handle of an event; else 0
 */
public record TraceEntry(long nanos, String thread, Operation operation, Phase phase, long queue, long value) {
    /** How far an operation got. */
    public enum Phase {
        /** A call succeeded. The work that it queued may run later. */
        CALLED,
        /** A call failed: nothing was done. Calls that free or destroy have still done so. */
        REFUSED,
        /** A queue started work. */
        STARTED,
        /** A queue has done work. */
        DONE,
        /** Work of a queue failed, or was skipped because earlier work had failed. */
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

package dev.arrowdevice.internal.memory;

/**
 * What was never closed, for a report.
 *
 * @param what what it is, and what nobody did to it
 * @param of its type, or "" if it has none
 * @param rows the number of its elements
 * @param bytes the bytes of its buffers
 */
public record Lost(String what, String of, long rows, long bytes) {
    /** Something without a type. */
    public Lost(String what) {
        this(what, "", 0, 0);
    }

    @Override
    public String toString() {
        return of.isEmpty() ? what : what + " (" + of + ", " + rows + " rows, " + bytes + " bytes)";
    }
}

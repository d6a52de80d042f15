package dev.arrowdevice.internal.operations;

/** A cursor over ranges, such as the elements of lists. Ranges that follow each other become one run. */
abstract class RangeCursor extends Cursor {
    /** The least size of a range to copy at once. */
    private static final int RUN = 16;

    /** The start of the range that {@link #nextRange} found; {@link #MISSING} for a range of missing values. */
    long rangeStart;

    /** The size of the range that {@link #nextRange} found. */
    long rangeSize;

    private long from;
    private long size;
    private boolean found;

    /** Finds the next range. Returns false after the last one. */
    abstract boolean nextRange();

    @Override
    final boolean next() {
        int filled = 0;
        while (true) {
            if (size == 0 && !advance()) {
                return list(filled);
            }
            if (from >= 0 && size >= RUN) {
                if (filled > 0) {
                    return list(filled);
                }
                long all = size;
                size = 0;
                return run(from, all);
            }
            int part = (int) Math.min(size, CHUNK - filled);
            for (int i = 0; i < part; i++) {
                positions[filled++] = from < 0 ? MISSING : from++;
            }
            size -= part;
            if (filled == CHUNK) {
                return list(filled);
            }
        }
    }

    /** Takes the next ranges that are not empty and follow each other. */
    private boolean advance() {
        if (!found && !find()) {
            return false;
        }
        from = rangeStart;
        size = rangeSize;
        found = false;
        while (find()) {
            if (from < 0 ? rangeStart >= 0 : rangeStart != from + size) {
                break;
            }
            size += rangeSize;
            found = false;
        }
        return true;
    }

    private boolean find() {
        while (nextRange()) {
            if (rangeSize > 0) {
                found = true;
                return true;
            }
            if (rangeSize < 0) {
                throw new IllegalStateException("offsets descend at " + rangeStart + "; validate the array");
            }
        }
        return false;
    }
}

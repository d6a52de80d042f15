package dev.arrowdevice.internal.operations;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.RunEndEncodedType;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.reading.ArrayBuffers;
import dev.arrowdevice.internal.reading.Integers;
import dev.arrowdevice.spi.ArrayData;

/** The runs of a run-end encoded array. */
final class Runs {
    private final ArrayData array;
    private final Integers ends;
    private final long firstEnd;
    private final long count;

    Runs(ArrayData array) {
        this.array = array;
        ArrayData runEnds = array.child(0);
        this.ends = new Integers(
                ArrayBuffers.memory(runEnds.buffer(1)), runEnds.getType().id());
        this.firstEnd = runEnds.getOffset();
        this.count = runEnds.getLength();
    }

    /** The index, in the child of values, of the run that has an element. */
    long find(long element) {
        long position = array.getOffset() + element;
        long low = 0;
        long high = count;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (ends.get(firstEnd + middle) > position) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        if (low == count) {
            throw new IllegalStateException(
                    "no run contains index " + element + ": the last run ends before it; validate the array");
        }
        return low;
    }

    /** The element after the last one of a run, at most the length of the array. */
    long end(long run) {
        return Math.min(ends.get(firstEnd + run) - array.getOffset(), array.getLength());
    }

    /** Whether a run has an element. */
    boolean contains(long run, long element) {
        return run < count && element < end(run) && (run == 0 || element >= end(run - 1));
    }

    /** The run of an element, for elements that are asked for nearly in order. */
    long find(long element, long guess) {
        if (guess >= 0 && contains(guess, element)) {
            return guess;
        }
        return guess >= 0 && contains(guess + 1, element) ? guess + 1 : find(element);
    }

    /** The largest end that a type can count. */
    static long maxEnd(ArrowType type) {
        TypeId id = ((RunEndEncodedType) type.storageType()).runEnds().type().id();
        return id == TypeId.INT16 ? Short.MAX_VALUE : id == TypeId.INT32 ? Integer.MAX_VALUE : Long.MAX_VALUE;
    }

    /** The elements of an array of values that the elements of this array have, for a decoded array. */
    Selection decoded() {
        return new Selection(array.getLength(), false) {
            @Override
            Cursor cursor() {
                return new Cursor() {
                    private long element;
                    private long run = -1;

                    @Override
                    boolean next() {
                        int found = 0;
                        while (found < CHUNK && element < array.getLength()) {
                            run = find(element, run);
                            long rest = Math.min(end(run) - element, CHUNK - found);
                            for (int i = 0; i < rest; i++) {
                                positions[found++] = run;
                            }
                            element += rest;
                        }
                        return list(found);
                    }
                };
            }
        };
    }
}

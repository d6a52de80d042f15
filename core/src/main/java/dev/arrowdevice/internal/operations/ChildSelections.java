package dev.arrowdevice.internal.operations;

import dev.arrowdevice.internal.reading.Offsets;
import dev.arrowdevice.spi.HostMemory;
import java.util.function.Supplier;

/** The elements of a child that belong to selected elements of its parent. */
final class ChildSelections {
    private ChildSelections() {}

    /**
     * The elements of selected lists.
     *
     * @param offsets the offsets, from that of the first list on
     * @param length the number of elements of all selected lists
     */
    static Selection ofLists(Selection lists, Offsets offsets, long length) {
        return selection(length, false, () -> {
            Selection.Walk walk = lists.walk();
            return new RangeCursor() {
                @Override
                boolean nextRange() {
                    if (!walk.next()) {
                        return false;
                    }
                    long list = walk.position;
                    rangeStart = list < 0 ? 0 : offsets.get(list);
                    rangeSize = list < 0 ? 0 : offsets.get(list + 1) - rangeStart;
                    return true;
                }
            };
        });
    }

    /** The elements of selected lists of one size. Those of a missing list are missing. */
    static Selection ofFixedSizeLists(Selection lists, int size) {
        return selection(Math.multiplyExact(lists.length(), (long) size), lists.hasMissing(), () -> {
            Selection.Walk walk = lists.walk();
            return new RangeCursor() {
                @Override
                boolean nextRange() {
                    boolean any = walk.next();
                    rangeStart = walk.position < 0 ? Cursor.MISSING : walk.position * size;
                    rangeSize = size;
                    return any;
                }
            };
        });
    }

    /**
     * The values of selected elements of a dense union that are in one child.
     *
     * @param typeId the type id of the child
     * @param takesMissing whether missing elements are in this child
     * @param length the number of elements
     */
    static Selection ofDenseUnion(
            Selection union, HostMemory typeIds, Offsets offsets, int typeId, boolean takesMissing, long length) {
        return selection(length, takesMissing, () -> {
            Selection.Walk walk = union.walk();
            return new RangeCursor() {
                @Override
                boolean nextRange() {
                    while (walk.next()) {
                        long element = walk.position;
                        if (element < 0 ? takesMissing : typeIds.getByte(element) == typeId) {
                            rangeStart = element < 0 ? Cursor.MISSING : offsets.get(element);
                            rangeSize = 1;
                            return true;
                        }
                    }
                    return false;
                }
            };
        });
    }

    /** The positions in the first {@code size} elements of an array. */
    static Selection ofPositions(long[] selected, int size, boolean hasMissing) {
        return selection(size, hasMissing, () -> {
            return new RangeCursor() {
                private int at;

                @Override
                boolean nextRange() {
                    if (at == size) {
                        return false;
                    }
                    rangeStart = selected[at++];
                    rangeSize = 1;
                    return true;
                }
            };
        });
    }

    /** Elements of which all are missing. */
    static Selection missing(long size) {
        return selection(size, size > 0, () -> {
            return new RangeCursor() {
                private boolean done;

                @Override
                boolean nextRange() {
                    boolean any = !done;
                    done = true;
                    rangeStart = Cursor.MISSING;
                    rangeSize = size;
                    return any;
                }
            };
        });
    }

    private static Selection selection(long length, boolean hasMissing, Supplier<Cursor> cursors) {
        return new Selection(length, hasMissing) {
            @Override
            Cursor cursor() {
                return cursors.get();
            }
        };
    }
}

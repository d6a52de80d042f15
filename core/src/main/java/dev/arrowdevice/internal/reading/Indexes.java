package dev.arrowdevice.internal.reading;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks indexes by {@code Objects.checkIndex(long, long)}, the only check that the JIT compiler moves out of loops.
 * With it a loop over the values of an array is as fast as a loop over a {@code long[]}; without it the loop takes four
 * times as long. Looked up, because Android 13 has it only for ints.
 */
public final class Indexes {
    private static final @Nullable MethodHandle CHECK = find();

    private Indexes() {}

    /**
     * Returns the index if it is within an array of this length.
     *
     * @param reader the reader of the array, which makes the exception if it is not
     */
    static long check(long index, long length, ValueReader reader) {
        try {
            if (CHECK != null) {
                return (long) CHECK.invokeExact(index, length);
            }
        } catch (IndexOutOfBoundsException e) {
            throw reader.outOfBounds(index);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        if (index < 0 || index >= length) {
            throw reader.outOfBounds(index);
        }
        return index;
    }

    private static @Nullable MethodHandle find() {
        try {
            MethodType type = MethodType.methodType(long.class, long.class, long.class);
            return MethodHandles.publicLookup().findStatic(Objects.class, "checkIndex", type);
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return null;
        }
    }
}

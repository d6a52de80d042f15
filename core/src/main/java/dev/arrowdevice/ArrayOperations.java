package dev.arrowdevice;

import dev.arrowdevice.internal.operations.Cast;
import dev.arrowdevice.internal.operations.Encoding;
import dev.arrowdevice.internal.operations.Operations;
import dev.arrowdevice.internal.owners.Ownership;
import dev.arrowdevice.spi.ArrayData;
import java.util.function.LongPredicate;

/**
 * The operations that make an array of another one. Each returns an owner, which the caller closes, and leaves this array
 * as it is. {@link #head} and {@link #tail} share all memory, on any device. The others read values, so they wait for
 * them and throw {@link UnreadableDeviceException} if the host can't; what they make is on the CPU.
 */
abstract class ArrayOperations extends ArrayGetters {
    ArrayOperations(Ownership ownership, ArrayData data) {
        super(ownership, data);
    }

    /** This. */
    abstract ArrayView view();

    /**
     * The first elements, or all if there are fewer, in the same memory. The caller closes the result.
     *
     * @throws IllegalArgumentException if the count is negative
     */
    public final DeviceArray head(long count) {
        requireCount("head", count);
        return view().slice(0, Math.min(count, getLength()));
    }

    /**
     * The last elements, or all if there are fewer, in the same memory. The caller closes the result.
     *
     * @throws IllegalArgumentException if the count is negative
     */
    public final DeviceArray tail(long count) {
        requireCount("tail", count);
        long kept = Math.min(count, getLength());
        return view().slice(getLength() - kept, kept);
    }

    static void requireCount(String operation, long count) {
        if (count < 0) {
            throw new IllegalArgumentException(operation + ": a count of " + count);
        }
    }

    /**
     * The elements for which a mask is true, in order; a null in the mask counts as false. The caller closes the result
     * and remains the owner of both arrays. The values are copied. Shared are dictionaries, the elements of list views
     * and the bytes of string and binary views, and all memory if the mask is true for every element.
     *
     * @param mask an array of type bool, as long as this one
     * @throws IllegalArgumentException if the mask is of another type or length
     * @throws UnreadableDeviceException if the host can't read one of the two
     */
    public final DeviceArray filter(ArrayView mask) {
        return Operations.filter(view(), mask);
    }

    /**
     * The elements for whose index, from 0, a predicate is true, in order. It is asked once for each index. If it throws,
     * nothing was made. The rest is as in {@link #filter(ArrayView)}.
     */
    public final DeviceArray filter(LongPredicate predicate) {
        return Operations.filter(view(), predicate);
    }

    /**
     * The elements at indices, from 0, in the order of the indices, each as often as its index occurs. A null index
     * makes a null. The caller closes the result and remains the owner of both arrays. What is copied and what is shared
     * is as in {@link #filter(ArrayView)}.
     *
     * @param indices an array of any integer type
     * @throws IndexOutOfBoundsException if an index is not within this array; the message has it and its position
     * @throws IllegalArgumentException if the indices are no integers; if there is a null index and no value of this
     *     type can be null; or if the result is larger than offsets or run ends of the type can count
     * @throws UnreadableDeviceException if the host can't read one of the two
     */
    public final DeviceArray take(ArrayView indices) {
        return Operations.take(view(), indices, false);
    }

    /** The elements at indices; see {@link #take(ArrayView)}. */
    public final DeviceArray take(long... indices) {
        return Operations.take(view(), indices, false);
    }

    /**
     * This array with each different value once, in a dictionary, and int32 indices; see
     * {@link #dictionaryEncode(ArrowType)}.
     */
    public final DeviceArray dictionaryEncode() {
        return dictionaryEncode(ArrowType.INT32);
    }

    /**
     * This array with each different value once, in a dictionary in the order of their first occurrence. Nulls become
     * null indices. Values are the same as {@link ArrayView#valuesEqual} means it. An array that is dictionary-encoded
     * already keeps its dictionary, which is shared; one that is run-end encoded is decoded first. The caller closes the
     * result, and remains the owner of this array. The result is a copy, but for that dictionary, the elements of
     * list views and the bytes of string and binary views. Values of nested types are compared as objects; the others
     * are not boxed.
     *
     * @param indexType the integer type of the indices
     * @throws IllegalArgumentException if it is no integer type, or there are more different values than it can count
     * @throws UnreadableDeviceException if the host can't read this array
     */
    public final DeviceArray dictionaryEncode(ArrowType indexType) {
        return Encoding.encode(view(), indexType);
    }

    /**
     * The values of a dictionary-encoded or run-end encoded array, one after the other, without the encoding. Any other
     * array is shared. Encodings within fields and elements stay. The caller closes the result, and remains the owner of
     * this array.
     *
     * @throws IllegalArgumentException if the result is larger than offsets of the value type can count; if there is a
     *     null and the value type can't have one
     * @throws UnreadableDeviceException if the host can't read this array
     */
    public final DeviceArray decode() {
        return Encoding.decode(view());
    }

    /**
     * This array as a wider type, in which every value is the same: integers as wider ones, as floating point numbers or
     * decimals that hold each of them, texts with wider offsets or as views, and so on, also within nested types;
     * docs/operations.md has the list. The caller closes the result, and remains the owner of this array. Whatever has
     * the same bytes in both types is shared; the rest is a copy.
     *
     * @throws IllegalArgumentException if the cast could change a value, whether or not it would; the message names both
     *     types
     * @throws UnreadableDeviceException if the host can't read this array
     */
    public final DeviceArray cast(ArrowType type) {
        return Cast.cast(view(), type);
    }
}

package dev.arrowdevice.type;

import java.util.List;

/**
 * The buffers of an array of some type, in their order in the C data interface.
 *
 * <p>"Unlike other data types, unions do not have their own validity bitmap"; for null arrays "no memory buffers are
 * allocated", and "a run-end encoded array has no buffers by itself".
 *
 * @param buffers the buffers that every array of the type has
 * @param bitWidth bits per element of the {@link BufferKind#DATA} buffer; 0 without one
 * @param variadic true for view types: after {@code buffers} come any number of data buffers, then one buffer with
 *     the byte length of each: "an extra buffer is appended which stores the lengths of each variadic data buffer as
 *     int64_t"
 */
public record Layout(List<BufferKind> buffers, int bitWidth, boolean variadic) {
    static final Layout EMPTY = new Layout(List.of(), 0, false);
    static final Layout VALIDITY_ONLY = of(BufferKind.VALIDITY);
    static final Layout VARIABLE32 = of(BufferKind.VALIDITY, BufferKind.OFFSETS32, BufferKind.VARIABLE);
    static final Layout VARIABLE64 = of(BufferKind.VALIDITY, BufferKind.OFFSETS64, BufferKind.VARIABLE);
    static final Layout LIST32 = of(BufferKind.VALIDITY, BufferKind.OFFSETS32);
    static final Layout LIST64 = of(BufferKind.VALIDITY, BufferKind.OFFSETS64);
    static final Layout LIST_VIEW32 = of(BufferKind.VALIDITY, BufferKind.OFFSETS32, BufferKind.SIZES32);
    static final Layout LIST_VIEW64 = of(BufferKind.VALIDITY, BufferKind.OFFSETS64, BufferKind.SIZES64);
    static final Layout SPARSE_UNION = of(BufferKind.TYPE_IDS);
    static final Layout DENSE_UNION = of(BufferKind.TYPE_IDS, BufferKind.UNION_OFFSETS);
    static final Layout VIEW = new Layout(List.of(BufferKind.VALIDITY, BufferKind.VIEWS), 0, true);
    static final Layout BITS1 = fixedWidth(1);
    static final Layout BITS8 = fixedWidth(8);
    static final Layout BITS16 = fixedWidth(16);
    static final Layout BITS32 = fixedWidth(32);
    static final Layout BITS64 = fixedWidth(64);
    static final Layout BITS128 = fixedWidth(128);
    static final Layout BITS256 = fixedWidth(256);

    public Layout {
        buffers = List.copyOf(buffers);
    }

    private static Layout of(BufferKind... buffers) {
        return new Layout(List.of(buffers), 0, false);
    }

    static Layout fixedWidth(int bits) {
        return new Layout(List.of(BufferKind.VALIDITY, BufferKind.DATA), bits, false);
    }

    /** True when the first buffer is a validity bitmap. */
    public boolean hasValidity() {
        return !buffers.isEmpty() && buffers.get(0) == BufferKind.VALIDITY;
    }

    /** How many buffers every array of the type has; view arrays have their variadic buffers and one more on top. */
    public int bufferCount() {
        return buffers.size();
    }
}

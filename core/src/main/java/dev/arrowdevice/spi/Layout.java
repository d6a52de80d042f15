package dev.arrowdevice.spi;

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
    public Layout {
        buffers = List.copyOf(buffers);
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

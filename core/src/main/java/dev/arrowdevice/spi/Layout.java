package dev.arrowdevice.spi;

import java.util.List;

/**
 * The buffers of an array of some type, in their order in the C data interface.
 *
 * <p>"Unlike other data types, unions do not have their own validity bitmap"; for null arrays "no memory buffers are
 * allocated", and "a run-end encoded array has no buffers by itself".
 *
 * @param buffers the buffers that every array of the type has
 * @param bitWidth bits per element of the {@link BufferKind#DATA} buffer; 0 if there is none
 * @param variadic whether any number of data buffers follow {@code buffers}, as in view types. In the C interface one
 *     buffer follows those: "an extra buffer is appended which stores the lengths of each variadic data buffer as
 *     int64_t"
 */
public record Layout(List<BufferKind> buffers, int bitWidth, boolean variadic) {
    public Layout {
        buffers = List.copyOf(buffers);
    }

    /** Whether the first buffer is a validity bitmap. */
    public boolean hasValidity() {
        return !buffers.isEmpty() && buffers.get(0) == BufferKind.VALIDITY;
    }

    /**
     * The number of buffers that every array of the type has. View arrays have their variadic buffers, and one more, in
     * addition.
     */
    public int bufferCount() {
        return buffers.size();
    }
}

package dev.arrowdevice.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of an array of some type, in their order in the C data interface.
 *
 * <p>"Unlike other data types, unions do not have their own validity bitmap"; for null arrays "no memory buffers are
 * allocated", and "a run-end encoded array has no buffers by itself".
 */
public final class Layout {
    private final List<BufferKind> buffers;
    private final int bitWidth;
    private final boolean variadic;

    // Not asked of the list: each exported and imported column needs these.
    private final int bufferCount;
    private final boolean hasValidity;

    /**
     * Describes a layout.
     *
     * @param buffers the buffers that every array of the type has
     * @param bitWidth bits per element of the {@link BufferKind#DATA} buffer; 0 if there is none
     * @param variadic whether any number of data buffers follow {@code buffers}, as in view types. In the C interface
     *     one buffer follows those: "an extra buffer is appended which stores the lengths of each variadic data buffer
     *     as int64_t"
     */
    public Layout(List<BufferKind> buffers, int bitWidth, boolean variadic) {
        this.buffers = List.copyOf(buffers);
        this.bitWidth = bitWidth;
        this.variadic = variadic;
        this.bufferCount = buffers.size();
        this.hasValidity = bufferCount > 0 && buffers.get(0) == BufferKind.VALIDITY;
    }

    /** The buffers that every array of the type has. */
    public List<BufferKind> buffers() {
        return buffers;
    }

    /** Bits per element of the {@link BufferKind#DATA} buffer; 0 if there is none. */
    public int bitWidth() {
        return bitWidth;
    }

    /** Whether any number of data buffers follow {@link #buffers}, as in view types. */
    public boolean variadic() {
        return variadic;
    }

    /** Whether the first buffer is a validity bitmap. */
    public boolean hasValidity() {
        return hasValidity;
    }

    /**
     * The number of buffers that every array of the type has. View arrays have their variadic buffers, and one more, in
     * addition.
     */
    public int bufferCount() {
        return bufferCount;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Layout that
                && buffers.equals(that.buffers)
                && bitWidth == that.bitWidth
                && variadic == that.variadic;
    }

    @Override
    public int hashCode() {
        return buffers.hashCode() * 31 + bitWidth;
    }

    @Override
    public String toString() {
        return buffers + (bitWidth == 0 ? "" : " of " + bitWidth + " bits") + (variadic ? ", and more" : "");
    }
}

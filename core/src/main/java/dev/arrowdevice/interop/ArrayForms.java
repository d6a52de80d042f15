package dev.arrowdevice.interop;

import dev.arrowdevice.ArrayView;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.OwnedArrays;
import dev.arrowdevice.spi.ReferenceCounted;
import org.jspecify.annotations.Nullable;

/**
 * Copies in the form that other libraries have: one byte for a boolean or for the validity of an element, where Arrow has a
 * bit. Each copy is an array on the same device, made on the host, which the caller closes; the original is only read.
 *
 * <p>All methods wait until the data is there. They throw {@link IllegalStateException} if the array was closed or moved or
 * no runtime is registered for its device, and may be called from any thread.
 */
public final class ArrayForms {
    private ArrayForms() {}

    /**
     * Booleans in bytes, {@code arrow.bool8}, nulls as they were.
     *
     * @throws IllegalArgumentException if the array is not of type bool
     */
    public static DeviceArray bool8(ArrayView array) {
        if (!array.getType().equals(ArrowType.BOOL)) {
            throw new IllegalArgumentException("bool8: the array is of type " + array.getType() + ", not bool");
        }
        try (DeviceArray held = array.share()) {
            ArrayData data = ready(held);
            DeviceBuffer values = spread(data.getDevice(), data.buffer(1), data.getOffset(), data.getLength(), false);
            DeviceBuffer validity;
            try {
                DeviceBuffer bits = data.getValidity();
                validity = bits == null || data.getLength() == 0 || data.getKnownNullCount() == 0
                        ? null
                        : cut(data.getDevice(), bits, data.getOffset(), data.getLength());
            } catch (Throwable e) {
                values.getOwner().release();
                throw e;
            }
            ArrayData copy = new ArrayData(
                    ArrowType.bool8(),
                    data.getDevice(),
                    data.getLength(),
                    0,
                    validity == null ? 0 : data.getKnownNullCount(),
                    new @Nullable DeviceBuffer[] {validity, values},
                    new ArrayData[0],
                    null);
            return OwnedArrays.of(
                    copy,
                    validity == null
                            ? values.getOwner()
                            : ReferenceCounted.all(values.getOwner(), validity.getOwner()));
        }
    }

    /**
     * Which elements are valid, as {@code arrow.bool8} without nulls: a mask for {@link ExportOptions#mask}. Of tensors and
     * lists of fixed size, one byte for each of the innermost elements, in the order in which they lie.
     */
    public static DeviceArray validity(ArrayView array) {
        try (DeviceArray held = array.share()) {
            ready(held);
            ArrayData data = StridedExport.of("ArrayForms.validity", held, true).elements();
            boolean none = data.getKnownNullCount() == 0 || data.getValidity() == null;
            DeviceBuffer bytes = spread(
                    data.getDevice(), none ? null : data.getValidity(), data.getOffset(), data.getLength(), true);
            ArrayData mask = new ArrayData(
                    ArrowType.bool8(),
                    data.getDevice(),
                    data.getLength(),
                    0,
                    0,
                    new @Nullable DeviceBuffer[] {null, bytes},
                    new ArrayData[0],
                    null);
            return OwnedArrays.of(mask, bytes.getOwner());
        }
    }

    private static ArrayData ready(DeviceArray array) {
        DeviceEvent event = array.getReadyEvent();
        if (event != null) {
            event.await();
        }
        return array.getData();
    }

    /** A byte for each bit; all the same where there are no bits. */
    private static DeviceBuffer spread(
            Device device, @Nullable DeviceBuffer bits, long offset, long length, boolean otherwise) {
        if (bits == null || length == 0) {
            return HostBytes.write(device, length, bytes -> bytes.fill(0, length, (byte) (otherwise ? 1 : 0)));
        }
        return HostBytes.read(
                bits.truncate(Bits.byteSize(offset + length)),
                from -> HostBytes.write(device, length, bytes -> {
                    for (long i = 0; i < length; i++) {
                        bytes.putByte(i, (byte) (Bits.isSet(from, offset + i) ? 1 : 0));
                    }
                }));
    }

    private static DeviceBuffer cut(Device device, DeviceBuffer bits, long offset, long length) {
        return HostBytes.read(
                bits.truncate(Bits.byteSize(offset + length)),
                from -> HostBytes.write(device, Bits.byteSize(length), to -> Bits.copy(from, offset, to, length)));
    }
}

package dev.arrowdevice.internal.copying;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.OwnedArrays;
import dev.arrowdevice.spi.ReferenceCounted;
import org.jspecify.annotations.Nullable;

/**
 * Makes copies with one byte for each boolean, or for the validity of each element, where Arrow has one bit. The host
 * makes them on the device of the original, which is only read.
 */
public final class ByteForms {
    private ByteForms() {}

    /** Copies an array of booleans, whose values are there, to {@code arrow.bool8}. Nulls stay null. */
    public static DeviceArray bool8(ArrayData data) {
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
                validity == null ? values.getOwner() : ReferenceCounted.all(values.getOwner(), validity.getOwner()));
    }

    /**
     * Writes the validity of each element of an array, whose values are there, as {@code arrow.bool8} without nulls.
     */
    public static DeviceArray validity(ArrayData data) {
        boolean none = data.getKnownNullCount() == 0 || data.getValidity() == null;
        DeviceBuffer bytes =
                spread(data.getDevice(), none ? null : data.getValidity(), data.getOffset(), data.getLength(), true);
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

    /** Writes a byte for each bit. Without a bitmap all bytes are the same. */
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

package dev.arrowdevice.interop;

import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.spi.HostMemory;
import java.util.List;

/** Walks over the elements of a strided array on the host, in the order of their indexes. */
final class Elements {
    private Elements() {}

    private interface Visitor {
        void visit(long index, long offset);
    }

    /**
     * Copies all elements, one after the other.
     *
     * @param span the bytes from the lowest element on
     */
    static void gather(Strided elements, HostMemory span, HostMemory target) {
        int size = elements.itemSize();
        switch (size) {
            case 1:
                walk(elements, (index, offset) -> target.putByte(index, span.getByte(offset)));
                break;
            case 2:
                walk(elements, (index, offset) -> target.putShort(index * 2, span.getShort(offset)));
                break;
            case 4:
                walk(elements, (index, offset) -> target.putInt(index * 4, span.getInt(offset)));
                break;
            case 8:
                walk(elements, (index, offset) -> target.putLong(index * 8, span.getLong(offset)));
                break;
            default:
                walk(elements, (index, offset) -> span.copyTo(offset, target, index * size, size));
                break;
        }
    }

    /** Sets a bit for each element that is true, that is, not 0. The bits are 0 before. */
    static void trueBits(Strided elements, TypeString type, HostMemory span, HostMemory bits) {
        int size = elements.itemSize();
        // The one bit of a floating point number that does not matter: -0.0 is 0.
        int signByte = type.kind() != 'f' ? -1 : type.order() == '>' ? 0 : size - 1;
        walk(elements, (index, offset) -> {
            int seen = 0;
            for (int i = 0; i < size; i++) {
                seen |= span.getByte(offset + i) & (i == signByte ? 0x7F : 0xFF);
            }
            if (seen != 0) {
                Bits.set(bits, index);
            }
        });
    }

    private static void walk(Strided elements, Visitor visitor) {
        List<Long> shape = elements.shape();
        List<Long> strides = elements.strides();
        int last = shape.size() - 1;
        long[] indexes = new long[shape.size()];
        long offset = -elements.lowest();
        for (long index = 0; index < elements.count(); index++) {
            visitor.visit(index, offset);
            int dimension = last;
            while (dimension >= 0) {
                offset += strides.get(dimension);
                if (++indexes[dimension] < shape.get(dimension)) {
                    break;
                }
                offset -= strides.get(dimension) * shape.get(dimension);
                indexes[dimension] = 0;
                dimension--;
            }
        }
    }
}

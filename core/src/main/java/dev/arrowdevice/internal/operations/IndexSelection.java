package dev.arrowdevice.internal.operations;

import dev.arrowdevice.TypeId;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import org.jspecify.annotations.Nullable;

/** The elements that an array of indices names. A null index selects no value. Each walk checks the indices. */
final class IndexSelection extends Selection {
    private final HostMemory memory;
    private final @Nullable BitSource validity;
    private final TypeId type;
    private final int shift;
    private final long bound;
    private final String operation;

    /**
     * @param indices the buffers of an array of integers, or of a dictionary-encoded one
     * @param type the type of the integers
     * @param bound the length of the array that they refer to
     * @param operation the call of the user, for messages
     */
    IndexSelection(ArrayData indices, TypeId type, long bound, String operation) {
        super(indices.getLength(), indices.getNullCount() > 0);
        this.type = type;
        this.bound = bound;
        this.operation = operation;
        this.shift = FixedWidth.shiftOf(indices.getType().layout().bitWidth() / 8);
        this.memory = FixedWidth.from(indices, 1, 1 << shift);
        this.validity = Gather.validityOf(indices);
    }

    static IndexOutOfBoundsException outside(String operation, String index, long position, long bound) {
        return new IndexOutOfBoundsException(operation + ": index " + index + " at position " + position
                + " of the indices is outside of an array of length " + bound);
    }

    @Override
    boolean isScattered() {
        return true;
    }

    @Override
    Cursor cursor() {
        return new Indices();
    }

    private final class Indices extends Cursor {
        private long at;

        @Override
        boolean next() {
            int size = (int) Math.min(CHUNK, length() - at);
            if (size <= 0) {
                return false;
            }
            read(size);
            if (validity != null) {
                dropNulls(validity, size);
            }
            long wrong = 0;
            for (int i = 0; i < size; i++) {
                // Negative if the index is, unless it stands for a null, or if it is not below the bound.
                wrong |= validity == null ? positions[i] | (bound - 1 - positions[i]) : bound - 1 - positions[i];
            }
            if (wrong < 0) {
                refuse(size);
            }
            at += size;
            return list(size);
        }

        private void read(int size) {
            HostMemory from = memory;
            long first = at;
            switch (type) {
                case INT8:
                    for (int i = 0; i < size; i++) {
                        positions[i] = from.getByte(first + i);
                    }
                    break;
                case UINT8:
                    for (int i = 0; i < size; i++) {
                        positions[i] = from.getByte(first + i) & 0xFF;
                    }
                    break;
                case INT16:
                    for (int i = 0; i < size; i++) {
                        positions[i] = from.getShort((first + i) << 1);
                    }
                    break;
                case UINT16:
                    for (int i = 0; i < size; i++) {
                        positions[i] = from.getShort((first + i) << 1) & 0xFFFF;
                    }
                    break;
                case INT32:
                    for (int i = 0; i < size; i++) {
                        positions[i] = from.getInt((first + i) << 2);
                    }
                    break;
                case UINT32:
                    for (int i = 0; i < size; i++) {
                        positions[i] = from.getInt((first + i) << 2) & 0xFFFF_FFFFL;
                    }
                    break;
                default:
                    from.get(first << 3, positions, 0, size);
            }
        }

        private void dropNulls(BitSource valid, int size) {
            for (int i = 0; i < size; i++) {
                if (valid.bit(at + i) == 0) {
                    positions[i] = MISSING;
                } else if (positions[i] < 0) {
                    refuse(i + 1);
                }
            }
        }

        private void refuse(int size) {
            for (int i = 0; i < size; i++) {
                boolean isNull = validity != null && validity.bit(at + i) == 0;
                if (!isNull && (positions[i] < 0 || positions[i] >= bound)) {
                    String index = type == TypeId.UINT64 ? Long.toUnsignedString(positions[i]) : "" + positions[i];
                    throw outside(operation, index, at + i, bound);
                }
            }
        }
    }
}

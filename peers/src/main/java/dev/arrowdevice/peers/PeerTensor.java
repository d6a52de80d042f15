package dev.arrowdevice.peers;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tensor that the C peer is to make. Element {@code k} of its memory has the value {@code k}.
 *
 * @param versioned whether in {@code DLManagedTensorVersioned} or in the legacy struct
 * @param deviceType DLPack's code; whatever it is, the memory is of the host
 * @param code {@code DLDataTypeCode}
 * @param elements how many elements the memory has
 * @param strides in elements; null for the strides of C's order
 * @param nullStrides whether the struct's {@code strides} are NULL
 */
public record PeerTensor(
        boolean versioned,
        int deviceType,
        int deviceId,
        int code,
        int bits,
        int lanes,
        long flags,
        long byteOffset,
        long elements,
        List<Long> shape,
        @Nullable List<Long> strides,
        boolean nullStrides) {
    private static final int HEADER = 11;
    private static final int MAX_RANK = 8;

    /** A contiguous tensor on the CPU. */
    public static PeerTensor of(boolean versioned, int code, int bits, Long... shape) {
        long elements = 1;
        for (long size : shape) {
            elements *= size;
        }
        return new PeerTensor(versioned, 1, 0, code, bits, 1, 0, 0, elements, List.of(shape), null, false);
    }

    /** The same tensor with other strides, another number of elements and another byte offset. */
    public PeerTensor strided(long newElements, long newByteOffset, Long... newStrides) {
        return new PeerTensor(
                versioned,
                deviceType,
                deviceId,
                code,
                bits,
                lanes,
                flags,
                newByteOffset,
                newElements,
                shape,
                List.of(newStrides),
                false);
    }

    /** The same with {@code strides} of NULL. */
    public PeerTensor withNullStrides() {
        return new PeerTensor(
                versioned, deviceType, deviceId, code, bits, lanes, flags, byteOffset, elements, shape, strides, true);
    }

    /** The same on another device. */
    public PeerTensor on(int type, int id) {
        return new PeerTensor(
                versioned, type, id, code, bits, lanes, flags, byteOffset, elements, shape, strides, nullStrides);
    }

    /** The same with other flags. */
    public PeerTensor withFlags(long newFlags) {
        return new PeerTensor(
                versioned,
                deviceType,
                deviceId,
                code,
                bits,
                lanes,
                newFlags,
                byteOffset,
                elements,
                shape,
                strides,
                nullStrides);
    }

    /** The same with vectors for elements. */
    public PeerTensor withLanes(int newLanes) {
        return new PeerTensor(
                versioned,
                deviceType,
                deviceId,
                code,
                bits,
                newLanes,
                flags,
                byteOffset,
                elements,
                shape,
                strides,
                nullStrides);
    }

    /** The members of the C struct. */
    long[] members() {
        long[] members = new long[HEADER + 2 * MAX_RANK];
        long[] header = {
            versioned ? 1 : 0,
            deviceType,
            deviceId,
            code,
            bits,
            lanes,
            flags,
            byteOffset,
            elements,
            nullStrides ? 1 : 0,
            shape.size()
        };
        System.arraycopy(header, 0, members, 0, HEADER);
        long stride = 1;
        for (int i = shape.size() - 1; i >= 0; i--) {
            members[HEADER + i] = shape.get(i);
            members[HEADER + MAX_RANK + i] = strides == null ? stride : strides.get(i);
            stride *= shape.get(i);
        }
        return members;
    }
}

package dev.arrowdevice.rocm;

import dev.arrowdevice.abi.CHeap;
import dev.arrowdevice.abi.RawMemory;
import dev.arrowdevice.driver.MemoryKind;
import dev.arrowdevice.memory.Device;
import dev.arrowdevice.memory.DeviceType;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What HIP knows about addresses: {@code hipPointerAttribute_t}, whose layout is the same in all versions and whose
 * {@code hipMemoryType} was numbered anew by ROCm 6.
 *
 * <pre>
 *            unregistered   host   device   managed
 *   ROCm 5   (an error)     0      1        (by isManaged)
 *   ROCm 6   0              1      2        3
 * </pre>
 */
final class HipPointers {
    private static final long SIZE = 32;
    private static final long TYPE = 0;
    private static final long DEVICE = 4;
    private static final long IS_MANAGED = 24;

    private static final int SUCCESS = 0;
    private static final int INVALID_VALUE = 1;
    private static final int FIRST_RENUMBERED = 6;

    private final HipCalls calls;
    private final int hostType;

    HipPointers(HipLibrary library) {
        this.calls = library.calls;
        this.hostType = library.major() >= FIRST_RENUMBERED ? 1 : 0;
    }

    /** The kind of memory that an address belongs to; null if it is none of HIP's. */
    @Nullable
    MemoryKind kindOf(long address, IntFunction<? extends RuntimeException> failure) {
        Found found = find(address, failure);
        return found == null ? null : found.kind;
    }

    /** The device that an address belongs to; null if it is none of HIP's. Managed memory is that of its GPU. */
    @Nullable
    Device deviceOf(long address, IntFunction<? extends RuntimeException> failure) {
        Found found = find(address, failure);
        if (found == null) {
            return null;
        }
        // Arrow has no device type for HIP's managed memory, which its GPU uses as it uses its own.
        return new Device(found.kind == MemoryKind.HOST ? DeviceType.ROCM_HOST : DeviceType.ROCM, found.ordinal);
    }

    private @Nullable Found find(long address, IntFunction<? extends RuntimeException> failure) {
        long out = CHeap.allocate(SIZE);
        try {
            RawMemory.zero(out, SIZE);
            int code = calls.call(HipFunction.POINTER_GET_ATTRIBUTES, out, address);
            if (code == SUCCESS) {
                MemoryKind kind = kind(RawMemory.getInt(out + TYPE), RawMemory.getInt(out + IS_MANAGED) != 0);
                return kind == null ? null : new Found(kind, RawMemory.getInt(out + DEVICE));
            }
            RuntimeException error = failure.apply(code);
            if (code == INVALID_VALUE) {
                return null; // what ROCm 5 says of memory that it does not know
            }
            throw error;
        } finally {
            CHeap.free(out);
        }
    }

    private @Nullable MemoryKind kind(int type, boolean managed) {
        int device = hostType + 1;
        int managedType = hostType + 2;
        boolean renumbered = hostType == 1;
        if (managed || (renumbered && type == managedType)) {
            return MemoryKind.MANAGED;
        }
        if (type == hostType) {
            return MemoryKind.HOST;
        }
        return type == device ? MemoryKind.DEVICE : null;
    }

    private static final class Found {
        final MemoryKind kind;
        final int ordinal;

        Found(MemoryKind kind, int ordinal) {
            this.kind = kind;
            this.ordinal = ordinal;
        }
    }
}

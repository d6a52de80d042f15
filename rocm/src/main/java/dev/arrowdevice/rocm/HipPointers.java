package dev.arrowdevice.rocm;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.spi.AddressRange;
import dev.arrowdevice.spi.MemoryKind;
import dev.arrowdevice.spi.NativeAllocation;
import java.util.function.LongFunction;
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

    private final HipLibrary library;
    private final HipApi api;
    private final HipCalls calls;
    private final int hostType;

    HipPointers(HipLibrary library, HipCalls calls) {
        this.library = library;
        this.api = library.api;
        this.calls = calls;
        this.hostType = library.major() >= FIRST_RENUMBERED ? 1 : 0;
    }

    /** The kind of memory that an address belongs to; null if HIP does not know it. */
    @Nullable
    MemoryKind kindOf(long address) {
        Found found = find(address);
        return found == null ? null : found.kind();
    }

    /**
     * The device that an address belongs to; null if HIP does not know it. Managed memory belongs to its GPU.
     *
     * @param presumed the result if HIP lacks the function
     */
    @Nullable
    Device deviceOf(long address, Device presumed) {
        if (!library.has("hipPointerGetAttributes")) {
            return presumed;
        }
        Found found = find(address);
        if (found == null) {
            return null;
        }
        // Arrow has no device type for HIP's managed memory. Its GPU uses it like its own.
        return new Device(found.kind() == MemoryKind.HOST ? DeviceType.ROCM_HOST : DeviceType.ROCM, found.ordinal());
    }

    /** The allocation of an address, with all of its pieces; null if HIP does not know it or lacks the function. */
    @Nullable
    AddressRange allocationOf(long address) {
        return library.has("hipMemGetAddressRange") ? whole(address, this::pieceOf) : null;
    }

    /**
     * The allocation of an address as HIP reports it. For memory mapped with {@code hipMemMap} that is one piece. Null
     * if HIP does not know the address, and for registered memory of the host, for which HIP may report no addresses.
     */
    private @Nullable AddressRange pieceOf(long address) {
        try (NativeAllocation out = NativeAllocation.allocate(2 * Long.BYTES)) {
            int code = api.hipMemGetAddressRange(out.getAddress(), out.getAddress() + Long.BYTES, address);
            if (code != SUCCESS) {
                library.forget(code);
                return null;
            }
            AddressRange found = new AddressRange(out.getLong(0), out.getLong(Long.BYTES));
            return found.contains(address) ? found : null;
        }
    }

    /**
     * All pieces around an address that have no gap between them. HIP has no safe way to ask whether memory was mapped
     * in pieces, as PyTorch may do, so that an array spans several. HIP's other allocations have gaps between them.
     */
    static @Nullable AddressRange whole(long address, LongFunction<@Nullable AddressRange> pieceOf) {
        AddressRange piece = pieceOf.apply(address);
        if (piece == null) {
            return null;
        }
        long start = piece.address();
        long end = piece.end();
        for (AddressRange below = pieceOf.apply(start - 1); below != null; below = pieceOf.apply(start - 1)) {
            start = below.address();
        }
        for (AddressRange above = pieceOf.apply(end); above != null; above = pieceOf.apply(end)) {
            end = above.end();
        }
        return new AddressRange(start, end - start);
    }

    private @Nullable Found find(long address) {
        try (NativeAllocation out = NativeAllocation.allocate(SIZE)) {
            int code = api.hipPointerGetAttributes(out.getAddress(), address);
            if (code == SUCCESS) {
                MemoryKind kind = kind(out.getInt(TYPE), out.getInt(IS_MANAGED) != 0);
                return kind == null ? null : new Found(kind, out.getInt(DEVICE));
            }
            RuntimeException error = calls.failure("hipPointerGetAttributes", code);
            if (code == INVALID_VALUE) {
                return null; // ROCm 5 reports this for memory that it does not know
            }
            throw error;
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

    private record Found(MemoryKind kind, int ordinal) {}
}

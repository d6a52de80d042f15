package dev.arrowdevice.oneapi;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.spi.MemoryKind;
import org.jspecify.annotations.Nullable;

/** What SYCL knows about an address of unified shared memory, in one context. */
final class SyclPointers {
    /** {@code DPCTLSyclUSMType} */
    private static final int DEVICE = 1;

    private static final int SHARED = 2;
    private static final int HOST = 3;

    private final SyclApi api;
    private final SyclDevices devices;
    private final SyclCalls calls;
    private final long context;

    SyclPointers(SyclApi api, SyclDevices devices, SyclCalls calls, long context) {
        this.api = api;
        this.devices = devices;
        this.calls = calls;
        this.context = context;
    }

    /** The kind of memory that an address belongs to; null if the context does not know it. */
    @Nullable
    MemoryKind kindOf(long address) {
        if (address == 0) {
            return null;
        }
        return switch (api.DPCTLUSM_GetPointerType(address, context)) {
            case DEVICE -> MemoryKind.DEVICE;
            case SHARED -> MemoryKind.MANAGED;
            case HOST -> MemoryKind.HOST;
            default -> null;
        };
    }

    /**
     * The device that an address belongs to; null if the context does not know it.
     *
     * @param own the device of the context, which memory of the host belongs to
     */
    @Nullable
    Device deviceOf(long address, Device own) {
        MemoryKind kind = kindOf(address);
        if (kind == null) {
            return null;
        }
        if (kind == MemoryKind.HOST) {
            return own;
        }
        long owner = calls.given("DPCTLUSM_GetPointerDevice", api.DPCTLUSM_GetPointerDevice(address, context));
        try {
            int ordinal = devices.ordinalOf(owner);
            return ordinal < 0 ? null : new Device(DeviceType.ONEAPI, ordinal);
        } finally {
            api.DPCTLDevice_Delete(owner);
        }
    }
}

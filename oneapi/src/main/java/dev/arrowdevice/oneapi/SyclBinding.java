package dev.arrowdevice.oneapi;

import dev.arrowdevice.interop.SyclObject;
import dev.arrowdevice.spi.NativeAllocation;
import org.jspecify.annotations.Nullable;

/** Finds out whether a pointer belongs to the context that a {@code syclobj} names. */
final class SyclBinding {
    /** {@code DPCTL_USM_UNKNOWN} */
    private static final int UNKNOWN = 0;

    /** An object of C++ that has members is at a multiple of this, and not in the first page. */
    private static final long ALIGNMENT = 8;

    private static final long FIRST_ADDRESS = 4096;

    private final SyclApi api;

    SyclBinding(SyclApi api) {
        this.api = api;
    }

    /** Why a pointer does not belong to the default context of a device, or null if it does. */
    @Nullable
    String whyNotToDevice(long address, String selector) {
        String name = "the filter selector string \"" + selector + "\"";
        long device = device(selector);
        if (device == 0) {
            return "syclobj: " + name + " names no device";
        }
        try {
            long context = api.DPCTLDeviceMgr_GetCachedContext(device);
            return context == 0
                    ? "syclobj: the device of " + name + " has no default context"
                    : among(address, context, name);
        } finally {
            api.DPCTLDevice_Delete(device);
        }
    }

    /** The device that a filter selects, which the caller deletes; 0 if there is none. */
    private long device(String selector) {
        try (NativeAllocation text = NativeAllocation.ofString(selector)) {
            long filter = api.DPCTLFilterSelector_Create(text.getAddress());
            if (filter == 0) {
                return 0;
            }
            try {
                return api.DPCTLDevice_CreateFromSelector(filter);
            } finally {
                api.DPCTLDeviceSelector_Delete(filter);
            }
        }
    }

    /** Why a pointer does not belong to the context of a queue, or null if it does. */
    @Nullable
    String whyNotToQueue(long address, long queue) {
        if (!isObject(queue)) {
            return noObject(queue, SyclObject.QUEUE);
        }
        long context = api.DPCTLQueue_GetContext(queue);
        return context == 0 ? "syclobj: the queue has no context" : among(address, context, SyclObject.QUEUE);
    }

    /** Why a pointer does not belong to a context, or null if it does. */
    @Nullable
    String whyNotToContext(long address, long context) {
        return isObject(context) ? bound(address, context, SyclObject.CONTEXT) : noObject(context, SyclObject.CONTEXT);
    }

    /** False if no object can be at the pointer. There is no way to ask whether one is. */
    private static boolean isObject(long pointer) {
        return pointer >= FIRST_ADDRESS && pointer % ALIGNMENT == 0;
    }

    private static String noObject(long pointer, String capsule) {
        return "syclobj: there is no object of SYCL at the pointer 0x" + Long.toHexString(pointer) + " of " + capsule;
    }

    /** The answer for a context, which this call deletes. */
    private @Nullable String among(long address, long context, String name) {
        try {
            return bound(address, context, name);
        } finally {
            api.DPCTLContext_Delete(context);
        }
    }

    private @Nullable String bound(long address, long context, String name) {
        return api.DPCTLUSM_GetPointerType(address, context) != UNKNOWN
                ? null
                : "the pointer 0x" + Long.toHexString(address) + " is not bound to the context of syclobj, " + name;
    }
}

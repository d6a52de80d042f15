package dev.arrowdevice.oneapi;

import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.interop.SyclObject;
import org.jspecify.annotations.Nullable;

/** Whether pointers are bound to the contexts that are given as {@code syclobj}. */
final class SyclBinding {
    /** {@code DPCTL_USM_UNKNOWN} */
    private static final int UNKNOWN = 0;

    /** An object of C++ that has members lies at a multiple of it, and not in the first page. */
    private static final long ALIGNMENT = 8;

    private static final long FIRST_ADDRESS = 4096;

    private final SyclCalls calls;

    SyclBinding(SyclCalls calls) {
        this.calls = calls;
    }

    /** Why a pointer is not bound to a context, or null if it is. */
    @Nullable
    String whyNot(long address, SyclObject syclobj) {
        return syclobj instanceof SyclObject.Filter filter
                ? whyNot(address, filter)
                : whyNot(address, (SyclObject.Capsule) syclobj);
    }

    private @Nullable String whyNot(long address, SyclObject.Filter filter) {
        String name = "the filter selector string \"" + filter.selector() + "\"";
        long device = device(filter.selector());
        if (device == 0) {
            return "syclobj: " + name + " names no device";
        }
        try {
            long context = calls.pointer(SyclFunction.GET_CACHED_CONTEXT, device);
            return context == 0
                    ? "syclobj: the device of " + name + " has no default context"
                    : among(address, context, name);
        } finally {
            calls.run(SyclFunction.DEVICE_DELETE, device);
        }
    }

    /** The device that a filter selects, to be deleted, or 0. */
    private long device(String selector) {
        long text = RawMemory.newCString(selector);
        try {
            long filter = calls.pointer(SyclFunction.FILTER_SELECTOR_CREATE, text);
            if (filter == 0) {
                return 0;
            }
            try {
                return calls.pointer(SyclFunction.DEVICE_CREATE_FROM_SELECTOR, filter);
            } finally {
                calls.run(SyclFunction.DEVICE_SELECTOR_DELETE, filter);
            }
        } finally {
            CHeap.free(text);
        }
    }

    private @Nullable String whyNot(long address, SyclObject.Capsule capsule) {
        long pointer = capsule.pointer();
        // What no object can have is an error; whether there is one, nobody can ask.
        if (pointer < FIRST_ADDRESS || pointer % ALIGNMENT != 0) {
            return "syclobj: there is no object of SYCL at the pointer 0x" + Long.toHexString(pointer) + " of "
                    + capsule.name();
        }
        if (!capsule.isQueue()) {
            return bound(address, pointer, capsule.name());
        }
        long context = calls.pointer(SyclFunction.QUEUE_GET_CONTEXT, pointer);
        return context == 0 ? "syclobj: the queue has no context" : among(address, context, capsule.name());
    }

    /** The answer for a context that is ours to delete. */
    private @Nullable String among(long address, long context, String name) {
        try {
            return bound(address, context, name);
        } finally {
            calls.run(SyclFunction.CONTEXT_DELETE, context);
        }
    }

    private @Nullable String bound(long address, long context, String name) {
        return calls.number(SyclFunction.GET_POINTER_TYPE, address, context) != UNKNOWN
                ? null
                : "the pointer 0x" + Long.toHexString(address) + " is not bound to the context of syclobj, " + name;
    }
}

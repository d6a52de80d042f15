package dev.arrowdevice.spi;

import org.jspecify.annotations.Nullable;

/**
 * Implemented by a SYCL {@link DeviceRuntime} that knows the contexts of pointers. Imports by the SYCL USM Array
 * Interface ask the runtime that is registered for the device. If that one does not implement this, the {@code syclobj}
 * is ignored.
 *
 * <p>Each method returns why a pointer is not bound to a context, or null if it is. It throws
 * {@link IllegalStateException} if the runtime was closed.
 */
public interface SyclContexts {
    /**
     * Checks the default context of a device.
     *
     * @param address the address of any byte of the memory
     * @param selector a filter selector string, which names the device
     */
    @Nullable
    String whyNotBoundToDevice(long address, String selector);

    /**
     * Checks the context of a queue.
     *
     * @param address the address of any byte of the memory
     * @param queue a {@code sycl::queue*}, which is dereferenced: it must be alive until this returns
     */
    @Nullable
    String whyNotBoundToQueue(long address, long queue);

    /**
     * Checks a context.
     *
     * @param address the address of any byte of the memory
     * @param context a {@code sycl::context*}, which is dereferenced: it must be alive until this returns
     */
    @Nullable
    String whyNotBoundToContext(long address, long context);
}

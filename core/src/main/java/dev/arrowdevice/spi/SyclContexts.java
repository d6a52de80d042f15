package dev.arrowdevice.spi;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link DeviceRuntime} of SYCL implements that knows the contexts of pointers. Imports by the SYCL USM Array Interface
 * ask the one that is registered for the device; where it is none of these, the {@code syclobj} is not looked at.
 *
 * <p>Each method says why a pointer isn't bound to a context, or null if it is. They throw {@link IllegalStateException} if the
 * runtime was closed.
 */
public interface SyclContexts {
    /**
     * For the default context of a device.
     *
     * @param address of any byte of the memory
     * @param selector a filter selector string, which names the device
     */
    @Nullable
    String whyNotBoundToDevice(long address, String selector);

    /**
     * For the context of a queue.
     *
     * @param address of any byte of the memory
     * @param queue a {@code sycl::queue*}, alive until this returns: it is followed
     */
    @Nullable
    String whyNotBoundToQueue(long address, long queue);

    /**
     * For a context.
     *
     * @param address of any byte of the memory
     * @param context a {@code sycl::context*}, alive until this returns: it is followed
     */
    @Nullable
    String whyNotBoundToContext(long address, long context);
}

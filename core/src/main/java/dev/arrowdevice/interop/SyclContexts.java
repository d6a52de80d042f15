package dev.arrowdevice.interop;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link dev.arrowdevice.spi.DeviceRuntime} of SYCL implements that knows the contexts of pointers. Imports ask the one
 * that is registered for the device; where it is none of these the {@code syclobj} is not looked at.
 */
public interface SyclContexts {
    /**
     * Why a pointer isn't bound to the context that a {@code syclobj} indicates, or null if it is.
     *
     * @param address of any byte of the memory
     * @param syclobj a filter string, or what a capsule has, which must be alive until this returns: its pointer is followed
     * @throws IllegalStateException if the runtime was closed
     */
    @Nullable
    String whyNotBound(long address, SyclObject syclobj);
}

/**
 * Devices of oneAPI. Begin with {@link dev.arrowdevice.oneapi.SyclRuntime}. Its memory is SYCL's unified shared memory;
 * it calls the C library of dpctl, {@code libDPCTLSyclInterface.so}.
 *
 * <p>It has been run on the CPU device of Intel's SYCL runtime, not on a GPU.
 */
@NullMarked
package dev.arrowdevice.oneapi;

import org.jspecify.annotations.NullMarked;

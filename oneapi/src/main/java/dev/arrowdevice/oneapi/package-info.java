/**
 * Devices of oneAPI: {@link dev.arrowdevice.oneapi.SyclRuntime} is the runtime of one, in SYCL's unified shared memory, over
 * the C library of dpctl, {@code libDPCTLSyclInterface.so}.
 *
 * <p>It has been run on the CPU device of Intel's SYCL runtime, not on a GPU.
 */
@NullMarked
package dev.arrowdevice.oneapi;

import org.jspecify.annotations.NullMarked;

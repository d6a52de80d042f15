/**
 * NVIDIA GPUs as devices of arrays: {@link dev.arrowdevice.cuda.CudaRuntime} is where to begin. It speaks CUDA's driver API
 * through JCuda, whose types go in and out, so that it mixes with code that uses JCuda itself.
 */
@NullMarked
package dev.arrowdevice.cuda;

import org.jspecify.annotations.NullMarked;

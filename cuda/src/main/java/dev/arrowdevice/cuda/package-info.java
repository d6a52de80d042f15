/**
 * NVIDIA GPUs as devices of arrays. Begin with {@link dev.arrowdevice.cuda.CudaRuntime}. It calls CUDA's driver API
 * through JCuda. Its methods take and return JCuda's types, so you can combine it with your own JCuda code.
 */
@NullMarked
package dev.arrowdevice.cuda;

import org.jspecify.annotations.NullMarked;

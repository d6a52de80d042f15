/**
 * AMD GPUs as devices of arrays. Begin with {@link dev.arrowdevice.rocm.HipRuntime}, which calls the HIP runtime of
 * ROCm 5, 6 or 7.
 *
 * <p>It has been run on simulated HIP runtimes of these three versions and on a real HIP runtime without a GPU, not on
 * an AMD GPU.
 */
@NullMarked
package dev.arrowdevice.rocm;

import org.jspecify.annotations.NullMarked;

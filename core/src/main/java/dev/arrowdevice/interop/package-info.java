/**
 * The array interfaces of other libraries as values: {@link dev.arrowdevice.interop.CudaArrayInterface},
 * {@link dev.arrowdevice.interop.SyclUsmArrayInterface} and
 * {@link dev.arrowdevice.interop.DlpackTensor}, and what they have to do with Arrow arrays.
 *
 * <p>Units differ: strides of the CUDA interface count bytes, those of the SYCL interface and of DLPack elements; the
 * offset of the SYCL interface counts elements, that of DLPack bytes.
 */
@NullMarked
package dev.arrowdevice.interop;

import org.jspecify.annotations.NullMarked;

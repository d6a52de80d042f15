/**
 * Tools for tests of code that exchanges Arrow arrays. {@link dev.arrowdevice.testkit.ReleaseBalance} reports at the
 * end of a test what was not released, {@link dev.arrowdevice.testkit.CCompiler} builds foreign code in C, and
 * {@link dev.arrowdevice.testkit.SimulatedDriver} takes the place of CUDA or HIP where there is no GPU.
 */
@NullMarked
package dev.arrowdevice.testkit;

import org.jspecify.annotations.NullMarked;

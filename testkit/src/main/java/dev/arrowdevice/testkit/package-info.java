/**
 * For tests of code that exchanges Arrow arrays. {@link dev.arrowdevice.testkit.ReleaseBalance} says at the end of a test
 * what was not released, {@link dev.arrowdevice.testkit.CCompiler} builds a foreign side in C, and
 * {@link dev.arrowdevice.testkit.SimulatedDriver} is what CUDA or HIP find where there is no GPU.
 */
@NullMarked
package dev.arrowdevice.testkit;

import org.jspecify.annotations.NullMarked;

/** Reading, building, copying and validating the values of arrays. */
@NullMarked
package dev.arrowdevice.benchmarks.data;

import org.jspecify.annotations.NullMarked;

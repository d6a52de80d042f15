/** Programs for JVMs of their own: what is over, or has changed, once a JVM is warm. */
@NullMarked
package dev.arrowdevice.benchmarks.program;

import org.jspecify.annotations.NullMarked;

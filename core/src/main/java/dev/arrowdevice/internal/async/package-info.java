/** The parts of async streams that producers and consumers share. */
@NullMarked
package dev.arrowdevice.internal.async;

import org.jspecify.annotations.NullMarked;

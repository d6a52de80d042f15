/**
 * What async streams share on both sides.
 */
@NullMarked
package dev.arrowdevice.internal.async;

import org.jspecify.annotations.NullMarked;

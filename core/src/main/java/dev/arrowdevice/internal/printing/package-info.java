/**
 * Arrays as text.
 */
@NullMarked
package dev.arrowdevice.internal.printing;

import org.jspecify.annotations.NullMarked;

/**
 * Checks of imported arrays, at the levels of {@link dev.arrowdevice.Validation}.
 */
@NullMarked
package dev.arrowdevice.internal.validation;

import org.jspecify.annotations.NullMarked;

/**
 * Host memory of two kinds, the scopes of borrows, deferred releases, and the net that finds leaks.
 */
@NullMarked
package dev.arrowdevice.internal.memory;

import org.jspecify.annotations.NullMarked;

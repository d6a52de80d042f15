/** Host memory of two kinds, the scopes of borrows, deferred releases, and the search for leaks. */
@NullMarked
package dev.arrowdevice.internal.memory;

import org.jspecify.annotations.NullMarked;

/** Peers of the tests. */
@NullMarked
package dev.arrowdevice.cuda;

import org.jspecify.annotations.NullMarked;

/** The states of owners: live, moved or released. Also streams of iterators. */
@NullMarked
package dev.arrowdevice.internal.owners;

import org.jspecify.annotations.NullMarked;

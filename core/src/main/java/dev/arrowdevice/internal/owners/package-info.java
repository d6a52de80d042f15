/**
 * The state of owners: live, moved or released; null counts, and streams made of iterators.
 */
@NullMarked
package dev.arrowdevice.internal.owners;

import org.jspecify.annotations.NullMarked;

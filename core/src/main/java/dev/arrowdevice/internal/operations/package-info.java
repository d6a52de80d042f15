/**
 * Structural operations on arrays that the host can read. {@code Operations} checks the input and keeps it alive. A
 * {@code Selection} says which elements a result has; {@code Gather} makes an array of them. {@code Concat} joins
 * arrays, {@code Cast} widens them. {@code Output} owns what they allocate, until the result does.
 */
@NullMarked
package dev.arrowdevice.internal.operations;

import org.jspecify.annotations.NullMarked;

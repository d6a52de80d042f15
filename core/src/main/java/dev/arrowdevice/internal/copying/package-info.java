/**
 * Copies of arrays between devices. {@code ArrayCopier} chooses the way. A planner looks at the array and decides what the copy
 * consists of: {@code HostPlanner} where the host can read it, {@code DevicePlanner} where it can't. {@code Transfer} carries the
 * plan out and decides nothing.
 */
@NullMarked
package dev.arrowdevice.internal.copying;

import org.jspecify.annotations.NullMarked;

/**
 * Copies of arrays between devices. {@code ArrayCopier} chooses the way. A planner reads the array and decides what the
 * copy consists of: {@code HostPlanner} if the host can read the array, otherwise {@code DevicePlanner}.
 * {@code Transfer} executes the plan and decides nothing.
 */
@NullMarked
package dev.arrowdevice.internal.copying;

import org.jspecify.annotations.NullMarked;

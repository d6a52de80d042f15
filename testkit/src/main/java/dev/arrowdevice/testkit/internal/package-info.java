/**
 * Builds, caches and loads foreign libraries, for the testkit and for the peers of the SDK's own tests. Not exported.
 */
@NullMarked
package dev.arrowdevice.testkit.internal;

import org.jspecify.annotations.NullMarked;

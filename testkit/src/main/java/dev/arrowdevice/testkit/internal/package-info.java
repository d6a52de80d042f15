/** How foreign sides are built, kept and loaded, for the testkit and the peers of the SDK's own tests. Not exported. */
@NullMarked
package dev.arrowdevice.testkit.internal;

import org.jspecify.annotations.NullMarked;

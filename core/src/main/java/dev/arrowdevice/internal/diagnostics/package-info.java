/** Where messages for people and events of Flight Recorder go. Knows nothing but Java. */
@NullMarked
package dev.arrowdevice.internal.diagnostics;

import org.jspecify.annotations.NullMarked;

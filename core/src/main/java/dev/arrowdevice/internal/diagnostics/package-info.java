/** Log messages, and events of Flight Recorder. Knows nothing but Java. */
@NullMarked
package dev.arrowdevice.internal.diagnostics;

import org.jspecify.annotations.NullMarked;

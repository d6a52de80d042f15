/**
 * Foreign peers and balance checks for tests of code that exchanges Arrow arrays.
 *
 * <p>{@link dev.arrowdevice.testkit.CPeer} is a producer and consumer in plain C that shares no line with the SDK;
 * {@link dev.arrowdevice.testkit.ReleaseBalance} says at the end of a test what was not released.
 */
@NullMarked
package dev.arrowdevice.testkit;

import org.jspecify.annotations.NullMarked;

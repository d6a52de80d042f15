/**
 * Implementations of Arrow that are independent of ours and of Arrow C++, as foreign peers: small programs in their
 * languages, built as C shared libraries by the test run, with one set of functions.
 */
@NullMarked
package dev.arrowdevice.peers.independent;

import org.jspecify.annotations.NullMarked;

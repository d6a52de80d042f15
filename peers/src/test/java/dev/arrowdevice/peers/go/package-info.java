/**
 * arrow-go as a foreign peer: a small Go program, built as a C shared library by the test run, which speaks the async
 * interface through arrow-go's {@code cdata}.
 */
@NullMarked
package dev.arrowdevice.peers.go;

import org.jspecify.annotations.NullMarked;

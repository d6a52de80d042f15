/**
 * Ownership over the boundary: {@link dev.arrowdevice.exchange.ArrowExport} hands schemas, arrays and streams to foreign
 * runtimes in this process, {@link dev.arrowdevice.exchange.ArrowImport} takes theirs, both by the address of a C struct
 * and without a copy.
 */
@NullMarked
package dev.arrowdevice.exchange;

import org.jspecify.annotations.NullMarked;

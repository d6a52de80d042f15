/** Arrow IPC: streams and files, written and read. */
@NullMarked
package dev.arrowdevice.benchmarks.ipc;

import org.jspecify.annotations.NullMarked;

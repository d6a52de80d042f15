/**
 * Foreign producers and consumers for the tests of the SDK. {@link dev.arrowdevice.peers.CPeer} is one in plain C that
 * has no code of the SDK. {@link dev.arrowdevice.peers.ArrayStruct} and {@link dev.arrowdevice.peers.SchemaStruct} read
 * and corrupt C structs.
 */
@NullMarked
package dev.arrowdevice.peers;

import org.jspecify.annotations.NullMarked;

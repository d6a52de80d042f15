/**
 * Foreign sides for the tests of the SDK. {@link dev.arrowdevice.peers.CPeer} is a producer and consumer in plain C that shares
 * no line with the SDK; {@link dev.arrowdevice.peers.ArrayStruct} and {@link dev.arrowdevice.peers.SchemaStruct} look into
 * structs and spoil them.
 */
@NullMarked
package dev.arrowdevice.peers;

import org.jspecify.annotations.NullMarked;

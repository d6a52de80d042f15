/**
 * The types of the Arrow columnar format: what a column holds, apart from any data.
 *
 * <p>{@link dev.arrowdevice.type.ArrowType} is the entrance; {@link dev.arrowdevice.type.Field} adds a name,
 * {@link dev.arrowdevice.type.Schema} puts fields in a row. {@link dev.arrowdevice.type.Formats} is the one
 * table between types and the format strings of the C data interface, {@link dev.arrowdevice.type.Layout}
 * tells the buffers of each type, {@link dev.arrowdevice.type.MetadataCodec} reads and writes metadata.
 *
 * <p>Everything here is immutable, may be used from any thread, owns no memory and needs no more than Java 17
 * or Android API 33.
 */
@NullMarked
package dev.arrowdevice.type;

import org.jspecify.annotations.NullMarked;

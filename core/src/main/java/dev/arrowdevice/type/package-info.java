/**
 * The types of the Arrow columnar format, fields, schemas and metadata.
 */
@NullMarked
package dev.arrowdevice.type;

import org.jspecify.annotations.NullMarked;

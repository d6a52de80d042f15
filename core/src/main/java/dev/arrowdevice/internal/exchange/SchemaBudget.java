package dev.arrowdevice.internal.exchange;

import dev.arrowdevice.InvalidSchemaException;
import dev.arrowdevice.internal.type.MetadataCodec;

/**
 * What one schema may take as a whole. A foreign schema may refer to the same name, or the same child, any number of
 * times, so a limit for each would not bound the sum. An export counts exactly as an import does: what we export, we
 * import.
 *
 * <p>The import and the export of a schema are each a subclass, which costs no object more.
 */
class SchemaBudget {
    /** The largest number of levels. Arrow C++ has the same. */
    static final int MAX_DEPTH = 64;
    /** The largest number of fields, at all levels together. */
    static final int MAX_FIELDS = 1 << 20;
    /** The largest number of metadata entries of all fields together. */
    static final int MAX_ENTRIES = MetadataCodec.MAX_PAIRS;
    /** The largest size in bytes of all names, formats and metadata together. */
    static final int MAX_BYTES = MetadataCodec.MAX_BYTES;
    /** The size in bytes that a format must be below. */
    static final int FORMAT_LIMIT = 1 << 16;
    /** The size in bytes that a name must be below. */
    static final int NAME_LIMIT = 1 << 20;

    private int fields;
    private int entries;
    private int bytes;

    /** Counts one more field, at a depth from 1 on. */
    final void field(int depth) {
        if (depth > MAX_DEPTH) {
            throw new InvalidSchemaException("the schema is nested deeper than " + MAX_DEPTH + " levels");
        }
        if (++fields > MAX_FIELDS) {
            throw new InvalidSchemaException("the schema has more than " + MAX_FIELDS + " fields");
        }
    }

    /** Counts bytes of names, formats and metadata. */
    final void bytes(int byteSize) {
        if (byteSize > MAX_BYTES - bytes) {
            throw new InvalidSchemaException(
                    "the names, formats and metadata of the schema have more than " + MAX_BYTES + " bytes");
        }
        bytes += byteSize;
    }

    /** Counts the bytes of a text, which must be below a limit. */
    final void text(String member, int byteSize, int limit) {
        if (byteSize >= limit) {
            throw new InvalidSchemaException(
                    "the " + member + " of a field has " + byteSize + " bytes, more than " + (limit - 1));
        }
        bytes(byteSize);
    }

    /** Counts metadata entries. */
    final void entries(int count) {
        if (count > MAX_ENTRIES - entries) {
            throw new InvalidSchemaException("the schema has more than " + MAX_ENTRIES + " entries of metadata");
        }
        entries += count;
    }
}

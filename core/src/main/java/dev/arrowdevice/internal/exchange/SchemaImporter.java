package dev.arrowdevice.internal.exchange;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Field;
import dev.arrowdevice.InvalidSchemaException;
import dev.arrowdevice.internal.abi.CSchema;
import dev.arrowdevice.internal.abi.ForeignCallbacks;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.internal.type.Formats;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads an {@code ArrowSchema} tree, with limits for trees that have no end. */
public final class SchemaImporter extends SchemaBudget {
    /** Texts of one ASCII character. */
    private static final String[] CHARACTERS = new String[128];

    static {
        for (char c = 0; c < CHARACTERS.length; c++) {
            CHARACTERS[c] = String.valueOf(c).intern();
        }
    }

    private SchemaImporter() {}

    /** Reads the struct and releases it, on success and on failure. */
    public static Field importField(long schema) {
        if (CSchema.release(schema) == 0) {
            throw new IllegalStateException(
                    "the ArrowSchema has already been released or moved; it can be imported once");
        }
        try {
            return new SchemaImporter().read(schema, 1);
        } finally {
            ForeignCallbacks.releaseSchema(schema);
        }
    }

    private Field read(long schema, int depth) {
        field(depth);
        if (CSchema.release(schema) == 0) {
            throw new InvalidSchemaException("the schema has been released or moved");
        }
        String name = CSchema.name(schema) == 0 ? "" : text("name", CSchema.name(schema), NAME_LIMIT);
        if (CSchema.format(schema) == 0) {
            throw new InvalidSchemaException("field " + Brief.quoted(name) + ": format is NULL");
        }
        try {
            return readNamed(schema, name, depth);
        } catch (InvalidSchemaException e) {
            String message = e.getMessage();
            throw depth == 1 && name.isEmpty()
                    ? e
                    : new InvalidSchemaException(
                            "field " + Brief.quoted(name) + (message.startsWith("field \"") ? " > " : ": ") + message);
        }
    }

    private Field readNamed(long schema, String name, int depth) {
        String format = text("format", CSchema.format(schema), FORMAT_LIMIT);
        long childCount = CSchema.childCount(schema);
        if (childCount < 0 || childCount > MAX_FIELDS) {
            throw new InvalidSchemaException("n_children is " + childCount);
        }
        if (childCount > 0) {
            Formats.checkChildCount(format, childCount); // If the count is wrong, the children may not exist.
        }
        if (childCount > 0 && CSchema.children(schema) == 0) {
            throw new InvalidSchemaException("children is NULL with n_children " + childCount);
        }
        List<Field> children = new ArrayList<>((int) Math.min(childCount, 16));
        for (long i = 0; i < childCount; i++) {
            long child = CSchema.child(schema, i);
            if (child == 0) {
                throw new InvalidSchemaException("child " + i + " is NULL");
            }
            children.add(read(child, depth + 1));
        }
        long dictionary = CSchema.dictionary(schema);
        if (dictionary != 0) {
            Formats.checkIndex(format); // If the format is no index, there may be no dictionary at that address.
        }
        ArrowType storage = Formats.parse(
                format,
                CSchema.flags(schema),
                children,
                dictionary == 0 ? null : read(dictionary, depth + 1).type());
        boolean nullable = (CSchema.flags(schema) & Formats.FLAG_NULLABLE) != 0;
        return Field.fromWire(name, storage, nullable, RawMetadata.read(CSchema.metadata(schema), this));
    }

    /** "A null-terminated, UTF8-encoded string". */
    private String text(String member, long address, int maxSize) {
        byte first = RawMemory.getByte(address);
        if (first == 0) {
            return "";
        }
        if (first > 0 && RawMemory.getByte(address + 1) == 0) {
            bytes(1);
            return CHARACTERS[first]; // The formats of most types have one character.
        }
        byte[] bytes = RawMemory.getCString(address, maxSize);
        if (bytes.length == maxSize) {
            throw new InvalidSchemaException(member + " does not end within " + maxSize + " bytes");
        }
        bytes(bytes.length);
        int signs = 0;
        for (byte character : bytes) {
            signs |= character;
        }
        if (signs >= 0) {
            return new String(bytes, StandardCharsets.ISO_8859_1); // Nearly all names are ASCII.
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidSchemaException(
                    member + " is not UTF-8: " + Brief.quoted(new String(bytes, StandardCharsets.UTF_8)));
        }
    }
}

package dev.arrowdevice.internal.exchange;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DictionaryType;
import dev.arrowdevice.Field;
import dev.arrowdevice.Metadata;
import dev.arrowdevice.internal.abi.ArrayUpcalls;
import dev.arrowdevice.internal.abi.CSchema;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.abi.SchemaMemory;
import dev.arrowdevice.internal.type.Formats;
import dev.arrowdevice.internal.type.TextBytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a field as an {@code ArrowSchema} tree whose memory is one block. */
public final class SchemaExporter extends SchemaBudget {
    /** A field with its strings encoded. So the size of the block is known before it is allocated. */
    private static final class Node {
        final byte[] format;
        final byte[] name;
        final byte @Nullable [] metadata;
        final long flags;
        final List<Node> children;

        @Nullable
        Node dictionary;

        Node(Field field, SchemaExporter exporter, int depth) {
            exporter.field(depth);
            ArrowType storage = field.type().storageType();
            format = Formats.format(storage).getBytes(StandardCharsets.UTF_8);
            exporter.text("format", format.length, FORMAT_LIMIT);
            name = TextBytes.forC("field name", field.name());
            exporter.text("name", name.length, NAME_LIMIT);
            Metadata wire = field.wireMetadata();
            metadata = wire.isEmpty() ? null : wire.encode();
            if (metadata != null) {
                exporter.bytes(metadata.length);
                exporter.entries(wire.getSize());
            }
            flags = Formats.flags(field);
            List<Field> fields = storage.children();
            children = fields.isEmpty() ? List.of() : new ArrayList<>(fields.size());
            for (Field child : fields) {
                children.add(new Node(child, exporter, depth + 1));
            }
            if (storage instanceof DictionaryType) {
                Field values = Field.nullable("", ((DictionaryType) storage).valueType());
                dictionary = new Node(values, exporter, depth + 1);
            }
            exporter.add(this, depth);
        }
    }

    /** The number of structs. */
    private int structs;

    /** The size of the structs but the root's, and of all that their pointers point to. */
    private long byteSize;

    private long block;
    private long cursor;

    private SchemaExporter() {}

    /** Fills the struct at an address. If this throws, the struct is marked released. */
    public static void export(Field field, long schema) {
        CSchema.setRelease(schema, 0);
        SchemaExporter exporter = new SchemaExporter();
        Node root = new Node(field, exporter, 1);
        exporter.block = SchemaMemory.allocate(SchemaMemory.HEADER_SIZE + exporter.byteSize, exporter.structs);
        exporter.cursor = exporter.block + SchemaMemory.HEADER_SIZE;
        exporter.write(root, schema);
    }

    private void add(Node node, int depth) {
        structs++;
        byteSize += depth == 1 ? 0 : CSchema.SIZE;
        byteSize += 8L * node.children.size() + padded(node.format.length + 1L) + padded(node.name.length + 1L);
        byteSize += node.metadata == null ? 0 : padded(node.metadata.length);
    }

    private void write(Node node, long schema) {
        CSchema.setFormat(schema, string(node.format));
        CSchema.setName(schema, string(node.name));
        CSchema.setMetadata(schema, node.metadata == null ? 0 : bytes(node.metadata));
        CSchema.setFlags(schema, node.flags);
        int childCount = node.children.size();
        CSchema.setChildCount(schema, childCount);
        long pointers = take(8L * childCount);
        CSchema.setChildren(schema, childCount == 0 ? 0 : pointers);
        for (int i = 0; i < childCount; i++) {
            long child = take(CSchema.SIZE);
            RawMemory.putLong(pointers + 8L * i, child);
            write(node.children.get(i), child);
        }
        long dictionary = 0;
        if (node.dictionary != null) {
            dictionary = take(CSchema.SIZE);
            write(node.dictionary, dictionary);
        }
        CSchema.setDictionary(schema, dictionary);
        CSchema.setPrivateData(schema, block);
        CSchema.setRelease(schema, ArrayUpcalls.RELEASE_SCHEMA);
    }

    private long string(byte[] text) {
        long size = padded(text.length + 1L);
        long address = take(size);
        RawMemory.putLong(address + size - Long.BYTES, 0);
        RawMemory.putBytes(address, text);
        return address;
    }

    private long bytes(byte[] bytes) {
        long address = take(padded(bytes.length));
        RawMemory.putBytes(address, bytes);
        return address;
    }

    private long take(long byteSize) {
        long address = cursor;
        cursor += byteSize;
        return address;
    }

    private static long padded(long byteSize) {
        return byteSize + 7 & -8;
    }
}

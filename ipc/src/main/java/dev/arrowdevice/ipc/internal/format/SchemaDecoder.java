package dev.arrowdevice.ipc.internal.format;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DictionaryType;
import dev.arrowdevice.ExtensionType;
import dev.arrowdevice.Field;
import dev.arrowdevice.Metadata;
import dev.arrowdevice.Schema;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * Reads a schema. Offsets of FlatBuffers may lead to the same field again and again, so levels and fields are counted. To be
 * run by {@link Guard}.
 */
public final class SchemaDecoder {
    /** The largest number of levels. The core's import and Arrow C++ have the same. */
    private static final int MAX_DEPTH = 64;
    /** The largest number of fields, at all levels together, and of entries of metadata. */
    private static final int MAX_FIELDS = 1 << 20;

    /** Extensions whose storage can't be a dictionary, so their values are in it. */
    private static final Set<String> IN_DICTIONARIES =
            Set.of(ExtensionType.UUID, ExtensionType.BOOL8, ExtensionType.JSON, ExtensionType.FIXED_SHAPE_TENSOR);

    private final Map<Long, DictionaryPlan> dictionaries = new LinkedHashMap<>();
    private final TextBudget text;
    private int fields;
    private int entries;

    private SchemaDecoder(TextBudget text) {
        this.text = text;
    }

    /**
     * Reads the schema of a message or a footer.
     *
     * @param text the budget of that message or footer
     */
    static SchemaPlan decode(org.apache.arrow.flatbuf.Schema flat, TextBudget text) {
        boolean little = flat.endianness() == Endianness.Little;
        if (little != (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN)) {
            throw new IllegalArgumentException("the data is " + (little ? "little" : "big")
                    + "-endian and this machine is " + (little ? "big" : "little") + "-endian, which is not supported");
        }
        return new SchemaDecoder(text).schema(flat);
    }

    /** Whether an extension, where it is named with a dictionary, is the type of the dictionary's values. */
    static boolean isInDictionaries(String extension) {
        return IN_DICTIONARIES.contains(extension);
    }

    private SchemaPlan schema(org.apache.arrow.flatbuf.Schema flat) {
        int count = fields(flat.fieldsLength());
        List<Field> columns = new ArrayList<>();
        List<FieldPlan> plans = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Decoded column = field(flat.fields(i), 1);
            columns.add(column.field());
            plans.add(column.plan());
        }
        Metadata metadata = metadata(flat.customMetadataLength(), flat::customMetadata);
        Schema schema = new Schema(columns, metadata);
        schema.toStruct(); // Refuses what no stream or batch can have, such as an extension type for the schema itself.
        return new SchemaPlan(schema, plans, dictionaries);
    }

    /** A field, and its plan. */
    private record Decoded(Field field, FieldPlan plan) {}

    private Decoded field(org.apache.arrow.flatbuf.@Nullable Field flat, int depth) {
        Guard.require(flat, "field");
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("the schema is nested deeper than " + MAX_DEPTH + " levels");
        }
        text.take(flat.nameAsByteBuffer());
        String name = flat.name() == null ? "" : flat.name();
        try {
            return named(flat, name, depth);
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            boolean inner = message.startsWith("field \"");
            throw new IllegalArgumentException("field \"" + brief(name) + (inner ? "\" > " : "\": ") + message, e);
        }
    }

    private Decoded named(org.apache.arrow.flatbuf.Field flat, String name, int depth) {
        int count = fields(flat.childrenLength());
        List<Field> children = new ArrayList<>();
        List<FieldPlan> plans = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Decoded child = field(flat.children(i), depth + 1);
            children.add(child.field());
            plans.add(child.plan());
        }
        ArrowType values = TypeDecoder.decode(flat, children, text);
        Metadata metadata = metadata(flat.customMetadataLength(), flat::customMetadata);
        DictionaryEncoding encoding = flat.dictionary();
        if (encoding == null) {
            Field field = Field.fromWire(name, values, flat.nullable(), metadata);
            return new Decoded(field, new FieldPlan(field.type(), List.copyOf(plans), null));
        }
        String extension = metadata.get(ExtensionType.NAME_KEY);
        if (extension != null && isInDictionaries(extension)) {
            Field value = Field.fromWire(name, values, flat.nullable(), metadata);
            values = value.type();
            metadata = value.metadata();
        }
        DictionaryPlan dictionary = dictionary(encoding.id(), new FieldPlan(values, List.copyOf(plans), null));
        ArrowType type = new DictionaryType(index(encoding.indexType()), values, encoding.isOrdered());
        Field field = Field.fromWire(name, type, flat.nullable(), metadata);
        return new Decoded(field, new FieldPlan(field.type(), List.of(), dictionary));
    }

    private static ArrowType index(@Nullable Int type) {
        return type == null ? ArrowType.INT32 : TypeDecoder.integer(type);
    }

    /** Fields may share a dictionary, which then has the same type for each of them. */
    private DictionaryPlan dictionary(long id, FieldPlan values) {
        DictionaryPlan known = dictionaries.get(id);
        if (known == null) {
            DictionaryPlan dictionary = new DictionaryPlan(id, values, SchemaPlan.nested(values));
            dictionaries.put(id, dictionary);
            return dictionary;
        }
        if (!known.values().type().equals(values.type())) {
            throw new IllegalArgumentException("dictionary " + id + " has values of type " + values.type()
                    + " here and of type " + known.values().type() + " in another field");
        }
        if (!known.nested().equals(SchemaPlan.nested(values))) {
            throw new IllegalArgumentException(
                    "dictionary " + id + " refers to other dictionaries here than in another field");
        }
        return known;
    }

    private Metadata metadata(int count, IntFunction<@Nullable KeyValue> pairs) {
        if (count < 0 || count > MAX_FIELDS - entries) {
            throw new IllegalArgumentException("the schema has more than " + MAX_FIELDS + " entries of metadata");
        }
        entries += count;
        return MetadataCodec.decode(count, pairs, text);
    }

    private int fields(int count) {
        if (count < 0 || count > MAX_FIELDS - fields) {
            throw new IllegalArgumentException("the schema has more than " + MAX_FIELDS + " fields");
        }
        fields += count;
        return count;
    }

    private static String brief(String name) {
        return name.length() <= 40 ? name : name.substring(0, 40) + "…";
    }
}

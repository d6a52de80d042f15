package dev.arrowdevice.ipc.internal.format;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DictionaryType;
import dev.arrowdevice.ExtensionType;
import dev.arrowdevice.Field;
import dev.arrowdevice.Metadata;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Schema;

/** Writes a schema. */
public final class SchemaEncoder {
    private final FlatBufferBuilder builder;

    private SchemaEncoder(FlatBufferBuilder builder) {
        this.builder = builder;
    }

    /**
     * Writes the table of a schema; returns its offset.
     *
     * @throws IllegalArgumentException if the format can't express a type; the message names the field
     */
    public static int encode(FlatBufferBuilder builder, SchemaPlan plan) {
        return new SchemaEncoder(builder).schema(plan);
    }

    private int schema(SchemaPlan plan) {
        int fields = Schema.createFieldsVector(builder, fields(plan.schema().fields(), plan.columns()));
        int metadata = plan.schema().metadata().isEmpty()
                ? 0
                : Schema.createCustomMetadataVector(
                        builder, MetadataCodec.encode(builder, plan.schema().metadata()));
        short endianness = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Endianness.Little : Endianness.Big;
        return Schema.createSchema(builder, endianness, fields, metadata, 0);
    }

    private int[] fields(List<Field> fields, List<FieldPlan> plans) {
        int[] offsets = new int[fields.size()];
        for (int i = 0; i < offsets.length; i++) {
            try {
                offsets[i] = field(fields.get(i), plans.get(i));
            } catch (IllegalArgumentException e) {
                String message = String.valueOf(e.getMessage());
                boolean inner = message.startsWith("field \"");
                throw new IllegalArgumentException(
                        "field \"" + fields.get(i).name() + (inner ? "\" > " : "\": ") + message, e);
            }
        }
        return offsets;
    }

    private int field(Field field, FieldPlan plan) {
        ArrowType type = field.type().storageType();
        Metadata metadata = field.wireMetadata();
        int dictionary = 0;
        DictionaryPlan encoded = plan.dictionary();
        if (encoded != null) {
            DictionaryType dictionaryType = (DictionaryType) type;
            int index = TypeEncoder.encode(builder, dictionaryType.indexType());
            dictionary = DictionaryEncoding.createDictionaryEncoding(
                    builder, encoded.id(), index, dictionaryType.ordered(), (short) 0);
            metadata = valueMetadata(dictionaryType, field, metadata);
            type = dictionaryType.valueType().storageType();
            plan = encoded.values();
        }
        int name = builder.createString(field.name());
        int table = TypeEncoder.encode(builder, type);
        int children =
                org.apache.arrow.flatbuf.Field.createChildrenVector(builder, fields(type.children(), plan.children()));
        int pairs = metadata.isEmpty()
                ? 0
                : org.apache.arrow.flatbuf.Field.createCustomMetadataVector(
                        builder, MetadataCodec.encode(builder, metadata));
        return org.apache.arrow.flatbuf.Field.createField(
                builder, name, field.nullable(), TypeEncoder.kind(type), table, dictionary, children, pairs);
    }

    /** A field of a message has one place for an extension: it is that of the field, or else that of the values. */
    private static Metadata valueMetadata(DictionaryType type, Field field, Metadata metadata) {
        if (type.valueType().storageType() instanceof DictionaryType) {
            throw new IllegalArgumentException(
                    "Arrow IPC has no dictionary whose values are themselves in a dictionary; decode one of them");
        }
        if (!(type.valueType() instanceof ExtensionType extension)) {
            return metadata;
        }
        if (field.type() instanceof ExtensionType || !SchemaDecoder.isInDictionaries(extension.name())) {
            throw new IllegalArgumentException("in Arrow IPC, " + extension.name()
                    + " can't be the type of a dictionary's values, only of the whole field;"
                    + " make it an extension over the dictionary type");
        }
        return Field.nullable("", extension).wireMetadata().plus(metadata);
    }
}

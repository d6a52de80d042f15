package dev.arrowdevice.builder;

import dev.arrowdevice.ExtensionType;
import dev.arrowdevice.Field;
import dev.arrowdevice.TypeId;
import org.jspecify.annotations.Nullable;

/** Makes the builder that fits a type. An extension is built as its storage, under its own type. */
final class Builders {
    private Builders() {}

    static ArrayBuilder of(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        if (field.type() instanceof ExtensionType extension && extension.name().equals(ExtensionType.UUID)) {
            return new FixedSizeBinaryBuilder(field, memory, parent, true);
        }
        TypeId id = field.type().storageType().id();
        return switch (id) {
            case NULL -> new NullBuilder(field, memory, parent);
            case BOOL -> new BoolBuilder(field, memory, parent);
            case DECIMAL32, DECIMAL64, DECIMAL128, DECIMAL256 -> new DecimalBuilder(field, memory, parent);
            case UTF8, LARGE_UTF8 -> new OffsetBytesBuilder(field, memory, parent, true, id == TypeId.LARGE_UTF8);
            case BINARY, LARGE_BINARY ->
                new OffsetBytesBuilder(field, memory, parent, false, id == TypeId.LARGE_BINARY);
            case UTF8_VIEW, BINARY_VIEW -> new ViewBytesBuilder(field, memory, parent, id == TypeId.UTF8_VIEW);
            case FIXED_SIZE_BINARY -> new FixedSizeBinaryBuilder(field, memory, parent, false);
            case INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, FLOAT16, FLOAT32, FLOAT64 ->
                new NumberBuilder(field, memory, parent);
            case DATE32, DATE64, TIME32, TIME64, TIMESTAMP, DURATION, INTERVAL_MONTHS ->
                new NumberBuilder(field, memory, parent);
            case INTERVAL_DAY_TIME, INTERVAL_MONTH_DAY_NANO -> new IntervalBuilder(field, memory, parent);
            case LIST, LARGE_LIST, LIST_VIEW, LARGE_LIST_VIEW, FIXED_SIZE_LIST ->
                new ListBuilder(field, memory, parent);
            case MAP -> new MapBuilder(field, memory, parent);
            case STRUCT -> new StructBuilder(field, memory, parent);
            case SPARSE_UNION, DENSE_UNION -> new UnionBuilder(field, memory, parent);
            case RUN_END_ENCODED -> new RunEndEncodedBuilder(field, memory, parent);
            case DICTIONARY -> new DictionaryBuilder(field, memory, parent);
            case EXTENSION -> throw new AssertionError("the storage of an extension is no extension");
        };
    }
}

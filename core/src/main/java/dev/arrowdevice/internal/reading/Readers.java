package dev.arrowdevice.internal.reading;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DecimalType;
import dev.arrowdevice.DictionaryType;
import dev.arrowdevice.DurationType;
import dev.arrowdevice.ExtensionType;
import dev.arrowdevice.Field;
import dev.arrowdevice.FixedSizeBinaryType;
import dev.arrowdevice.FixedSizeListType;
import dev.arrowdevice.TimeType;
import dev.arrowdevice.TimestampType;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.memory.BorrowScope;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the reader for the layout of an array. */
public final class Readers {
    private final @Nullable BorrowScope scope;

    private Readers(@Nullable BorrowScope scope) {
        this.scope = scope;
    }

    /**
     * The reader of an array.
     *
     * @param scope if given, the memory can be used only within the scope, and the reader by its thread alone; otherwise
     *     the caller must begin a read for each use
     */
    public static ValueReader of(ArrayData data, @Nullable BorrowScope scope) {
        return new Readers(scope).read(data);
    }

    private ValueReader read(ArrayData data) {
        ArrowType type = data.getType();
        if (type instanceof ExtensionType) {
            return ExtensionReader.of(data, read(data.withType(((ExtensionType) type).storageType())));
        }
        ArrayBuffers buffers = new ArrayBuffers(data, scope);
        HostMemory validity = data.getKnownNullCount() == 0 ? null : buffers.validity();
        TypeId id = type.id();
        switch (id) {
            case NULL:
                return new PrimitiveReaders.Null(data);
            case BOOL:
                return new PrimitiveReaders.Bool(data, validity, buffers.memory(1));
            case INT8:
            case UINT8:
                return new PrimitiveReaders.Int8(data, validity, buffers.values(), id == TypeId.INT8);
            case INT16:
            case UINT16:
                return new PrimitiveReaders.Int16(data, validity, buffers.values(), id == TypeId.INT16);
            case INT32:
            case UINT32:
                return new PrimitiveReaders.Int32(data, validity, buffers.values(), id == TypeId.INT32);
            case INT64:
            case UINT64:
                return new PrimitiveReaders.Int64(data, validity, buffers.values(), id == TypeId.INT64);
            case FLOAT16:
                return new PrimitiveReaders.Float16(data, validity, buffers.values());
            case FLOAT32:
                return new PrimitiveReaders.Float32(data, validity, buffers.values());
            case FLOAT64:
                return new PrimitiveReaders.Float64(data, validity, buffers.values());
            case DECIMAL32:
            case DECIMAL64:
            case DECIMAL128:
            case DECIMAL256:
                return new DecimalReader(data, validity, buffers.values(), (DecimalType) type);
            case INTERVAL_DAY_TIME:
                return new TemporalReader.DayTime(data, validity, buffers.values());
            case INTERVAL_MONTH_DAY_NANO:
                return new TemporalReader.MonthDayNano(data, validity, buffers.values());
            case DATE32:
            case DATE64:
            case TIME32:
            case TIME64:
            case TIMESTAMP:
            case DURATION:
            case INTERVAL_MONTHS:
                return new TemporalReader(
                        data, validity, buffers.values(), TemporalReader.isWide(type), temporalDecoder(type));
            case UTF8:
            case BINARY:
                return new BinaryReader.Variable(
                        data, validity, buffers.offsets(), buffers.memory(2), id == TypeId.UTF8, scope != null);
            case LARGE_UTF8:
            case LARGE_BINARY:
                return new BinaryReader.Variable(
                        data, validity, buffers.offsets(), buffers.memory(2), id == TypeId.LARGE_UTF8, scope != null);
            case UTF8_VIEW:
            case BINARY_VIEW:
                return new BinaryReader.Views(
                        data, validity, buffers.memory(1), buffers.variadic(), id == TypeId.UTF8_VIEW, scope != null);
            case FIXED_SIZE_BINARY:
                return new BinaryReader.FixedSize(
                        data, validity, buffers.memory(1), ((FixedSizeBinaryType) type).byteWidth());
            case LIST:
                return new NestedReaders.OffsetList(data, validity, buffers.offsets(), read(data.child(0)));
            case LARGE_LIST:
                return new NestedReaders.OffsetList(data, validity, buffers.offsets(), read(data.child(0)));
            case MAP:
                return new NestedReaders.MapEntries(data, validity, buffers.offsets(), read(data.child(0)));
            case LIST_VIEW:
                return new NestedReaders.ListView(
                        data, validity, buffers.offsets(), buffers.sizes(), read(data.child(0)));
            case LARGE_LIST_VIEW:
                return new NestedReaders.ListView(
                        data, validity, buffers.offsets(), buffers.sizes(), read(data.child(0)));
            case FIXED_SIZE_LIST:
                return new NestedReaders.FixedSizeList(
                        data, validity, read(data.child(0)), ((FixedSizeListType) type).listSize());
            case STRUCT:
                return new NestedReaders.Struct(data, validity, children(data, buffers));
            case SPARSE_UNION:
                return new EncodedReaders.Union(data, buffers.memory(0), null, children(data, buffers));
            case DENSE_UNION:
                return new EncodedReaders.Union(data, buffers.memory(0), buffers.offsets(), children(data, buffers));
            case RUN_END_ENCODED:
                return new EncodedReaders.RunEndEncoded(data, read(data.child(0)), read(data.child(1)));
            case DICTIONARY:
                ArrayData indices = new ArrayData(
                        ((DictionaryType) type).indexType(),
                        data.getDevice(),
                        data.getLength(),
                        data.getOffset(),
                        data.getKnownNullCount(),
                        new DeviceBuffer[] {data.buffer(0), data.buffer(1)},
                        new ArrayData[0],
                        null);
                ArrayData dictionary = data.getDictionary();
                if (dictionary == null) {
                    throw new AssertionError("ArrayData checks that a dictionary array has one");
                }
                return new EncodedReaders.Dictionary(data, validity, read(indices), read(dictionary));
            default:
                throw new AssertionError(id);
        }
    }

    private static TemporalReader.Decoder temporalDecoder(ArrowType type) {
        switch (type.id()) {
            case DATE32:
                return TemporalReader::date32;
            case DATE64:
                return TemporalReader::date64;
            case TIME32:
            case TIME64:
                return TemporalReader.time(((TimeType) type).unit());
            case TIMESTAMP:
                return TemporalReader.timestamp((TimestampType) type);
            case DURATION:
                return TemporalReader.duration(((DurationType) type).unit());
            default:
                return TemporalReader::months;
        }
    }

    private ValueReader[] children(ArrayData data, ArrayBuffers buffers) {
        List<Field> fields = data.getType().storageType().children();
        ValueReader[] readers = new ValueReader[data.getChildCount()];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = read(buffers.child(i, data.getOffset(), data.getLength()))
                    .named(fields.get(i).name());
        }
        return readers;
    }
}

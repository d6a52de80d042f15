package dev.arrowdevice.internal.reading;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DecimalType;
import dev.arrowdevice.DictionaryType;
import dev.arrowdevice.DurationType;
import dev.arrowdevice.ExtensionType;
import dev.arrowdevice.FixedSizeBinaryType;
import dev.arrowdevice.FixedSizeListType;
import dev.arrowdevice.TimeType;
import dev.arrowdevice.TimestampType;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.memory.BorrowScope;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import org.jspecify.annotations.Nullable;

/** Makes the reader that fits the layout of an array. */
public final class Readers {
    private final @Nullable BorrowScope scope;

    private Readers(@Nullable BorrowScope scope) {
        this.scope = scope;
    }

    /**
     * The reader of an array.
     *
     * @param scope where given, the memory can be reached only within the scope; else the caller must hold the array at
     *     each use
     */
    public static ValueReader of(ArrayData data, @Nullable BorrowScope scope) {
        return new Readers(scope).read(data);
    }

    private ValueReader read(ArrayData data) {
        ArrowType type = data.getType();
        if (type instanceof ExtensionType) {
            return ExtensionReader.of(data, read(data.withType(((ExtensionType) type).storageType())));
        }
        DeviceBuffer bitmap = data.getValidity();
        HostMemory validity = bitmap == null || data.getKnownNullCount() == 0 ? null : memory(bitmap);
        TypeId id = type.id();
        switch (id) {
            case NULL:
                return new PrimitiveReaders.Null(data);
            case BOOL:
                return new PrimitiveReaders.Bool(data, validity, memory(data, 1));
            case INT8:
            case UINT8:
                return new PrimitiveReaders.Int8(data, validity, values(data), id == TypeId.INT8);
            case INT16:
            case UINT16:
                return new PrimitiveReaders.Int16(data, validity, values(data), id == TypeId.INT16);
            case INT32:
            case UINT32:
                return new PrimitiveReaders.Int32(data, validity, values(data), id == TypeId.INT32);
            case INT64:
            case UINT64:
                return new PrimitiveReaders.Int64(data, validity, values(data), id == TypeId.INT64);
            case FLOAT16:
                return new PrimitiveReaders.Float16(data, validity, values(data));
            case FLOAT32:
                return new PrimitiveReaders.Float32(data, validity, values(data));
            case FLOAT64:
                return new PrimitiveReaders.Float64(data, validity, values(data));
            case DECIMAL32:
            case DECIMAL64:
            case DECIMAL128:
            case DECIMAL256:
                return new DecimalReader(data, validity, values(data), (DecimalType) type);
            case INTERVAL_DAY_TIME:
                return new TemporalReader.DayTime(data, validity, values(data));
            case INTERVAL_MONTH_DAY_NANO:
                return new TemporalReader.MonthDayNano(data, validity, values(data));
            case DATE32:
            case DATE64:
            case TIME32:
            case TIME64:
            case TIMESTAMP:
            case DURATION:
            case INTERVAL_MONTHS:
                return new TemporalReader(
                        data, validity, values(data), TemporalReader.isWide(type), temporalDecoder(type));
            case UTF8:
            case BINARY:
                return new BinaryReader.Offsets(
                        data, validity, offsets(data, 1, false), memory(data, 2), id == TypeId.UTF8);
            case LARGE_UTF8:
            case LARGE_BINARY:
                return new BinaryReader.Offsets(
                        data, validity, offsets(data, 1, true), memory(data, 2), id == TypeId.LARGE_UTF8);
            case UTF8_VIEW:
            case BINARY_VIEW:
                return new BinaryReader.Views(data, validity, memory(data, 1), variadic(data), id == TypeId.UTF8_VIEW);
            case FIXED_SIZE_BINARY:
                return new BinaryReader.FixedSize(
                        data, validity, memory(data, 1), ((FixedSizeBinaryType) type).byteWidth());
            case LIST:
                return new NestedReaders.OffsetList(data, validity, offsets(data, 1, false), read(data.child(0)));
            case LARGE_LIST:
                return new NestedReaders.OffsetList(data, validity, offsets(data, 1, true), read(data.child(0)));
            case MAP:
                return new NestedReaders.MapEntries(data, validity, offsets(data, 1, false), read(data.child(0)));
            case LIST_VIEW:
                return new NestedReaders.ListView(
                        data, validity, offsets(data, 1, false), offsets(data, 2, false), read(data.child(0)));
            case LARGE_LIST_VIEW:
                return new NestedReaders.ListView(
                        data, validity, offsets(data, 1, true), offsets(data, 2, true), read(data.child(0)));
            case FIXED_SIZE_LIST:
                return new NestedReaders.FixedSizeList(
                        data, validity, read(data.child(0)), ((FixedSizeListType) type).listSize());
            case STRUCT:
                return new NestedReaders.Struct(data, validity, alignedChildren(data));
            case SPARSE_UNION:
                return new EncodedReaders.Union(data, memory(data, 0), null, alignedChildren(data));
            case DENSE_UNION:
                return new EncodedReaders.Union(data, memory(data, 0), offsets(data, 1, false), children(data));
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

    /** The children from this array's offset on, as struct and sparse union see them. */
    private ValueReader[] alignedChildren(ArrayData data) {
        ValueReader[] readers = new ValueReader[data.getChildCount()];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = read(data.child(i).slice(data.getOffset(), data.getLength()));
        }
        return readers;
    }

    private ValueReader[] children(ArrayData data) {
        ValueReader[] readers = new ValueReader[data.getChildCount()];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = read(data.child(i));
        }
        return readers;
    }

    private HostMemory[] variadic(ArrayData data) {
        HostMemory[] memories = new HostMemory[data.getBufferCount() - 2];
        for (int i = 0; i < memories.length; i++) {
            memories[i] = memory(data, i + 2);
        }
        return memories;
    }

    private OffsetBuffer offsets(ArrayData data, int index, boolean wide) {
        return new OffsetBuffer(memory(data, index), wide);
    }

    /**
     * Values of a fixed number of bytes, from the first element on. Adding the offset to each index instead makes a loop
     * several times slower: the JIT moves the check of the bounds out of it only where that is of the index times a constant.
     */
    private HostMemory values(ArrayData data) {
        HostMemory memory = memory(data, 1);
        if (data.getOffset() == 0) {
            return memory;
        }
        long start = Math.min(data.getOffset() * (data.getType().layout().bitWidth() / 8), memory.getByteSize());
        return memory.slice(start, memory.getByteSize() - start);
    }

    private HostMemory memory(ArrayData data, int index) {
        DeviceBuffer buffer = data.buffer(index);
        return buffer == null ? HostMemory.EMPTY : memory(buffer);
    }

    private HostMemory memory(DeviceBuffer buffer) {
        HostMemory memory = buffer.memory();
        return scope == null ? memory : scope.bind(memory);
    }
}

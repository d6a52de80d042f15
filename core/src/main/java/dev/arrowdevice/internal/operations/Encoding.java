package dev.arrowdevice.internal.operations;

import dev.arrowdevice.ArrayView;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DictionaryType;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.internal.reading.Integers;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import org.jspecify.annotations.Nullable;

/** Dictionary encoding, and the plain form of arrays that have one of the encodings. */
public final class Encoding {
    private static final String ENCODE = "dictionaryEncode";
    private static final String DECODE = "decode";

    private Encoding() {}

    /** The array with each different value once, in a dictionary in the order of their first occurrence. */
    public static DeviceArray encode(ArrayView array, ArrowType indexType) {
        if (!indexType.id().isInteger()) {
            throw new IllegalArgumentException(
                    ENCODE + ": the index of a dictionary is an integer, not " + Brief.type(indexType));
        }
        ArrowType storage = array.getType().storageType();
        if (storage instanceof DictionaryType type && type.indexType().equals(indexType)) {
            return Operations.shared(array, ENCODE);
        }
        if (storage instanceof DictionaryType) {
            return Operations.make(array, ENCODE, (data, output) -> withIndices(data, indexType, output));
        }
        if (storage.id() == TypeId.RUN_END_ENCODED) {
            try (DeviceArray plain = decode(array)) {
                return encode(plain, indexType);
            }
        }
        return Operations.make(array, ENCODE, (data, output) -> encode(data, indexType, output));
    }

    private static ArrayData encode(ArrayData data, ArrowType indexType, Output output) {
        long length = data.getLength();
        int width = indexType.layout().bitWidth() / 8;
        long largest = DictionaryUnion.largest(indexType.id());
        DeviceBuffer indices = output.allocate(Math.multiplyExact(length, (long) width));
        DeviceBuffer validity = output.allocate(Bits.byteSize(length));
        HostMemory to = indices.memory();
        BitWriter valid = new BitWriter(validity.memory());
        ValueSource values = ValueSource.of(data);
        ValueTable table = new ValueTable();
        for (long i = 0; i < length; i++) {
            boolean isNull = values.isNull(i);
            int index = isNull ? 0 : table.add(values, i);
            if (index > largest) {
                throw tooMany(indexType);
            }
            DictionaryUnion.put(to, width, i, index);
            valid.append(isNull ? 0 : 1, 1);
        }
        long nulls = length - valid.finish();
        Selection different = ChildSelections.ofPositions(table.indices(), table.size(), false);
        return new ArrayData(
                ArrowType.dictionary(indexType, data.getType()),
                Device.CPU,
                length,
                0,
                nulls,
                new @Nullable DeviceBuffer[] {nulls == 0 ? null : validity, indices},
                new ArrayData[0],
                new Gather(output, ENCODE).gather(data, different, false));
    }

    private static IllegalArgumentException tooMany(ArrowType indexType) {
        return new IllegalArgumentException(ENCODE + ": there are more different values than indices of "
                + Brief.type(indexType) + " can count; choose a wider index type");
    }

    /** The same dictionary with indices of another type. */
    private static ArrayData withIndices(ArrayData data, ArrowType indexType, Output output) {
        DictionaryType type = (DictionaryType) data.getType().storageType();
        int width = indexType.layout().bitWidth() / 8;
        long largest = DictionaryUnion.largest(indexType.id());
        Integers from = new Integers(
                FixedWidth.from(data, 1, type.indexType().layout().bitWidth() / 8),
                type.indexType().id());
        BitSource validity = Gather.validityOf(data);
        DeviceBuffer indices = output.allocate(Math.multiplyExact(data.getLength(), (long) width));
        for (long i = 0; i < data.getLength(); i++) {
            long index = validity != null && validity.bit(i) == 0 ? 0 : from.get(i);
            if (index < 0 || index > largest) {
                throw tooMany(indexType);
            }
            DictionaryUnion.put(indices.memory(), width, i, index);
        }
        return new ArrayData(
                ArrowType.dictionary(indexType, type.valueType(), type.ordered()),
                Device.CPU,
                data.getLength(),
                0,
                data.getNullCount(),
                new @Nullable DeviceBuffer[] {output.validity(data), indices},
                new ArrayData[0],
                output.share(DictionaryUnion.dictionaryOf(data)));
    }

    private static boolean isEncoded(ArrowType storage) {
        return storage.id() == TypeId.DICTIONARY || storage.id() == TypeId.RUN_END_ENCODED;
    }

    /** The values of a dictionary-encoded or run-end encoded array, one after the other; otherwise the same memory. */
    public static DeviceArray decode(ArrayView array) {
        if (!isEncoded(array.getType().storageType())) {
            return Operations.shared(array, DECODE);
        }
        DeviceArray decoded = Operations.make(array, DECODE, Encoding::decode);
        if (!isEncoded(decoded.getType().storageType())) {
            return decoded;
        }
        try (decoded) {
            return decode(decoded);
        }
    }

    private static ArrayData decode(ArrayData data, Output output) {
        Gather gather = new Gather(output, DECODE);
        if (!(data.getType().storageType() instanceof DictionaryType type)) {
            return gather.gather(data.child(1), new Runs(data).decoded(), true);
        }
        ArrayData dictionary = DictionaryUnion.dictionaryOf(data);
        Selection selection = new IndexSelection(data, type.indexType().id(), dictionary.getLength(), DECODE);
        if (selection.hasMissing() && !UnionGather.canBeNull(type.valueType())) {
            throw new IllegalArgumentException(
                    DECODE + ": there are nulls, which " + Brief.type(type.valueType()) + " can't have");
        }
        return gather.gather(dictionary, selection, true);
    }
}

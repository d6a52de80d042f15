package dev.arrowdevice.internal.operations;

import dev.arrowdevice.ArrayView;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DictionaryType;
import dev.arrowdevice.ExtensionType;
import dev.arrowdevice.Field;
import dev.arrowdevice.FixedSizeListType;
import dev.arrowdevice.RunEndEncodedType;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.reading.ArrayBuffers;
import dev.arrowdevice.internal.reading.Offsets;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Arrays as wider types. What {@link Widening} allows is made here; whatever has the same bytes in both types is shared.
 */
public final class Cast {
    private static final String CAST = "cast";

    private final Output output;

    private Cast(Output output) {
        this.output = output;
    }

    /** The array as another type, in which every value is the same. */
    public static DeviceArray cast(ArrayView array, ArrowType type) {
        if (!Widening.isWidening(array.getType(), type)) {
            throw new IllegalArgumentException(CAST + ": " + Brief.type(array.getType()) + " as " + Brief.type(type)
                    + " could change a value; a cast is made only where it can't, whatever the values are");
        }
        if (array.getType().equals(type)) {
            return Operations.shared(array, CAST);
        }
        return Operations.make(array, CAST, (data, output) -> new Cast(output).cast(data, type));
    }

    private ArrayData cast(ArrayData source, ArrowType type) {
        if (source.getType().equals(type)) {
            return output.share(source);
        }
        if (source.getType() instanceof ExtensionType extension) {
            return cast(source.withType(extension.storageType()), type);
        }
        switch (source.getType().id()) {
            case NULL:
                Selection none = ChildSelections.missing(source.getLength());
                return new Gather(output, CAST).gather(empty(type), none, true);
            case UTF8:
            case BINARY:
            case LARGE_UTF8:
            case UTF8_VIEW:
                return texts(source, type);
            case LIST:
            case LARGE_LIST:
            case MAP:
                return lists(source, type);
            case LIST_VIEW:
            case LARGE_LIST_VIEW:
                return views(source, type);
            case FIXED_SIZE_LIST:
                return rows(source, type, ((FixedSizeListType) type).listSize());
            case STRUCT:
            case SPARSE_UNION:
                return rows(source, type, 1);
            case DENSE_UNION:
                return denseUnion(source, type);
            case RUN_END_ENCODED:
                return runs(source, (RunEndEncodedType) type);
            case DICTIONARY:
                return dictionary(source, (DictionaryType) type);
            default:
                DeviceBuffer values = WideNumbers.widen(source, type, output);
                return node(source, type, 0, children(), null, output.validity(source), values);
        }
    }

    private static ArrayData[] children(ArrayData... children) {
        return children;
    }

    private static ArrayData node(
            ArrayData source,
            ArrowType type,
            long offset,
            ArrayData[] children,
            @Nullable ArrayData dictionary,
            @Nullable DeviceBuffer... buffers) {
        long nulls = type.layout().hasValidity() ? source.getNullCount() : 0;
        return new ArrayData(type, Device.CPU, source.getLength(), offset, nulls, buffers, children, dictionary);
    }

    /** Strings as binaries, and either with wider offsets or as views. The bytes are shared. */
    private ArrayData texts(ArrayData source, ArrowType type) {
        boolean toViews = type.id() == TypeId.UTF8_VIEW || type.id() == TypeId.BINARY_VIEW;
        boolean fromViews = source.getType().id() == TypeId.UTF8_VIEW;
        boolean sameOffsets = Gather.hasWideOffsets(source.getType()) == Gather.hasWideOffsets(type);
        if (toViews ? fromViews : sameOffsets) {
            return output.share(source.withType(type));
        }
        DeviceBuffer data = output.share(source.buffer(2));
        if (toViews) {
            DeviceBuffer views = viewsOf(source);
            return data == null
                    ? node(source, type, 0, children(), null, output.validity(source), views)
                    : node(source, type, 0, children(), null, output.validity(source), views, data);
        }
        DeviceBuffer offsets = wideOffsets(source, 1, source.getLength() + 1, 0);
        return node(source, type, 0, children(), null, output.validity(source), offsets, data);
    }

    /** Views of strings or binaries with 32-bit offsets, which are all in one buffer. */
    private DeviceBuffer viewsOf(ArrayData source) {
        DeviceBuffer buffer = output.allocate(Math.multiplyExact(source.getLength(), 16L));
        HostMemory to = buffer.memory();
        HostMemory from = ArrayBuffers.memory(source.buffer(2));
        Offsets offsets = new Offsets(FixedWidth.from(source, 1, 4), false);
        BitSource validity = Gather.validityOf(source);
        for (long i = 0; i < source.getLength(); i++) {
            long view = i << 4;
            to.putLong(view, 0);
            to.putLong(view + 8, 0);
            if (validity == null || validity.bit(i) != 0) {
                long start = offsets.get(i);
                int size = (int) (offsets.get(i + 1) - start);
                to.putInt(view, size);
                from.copyTo(start, to, view + 4, size <= 12 ? size : 4);
                if (size > 12) {
                    to.putInt(view + 12, (int) start);
                }
            }
        }
        return buffer;
    }

    /** Offsets of 32 bits as 64 bits, each less by {@code first}. */
    private DeviceBuffer wideOffsets(ArrayData source, int index, long count, long first) {
        DeviceBuffer buffer = output.allocate(Math.multiplyExact(count, 8L));
        HostMemory to = buffer.memory();
        Offsets from = new Offsets(FixedWidth.from(source, index, 4), false);
        for (long i = 0; i < count; i++) {
            // An empty array may have no offset at all.
            to.putLong(i << 3, source.getLength() == 0 ? 0 : from.get(i) - first);
        }
        return buffer;
    }

    private ArrayData lists(ArrayData source, ArrowType type) {
        boolean wide = Gather.hasWideOffsets(source.getType());
        if (wide == Gather.hasWideOffsets(type)) {
            ArrayData elements = cast(source.child(0), elementOf(type));
            return node(source, type, source.getOffset(), children(elements), null, shared(source));
        }
        Offsets offsets = new Offsets(FixedWidth.from(source, 1, 4), false);
        long first = source.getLength() == 0 ? 0 : offsets.get(0);
        long end = source.getLength() == 0 ? 0 : offsets.get(source.getLength());
        ArrayData elements = cast(source.child(0).slice(first, end - first), elementOf(type));
        DeviceBuffer wider = wideOffsets(source, 1, source.getLength() + 1, first);
        return node(source, type, 0, children(elements), null, output.validity(source), wider);
    }

    private ArrayData views(ArrayData source, ArrowType type) {
        ArrayData elements = cast(source.child(0), elementOf(type));
        if (source.getType().id() == type.id()) {
            return node(source, type, source.getOffset(), children(elements), null, shared(source));
        }
        DeviceBuffer starts = wideOffsets(source, 1, source.getLength(), 0);
        DeviceBuffer sizes = wideOffsets(source, 2, source.getLength(), 0);
        return node(source, type, 0, children(elements), null, output.validity(source), starts, sizes);
    }

    private static ArrowType elementOf(ArrowType list) {
        return list.children().get(0).type();
    }

    /** All buffers of an array, which the result has too. */
    private @Nullable DeviceBuffer[] shared(ArrayData source) {
        @Nullable DeviceBuffer[] buffers = new DeviceBuffer[source.getBufferCount()];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = output.share(source.buffer(i));
        }
        return buffers;
    }

    /** Arrays whose elements have a number of elements each in every child. */
    private ArrayData rows(ArrayData source, ArrowType type, long each) {
        List<Field> fields = type.children();
        ArrayData[] children = new ArrayData[fields.size()];
        for (int i = 0; i < children.length; i++) {
            ArrayData child = source.child(i).slice(source.getOffset() * each, source.getLength() * each);
            children[i] = cast(child, fields.get(i).type());
        }
        if (source.getType().id() != TypeId.SPARSE_UNION) {
            return node(source, type, 0, children, null, output.validity(source));
        }
        DeviceBuffer ids = source.buffer(0);
        DeviceBuffer own = ids == null ? null : output.share(ids.slice(source.getOffset(), source.getLength()));
        return node(source, type, 0, children, null, own);
    }

    private ArrayData denseUnion(ArrayData source, ArrowType type) {
        ArrayData[] children = new ArrayData[source.getChildCount()];
        for (int i = 0; i < children.length; i++) {
            children[i] = cast(source.child(i), type.children().get(i).type());
        }
        return node(source, type, source.getOffset(), children, null, shared(source));
    }

    private ArrayData runs(ArrayData source, RunEndEncodedType type) {
        ArrayData ends = cast(source.child(0), type.runEnds().type());
        ArrayData values = cast(source.child(1), type.values().type());
        return node(source, type, source.getOffset(), children(ends, values), null);
    }

    private ArrayData dictionary(ArrayData source, DictionaryType type) {
        ArrowType indexType = ((DictionaryType) source.getType()).indexType();
        ArrayData values = cast(DictionaryUnion.dictionaryOf(source), type.valueType());
        if (indexType.equals(type.indexType())) {
            return node(source, type, source.getOffset(), children(), values, shared(source));
        }
        @Nullable DeviceBuffer[] own = {source.buffer(0), source.buffer(1)};
        ArrayData indices = new ArrayData(
                indexType,
                source.getDevice(),
                source.getLength(),
                source.getOffset(),
                source.getNullCount(),
                own,
                children(),
                null);
        DeviceBuffer wider = WideNumbers.widen(indices, type.indexType(), output);
        return node(source, type, 0, children(), values, output.validity(source), wider);
    }

    /** An array of any type without elements. */
    private static ArrayData empty(ArrowType type) {
        List<Field> fields = type.children();
        ArrayData[] children = new ArrayData[fields.size()];
        for (int i = 0; i < children.length; i++) {
            children[i] = empty(fields.get(i).type());
        }
        ArrayData dictionary = type.storageType() instanceof DictionaryType encoded ? empty(encoded.valueType()) : null;
        @Nullable DeviceBuffer[] buffers = new DeviceBuffer[type.layout().bufferCount()];
        return new ArrayData(type, Device.CPU, 0, 0, 0, buffers, children, dictionary);
    }
}

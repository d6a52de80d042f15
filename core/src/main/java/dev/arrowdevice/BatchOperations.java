package dev.arrowdevice;

import dev.arrowdevice.internal.operations.Columns;
import dev.arrowdevice.internal.operations.Operations;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.ReferenceCounted;
import dev.arrowdevice.spi.Verb;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The operations that make a batch of another one. Each returns an owner, which the caller closes, and leaves this batch
 * as it is. Those on columns, and {@link #head} and {@link #tail}, share all memory, on any device. The others read
 * values, so they wait for them and throw {@link UnreadableDeviceException} if the host can't; what they make is on the
 * CPU.
 */
abstract class BatchOperations {
    BatchOperations() {}

    /** The fields and the metadata. */
    public abstract Schema getSchema();

    abstract DeviceArray struct();

    private RecordBatch batch(DeviceArray struct) {
        return new RecordBatch(getSchema(), struct);
    }

    /**
     * The batch with only these columns, in this order, in the same memory. The caller closes the result.
     *
     * @throws IllegalArgumentException if no column has one of the names, or more than one has it
     */
    public final RecordBatch select(String... names) {
        int[] indices = new int[names.length];
        for (int i = 0; i < names.length; i++) {
            indices[i] = Columns.indexOf(getSchema(), names[i], "select");
        }
        return select(indices);
    }

    /**
     * The batch with only these columns, by index from 0, in this order, in the same memory. The caller closes the
     * result.
     *
     * @throws IndexOutOfBoundsException if there is no such column
     */
    public final RecordBatch select(int... columns) {
        List<Field> fields = new ArrayList<>();
        for (int column : columns) {
            fields.add(Columns.field(getSchema(), column, "select"));
        }
        return with(new Schema(fields, getSchema().metadata()), columns, "select");
    }

    /**
     * The batch without these columns, in the same memory. The caller closes the result.
     *
     * @throws IllegalArgumentException if no column has one of the names, or more than one has it
     */
    public final RecordBatch drop(String... names) {
        return select(Columns.others(getSchema(), names));
    }

    /**
     * The batch with another name for a column, in the same memory. The caller closes the result.
     *
     * @throws IllegalArgumentException if no column has the name, or more than one has it
     */
    public final RecordBatch rename(String column, String newName) {
        return rename(Map.of(column, newName));
    }

    /**
     * The batch with other names for columns, in the same memory. Names are exchanged all at once. The caller closes the
     * result.
     *
     * @param newNames the new name for each name that changes
     * @throws IllegalArgumentException if no column has one of the names, or more than one has it
     */
    public final RecordBatch rename(Map<String, String> newNames) {
        List<Field> fields = new ArrayList<>(getSchema().fields());
        newNames.forEach((name, newName) -> {
            int index = Columns.indexOf(getSchema(), name, "rename");
            fields.set(index, fields.get(index).withName(newName));
        });
        int[] all = new int[fields.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i;
        }
        return with(new Schema(fields, getSchema().metadata()), all, "rename");
    }

    /**
     * The batch with a column in place of that of the same name, or behind all others. The array is moved to the result,
     * as by {@link RecordBatch#of(Schema, List)}; the other columns are shared. The caller closes the result, and this
     * batch. On failure the caller remains the owner of the array.
     *
     * @throws IllegalArgumentException if the array is longer or shorter than the batch or on another device, or if more
     *     than one column has the name
     * @throws IllegalStateException if the array was closed or moved or is borrowed
     */
    public final RecordBatch withColumn(String name, DeviceArray column) {
        return withColumn(Field.nullable(name, column.getType()), column);
    }

    /**
     * The batch with a column of a field in place of that of the same name, or behind all others; see
     * {@link #withColumn(String, DeviceArray)}.
     *
     * @throws IllegalArgumentException also if the array is of another type than the field, or has nulls and the field is
     *     not nullable
     */
    public final RecordBatch withColumn(Field field, DeviceArray column) {
        DeviceArray struct = struct();
        int known = getSchema().fieldIndex(field.name());
        List<Field> fields = new ArrayList<>(getSchema().fields());
        int at = known < 0 ? fields.size() : known;
        if (known < 0) {
            fields.add(field);
        } else {
            fields.set(at, field);
        }
        Device device = getSchema().size() == 0 ? column.getDevice() : struct.getDevice();
        RecordBatch.checkColumn(field, column, struct.getLength(), device);
        Schema schema = new Schema(fields, getSchema().metadata());
        return DeviceArray.moveAll(Verb.WITH_COLUMN, List.of(column), (moved, owner) -> {
            ArrayData[] children = new ArrayData[fields.size()];
            for (int i = 0; i < children.length; i++) {
                children[i] = i == at ? moved.get(0) : Columns.child(struct.getData(), i);
            }
            ReferenceCounted shared = struct.ownership.state.retain("withColumn");
            try {
                ArrayData data = Columns.struct(ArrowType.struct(fields), device, struct.getLength(), children);
                return new RecordBatch(
                        schema, RecordBatch.ready(data, ReferenceCounted.all(shared, owner), List.of(struct, column)));
            } catch (Throwable e) {
                shared.release();
                throw e;
            }
        });
    }

    private RecordBatch with(Schema schema, int[] columns, String operation) {
        DeviceArray struct = struct();
        ArrayData[] children = new ArrayData[columns.length];
        for (int i = 0; i < columns.length; i++) {
            children[i] = Columns.child(struct.getData(), columns[i]);
        }
        ArrayData data =
                Columns.struct(ArrowType.struct(schema.fields()), struct.getDevice(), struct.getLength(), children);
        ReferenceCounted owner = struct.ownership.state.retain(operation);
        try {
            return new RecordBatch(schema, new DeviceArray(data, owner, struct.getReadyEvent()));
        } catch (Throwable e) {
            owner.release();
            throw e;
        }
    }

    /**
     * The first rows, or all if there are fewer, in the same memory. The caller closes the result.
     *
     * @throws IllegalArgumentException if the count is negative
     */
    public final RecordBatch head(long count) {
        return batch(struct().head(count));
    }

    /**
     * The last rows, or all if there are fewer, in the same memory. The caller closes the result.
     *
     * @throws IllegalArgumentException if the count is negative
     */
    public final RecordBatch tail(long count) {
        return batch(struct().tail(count));
    }

    /**
     * The rows for which a mask is true, in order; a null in the mask counts as false. See
     * {@link ArrayView#filter(ArrayView)} for what is copied and shared, and for exceptions. The caller closes the
     * result, and remains the owner of the batch and the mask. The mask may be a column of the batch.
     */
    public final RecordBatch filter(ArrayView mask) {
        return batch(Operations.filter(struct(), mask));
    }

    /**
     * The rows for whose index, from 0, a predicate is true, in order. It is asked once for each row, and may read
     * columns of this batch. If it throws, nothing was made. The rest is as in {@link #filter(ArrayView)}.
     */
    public final RecordBatch filter(LongPredicate predicate) {
        return batch(Operations.filter(struct(), predicate));
    }

    /**
     * The rows at indices, from 0, in the order of the indices, each as often as its index occurs. A null index makes a
     * row of nulls. See {@link ArrayView#take(ArrayView)}. The caller closes the result, and remains the owner of the
     * batch and the indices.
     *
     * @throws IllegalArgumentException also if there is a null index and a column is not nullable
     */
    public final RecordBatch take(ArrayView indices) {
        return batch(Operations.take(struct(), indices, true));
    }

    /** The rows at indices; see {@link #take(ArrayView)}. */
    public final RecordBatch take(long... indices) {
        return batch(Operations.take(struct(), indices, true));
    }

    /**
     * The batch with columns {@linkplain ArrayView#dictionaryEncode() dictionary-encoded}; the others are shared. The
     * caller closes the result.
     *
     * @throws IllegalArgumentException if no column has one of the names, or more than one has it
     */
    public final RecordBatch dictionaryEncode(String... columns) {
        return withEach("dictionaryEncode", columns, ArrayView::dictionaryEncode);
    }

    /**
     * The batch with columns {@linkplain ArrayView#decode decoded}; the others are shared. The caller closes the result.
     *
     * @throws IllegalArgumentException if no column has one of the names, or more than one has it
     */
    public final RecordBatch decode(String... columns) {
        return withEach("decode", columns, ArrayView::decode);
    }

    /**
     * The batch with a column as a wider type; see {@link ArrayView#cast}. The others are shared. The caller closes the
     * result.
     *
     * @throws IllegalArgumentException if the cast could change a value; if no column has the name, or more than one has
     *     it
     */
    public final RecordBatch cast(String column, ArrowType type) {
        return withEach("cast", new String[] {column}, array -> array.cast(type));
    }

    /**
     * The batch as one of another schema, which has the same names in the same order, and the same or wider types; see
     * {@link ArrayView#cast}. Columns whose type does not change are shared. The caller closes the result.
     *
     * @throws IllegalArgumentException if names differ, if a cast could change a value, or if a column has nulls and its
     *     new field is not nullable
     */
    public final RecordBatch cast(Schema schema) {
        if (!schema.names().equals(getSchema().names())) {
            throw new IllegalArgumentException("cast: columns " + schema.names() + " for those that are "
                    + getSchema().names());
        }
        return withColumns(schema, column -> {
            ArrayView array = struct().child(column);
            ArrowType type = schema.field(column).type();
            return array.getType().equals(type) ? kept(array) : array.cast(type);
        });
    }

    private RecordBatch withEach(String operation, String[] names, Function<ArrayView, DeviceArray> change) {
        Set<Integer> changed = new HashSet<>();
        for (String name : names) {
            changed.add(Columns.indexOf(getSchema(), name, operation));
        }
        return withColumns(null, column -> {
            ArrayView array = struct().child(column);
            return changed.contains(column) ? change.apply(array) : kept(array);
        });
    }

    /** A column that doesn't change. What operations make is on the CPU, and so must be all columns. */
    private static DeviceArray kept(ArrayView column) {
        return column.getDevice().isCpu() ? column.share() : column.copyTo(Device.CPU);
    }

    /** A batch of other columns. Without a schema, each field has the type of its column. */
    private RecordBatch withColumns(@Nullable Schema schema, IntFunction<DeviceArray> column) {
        List<DeviceArray> columns = new ArrayList<>();
        try {
            List<Field> fields = new ArrayList<>();
            for (int i = 0; i < getSchema().size(); i++) {
                columns.add(column.apply(i));
                fields.add(getSchema().field(i).withType(columns.get(i).getType()));
            }
            Schema made = schema == null ? new Schema(fields, getSchema().metadata()) : schema;
            return RecordBatch.of(made, columns, struct().getLength());
        } catch (Throwable e) {
            columns.forEach(DeviceArray::close);
            throw e;
        }
    }
}

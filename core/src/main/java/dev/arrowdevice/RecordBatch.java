package dev.arrowdevice;

import dev.arrowdevice.internal.operations.Columns;
import dev.arrowdevice.internal.operations.Operations;
import dev.arrowdevice.internal.owners.BatchChecks;
import dev.arrowdevice.internal.owners.EventOwner;
import dev.arrowdevice.internal.printing.TablePrinter;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceReference;
import dev.arrowdevice.spi.Devices;
import dev.arrowdevice.spi.ReferenceCounted;
import dev.arrowdevice.spi.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An owner of columns of equal length: a struct array without nulls of its own, and the schema. "A record batch can be
 * trivially considered as an equivalent struct array."
 *
 * <p>The states, threads and exceptions are those of {@link DeviceArray}. A column is borrowed, and lives as long as
 * the batch; {@link ArrayView#share() share} a column to keep it.
 */
public final class RecordBatch extends BatchOperations implements AutoCloseable {
    private final Schema schema;
    private final DeviceArray struct;

    RecordBatch(Schema schema, DeviceArray struct) {
        this.schema = schema;
        this.struct = struct;
    }

    /**
     * Moves columns into a batch. On failure the caller remains the owner of all columns.
     *
     * @throws IllegalArgumentException if the number or the types of the columns don't fit the schema, if a column that
     *     is not nullable has nulls, or if lengths or devices differ; the message names the column
     * @throws IllegalStateException if a column was closed or moved or is borrowed
     */
    public static RecordBatch of(Schema schema, List<DeviceArray> columns) {
        return of(schema, columns, columns.isEmpty() ? 0 : columns.get(0).getLength());
    }

    /**
     * Moves columns into a batch with a given number of rows. The number matters if there are no columns.
     *
     * @see #of(Schema, List)
     */
    public static RecordBatch of(Schema schema, List<DeviceArray> columns, long rowCount) {
        List<Field> fields = schema.fields();
        if (fields.size() != columns.size()) {
            throw new IllegalArgumentException(
                    columns.size() + " columns for a schema of " + fields.size() + " fields");
        }
        Device device = columns.isEmpty() ? Device.CPU : columns.get(0).getDevice();
        for (int i = 0; i < fields.size(); i++) {
            checkColumn(fields.get(i), columns.get(i), rowCount, device);
        }
        ArrowType type = ArrowType.struct(fields);
        return DeviceArray.moveAll(Verb.MAKE_BATCH, columns, (data, owner) -> {
            ArrayData struct = new ArrayData(
                    type, device, rowCount, 0, 0, new DeviceBuffer[] {null}, data.toArray(new ArrayData[0]), null);
            return new RecordBatch(schema, ready(struct, owner, columns));
        });
    }

    /**
     * Makes a batch of a struct array, whose fields become the columns. The array is moved; on failure the caller
     * remains its owner. If the array has a validity bitmap and its null count is unknown, this waits for the bitmap.
     * If the device has no runtime, the array is assumed to have no nulls.
     *
     * @param schema the fields of the struct, with the batch's metadata
     * @throws IllegalArgumentException if the array is not a struct of these fields, or has nulls of its own
     */
    public static RecordBatch ofStruct(Schema schema, DeviceArray struct) {
        BatchChecks.requireStruct(schema, struct.getType());
        BatchChecks.requireNoNulls(struct.ownNullCount());
        return new RecordBatch(schema, struct.move(Verb.MAKE_BATCH_OF_STRUCT));
    }

    /**
     * The rows of batches, one after the other, as a new batch, which the caller closes. The batches remain the caller's.
     * They have the same fields in the same order; the metadata of the first one is kept. See
     * {@link DeviceArray#concat}.
     *
     * @throws IllegalArgumentException if there is no batch, or if fields differ; the message names the first one
     */
    public static RecordBatch concat(List<RecordBatch> batches) {
        List<DeviceArray> structs = new ArrayList<>(batches.size());
        for (RecordBatch batch : batches) {
            Columns.requireSameFields(batches.get(0).getSchema(), batch.getSchema(), structs.size());
            structs.add(batch.struct);
        }
        return new RecordBatch(
                batches.isEmpty() ? Schema.of() : batches.get(0).getSchema(), Operations.concat(structs));
    }

    /** The fields and the metadata. */
    @Override
    public Schema getSchema() {
        return schema;
    }

    /** The number of rows. */
    public long getRowCount() {
        return struct.getLength();
    }

    /** The number of columns. */
    public int getColumnCount() {
        return schema.fields().size();
    }

    /** The device that the memory belongs to. */
    public Device getDevice() {
        return struct.getDevice();
    }

    /** Whether the batch was neither closed nor moved. */
    public boolean isLive() {
        return struct.isLive();
    }

    /**
     * A column, borrowed.
     *
     * @throws IndexOutOfBoundsException if there is no such column
     */
    public ArrayView column(int index) {
        int count = schema.fields().size();
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("column " + index + " of a batch of " + count);
        }
        return struct.child(index);
    }

    /**
     * The first column with a name, borrowed.
     *
     * @throws IllegalArgumentException if there is none; the message lists the names
     */
    public ArrayView column(String name) {
        return struct.child("column", name);
    }

    /** The struct array of the batch. */
    @Override
    DeviceArray struct() {
        return struct;
    }

    /** The batch as a struct array, borrowed. */
    public ArrayView asStruct() {
        return struct;
    }

    /**
     * Reads many values of several columns: {@code reader.child(i)} reads column i. See {@link ArrayView#borrow}.
     */
    public <R> R borrow(Function<? super ArrayReader, ? extends R> read) {
        return struct.borrow(read);
    }

    /** One more owner of the same memory, which the caller closes. */
    public RecordBatch share() {
        return new RecordBatch(schema, struct.share());
    }

    /** An owner of a range of rows of the same memory, which the caller closes. */
    public RecordBatch slice(long offset, long length) {
        return new RecordBatch(schema, struct.slice(offset, length));
    }

    /** A copy on a device; see {@link ArrayView#copyTo}. */
    public RecordBatch copyTo(DeviceReference device) {
        return new RecordBatch(schema, struct.copyTo(device));
    }

    /** A copy on a device, whose values may not be there yet; see {@link ArrayView#copyToAsync}. */
    public RecordBatch copyToAsync(DeviceReference device, DeviceQueue queue) {
        return new RecordBatch(schema, struct.copyToAsync(device, queue));
    }

    /** Waits on the host until the values are there; see {@link ArrayView#await}. */
    public void await() {
        struct.await();
    }

    /** Makes work that is queued later wait until the values are there; see {@link ArrayView#awaitAsync}. */
    public void awaitAsync(DeviceQueue queue) {
        struct.awaitAsync(queue);
    }

    /** Whether schemas and values are the same; see {@link ArrayView#valuesEqual}. */
    public boolean valuesEqual(RecordBatch other) {
        return schema.equals(other.schema) && struct.valuesEqual(other.struct);
    }

    /** Moves the memory into a struct array, which the caller closes; the batch is moved. */
    public DeviceArray intoStruct() {
        return struct.move(Verb.INTO_STRUCT);
    }

    /** The event that completes when the values are there, or null if they are there already. */
    public @Nullable DeviceEvent getReadyEvent() {
        return struct.getReadyEvent();
    }

    /** Closes the batch, and releases the memory when queued work is done; see {@link DeviceArray#closeAsync}. */
    public void closeAsync(DeviceQueue queue) {
        struct.closeAsync(queue);
    }

    /** Releases the memory. Idempotent, never throws. Does nothing after a move. */
    @Override
    public void close() {
        struct.close();
    }

    /**
     * The first rows as a table: names, types and values, with numbers aligned to the right. The text has several
     * lines, and no line break at the end. Never fails: if the host can't read the memory, or the batch was closed or
     * moved, the text says so.
     *
     * @param maxRows the largest number of rows to show, from 0
     * @param maxWidth the largest number of characters of a value to show, from 1
     * @throws IllegalArgumentException for other limits
     */
    public String toTable(int maxRows, int maxWidth) {
        return new TablePrinter(maxRows, maxWidth).print(this);
    }

    /** The first rows as a table. Never fails; see {@link ArrayView#toString}. */
    @Override
    public String toString() {
        return toTable(20, 40);
    }

    static void checkColumn(Field field, DeviceArray column, long rowCount, Device device) {
        if (!field.type().equals(column.getType())) {
            throw new IllegalArgumentException("column \"" + field.name() + "\" is declared " + field.type()
                    + ", its array is " + column.getType());
        }
        if (column.getLength() != rowCount) {
            throw new IllegalArgumentException(
                    "column \"" + field.name() + "\" has " + column.getLength() + " rows, the batch " + rowCount);
        }
        if (!column.getDevice().equals(device)) {
            throw new IllegalArgumentException(
                    "column \"" + field.name() + "\" is on " + column.getDevice() + ", the first one on " + device);
        }
        long nulls = field.nullable() || !column.getData().isHostReadable()
                ? column.getData().getKnownNullCount()
                : column.getNullCount();
        if (!field.nullable() && nulls > 0) {
            throw new IllegalArgumentException(
                    "column \"" + field.name() + "\" is declared not nullable and has " + nulls + " nulls");
        }
    }

    /**
     * The array of all columns, with one event for all of them: their own if it is the same, otherwise one that joins
     * them.
     */
    static DeviceArray ready(ArrayData struct, ReferenceCounted owner, List<DeviceArray> columns) {
        List<DeviceEvent> events = new ArrayList<>();
        for (DeviceArray column : columns) {
            DeviceEvent ready = column.getReadyEvent();
            if (ready != null && !events.contains(ready)) {
                events.add(ready);
            }
        }
        if (events.size() <= 1) {
            return new DeviceArray(struct, owner, events.isEmpty() ? null : events.get(0));
        }
        DeviceEvent joined = Devices.runtime(events.get(0).getDevice()).join(events);
        return new DeviceArray(struct, ReferenceCounted.all(owner, new EventOwner(joined)), joined);
    }
}

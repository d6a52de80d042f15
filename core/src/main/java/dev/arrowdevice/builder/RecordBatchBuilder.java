package dev.arrowdevice.builder;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.Field;
import dev.arrowdevice.Metadata;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.spi.CpuRuntime;
import dev.arrowdevice.spi.DeviceRuntime;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Builds record batches, row by row, or column by column with a builder for each.
 *
 * <!-- given static Schema schema; -->
 * <pre>{@code
 * try (RecordBatchBuilder builder = RecordBatchBuilder.of(schema)) {
 *     builder.column("id").append(1L);
 *     builder.column("name").append("Ada");
 *     builder.appendRow(2L, "Alan");
 *     RecordBatch batch = builder.finish();
 * }
 * }</pre>
 *
 * <p>Exceptions, threads and memory are those of {@link ArrayBuilder}.
 */
public final class RecordBatchBuilder implements AutoCloseable {
    private final StructBuilder struct;

    private RecordBatchBuilder(Schema schema, DeviceRuntime runtime, UnaryOperator<Object> adapter) {
        Field field = new Field("", ArrowType.struct(schema.fields()), false, schema.metadata());
        this.struct = ArrayBuilder.of(field, runtime, adapter).as(StructBuilder.class);
    }

    /** A builder of batches of a schema on the CPU; more columns can be added. */
    public static RecordBatchBuilder of(Schema schema) {
        return of(schema, CpuRuntime.INSTANCE, UnaryOperator.identity());
    }

    /** A builder in the memory of a runtime; see {@link ArrayBuilder#of(Field, DeviceRuntime, UnaryOperator)}. */
    public static RecordBatchBuilder of(Schema schema, DeviceRuntime runtime, UnaryOperator<Object> adapter) {
        return new RecordBatchBuilder(schema, runtime, adapter);
    }

    /** The schema of the present columns, with the metadata. */
    public Schema getSchema() {
        Field rows = struct.getField();
        return new Schema(rows.children(), rows.metadata());
    }

    /** Sets the metadata of the batches to come. */
    public void setMetadata(Metadata newMetadata) {
        struct.setMetadata(newMetadata);
    }

    /** The builder of the rows: structs that are not nullable, whose fields are the columns. */
    public StructBuilder getRows() {
        return struct;
    }

    /** The number of columns. */
    public int getColumnCount() {
        return struct.getChildCount();
    }

    /** The builders of all columns, in order. */
    public List<ArrayBuilder> getColumns() {
        return struct.getChildren();
    }

    /**
     * The builder of a column.
     *
     * @throws IndexOutOfBoundsException if there is none
     */
    public ArrayBuilder column(int index) {
        return struct.child(index);
    }

    /**
     * The builder of the first column with a name.
     *
     * @throws IllegalArgumentException if there is none; the message lists the names
     */
    public ArrayBuilder column(String name) {
        return struct.child(name);
    }

    /** The builder of a column as one of a nested type, see {@link ArrayBuilder#as}. */
    public <B extends ArrayBuilder> B column(String name, Class<B> builderClass) {
        return struct.child(name, builderClass);
    }

    /** Adds a column behind the others, in this batch and those to come, and returns its builder. */
    public ArrayBuilder addColumn(Field field) {
        return struct.addField(field);
    }

    /**
     * Appends a value to each column. The columns must be of equal length before.
     *
     * @param values as many as there are columns, each as {@link ArrayBuilder#append(Object)} takes it
     * @throws IllegalArgumentException if a value does not fit its column. The columns before it have their values then,
     *     so {@link #finish()} refuses the batch until the other columns have got a value too
     */
    public void appendRow(@Nullable Object... values) {
        struct.append(Arrays.asList(values));
    }

    /**
     * Moves what has been appended into a batch, which the caller closes. The builder is empty afterwards. On failure
     * the builder is as it was, but a lack of memory or a failing device closes it.
     *
     * @throws IllegalArgumentException if the columns differ in length (the message names two), or a nested value is
     *     incomplete
     * @throws IllegalStateException if the builder was closed
     */
    public RecordBatch finish() {
        Schema schema = getSchema();
        DeviceArray rows = struct.finish();
        try {
            return RecordBatch.ofStruct(schema, rows);
        } catch (Throwable e) {
            rows.close();
            throw e;
        }
    }

    /** Frees what has not been moved out. Idempotent, never throws. */
    @Override
    public void close() {
        struct.close();
    }
}

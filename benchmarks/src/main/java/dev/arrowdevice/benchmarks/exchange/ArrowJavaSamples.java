package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.CArrayStruct;
import dev.arrowdevice.CSchemaStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.RecordBatch;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.compare.VectorEqualsVisitor;

/** The arrays and batches of {@link Samples} as Arrow Java holds its own: copied into memory of its allocator. */
final class ArrowJavaSamples {
    private ArrowJavaSamples() {}

    static FieldVector vector(BufferAllocator allocator, Kind kind, int rows, int nulls) {
        try (CArrayStruct struct = CStruct.array();
                CSchemaStruct schema = CStruct.schema();
                DeviceArray array = Samples.array(kind, rows, nulls)) {
            ArrowExport.exportArray(array, struct, schema);
            try (FieldVector imported = Data.importVector(
                    allocator, ArrowArray.wrap(struct.getAddress()), ArrowSchema.wrap(schema.getAddress()), null)) {
                FieldVector copy = imported.getField().createVector(allocator);
                copy(imported, copy);
                return copy;
            }
        }
    }

    static VectorSchemaRoot root(BufferAllocator allocator, Kind kind, int rows) {
        try (CArrayStruct struct = CStruct.array();
                CSchemaStruct schema = CStruct.schema();
                RecordBatch batch = Samples.batch(kind, rows)) {
            ArrowExport.exportBatch(batch, struct, schema);
            try (VectorSchemaRoot imported = Data.importVectorSchemaRoot(
                    allocator, ArrowArray.wrap(struct.getAddress()), ArrowSchema.wrap(schema.getAddress()), null)) {
                VectorSchemaRoot copy = VectorSchemaRoot.create(imported.getSchema(), allocator);
                for (int i = 0; i < copy.getFieldVectors().size(); i++) {
                    copy(imported.getVector(i), copy.getVector(i));
                }
                copy.setRowCount(rows);
                return copy;
            }
        }
    }

    private static void copy(FieldVector from, FieldVector to) {
        to.setInitialCapacity(from.getValueCount());
        to.allocateNew();
        for (int i = 0; i < from.getValueCount(); i++) {
            to.copyFromSafe(i, i, from);
        }
        to.setValueCount(from.getValueCount());
    }

    /**
     * Compares what was imported with what was exported.
     *
     * @throws AssertionError if a value is another
     */
    static void requireEqual(FieldVector imported, FieldVector exported) {
        if (!VectorEqualsVisitor.vectorEquals(imported, exported, ArrowJavaSamples::sameType)) {
            throw new AssertionError("what was imported has other values than what was exported");
        }
    }

    static void requireEqual(VectorSchemaRoot imported, VectorSchemaRoot exported) {
        for (int i = 0; i < exported.getFieldVectors().size(); i++) {
            requireEqual(imported.getVector(i), exported.getVector(i));
        }
    }

    /** The field that is known beside an array has no name. */
    private static boolean sameType(ValueVector one, ValueVector other) {
        return one.getField().getType().equals(other.getField().getType());
    }
}

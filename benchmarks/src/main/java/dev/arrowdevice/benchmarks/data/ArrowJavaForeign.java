package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.CArrayStruct;
import dev.arrowdevice.CSchemaStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.builder.ArrayBuilder;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/** Vectors of Arrow Java as they come over the C data interface, from where those of {@link Foreign} come. */
final class ArrowJavaForeign {
    private ArrowJavaForeign() {}

    /** Moves an array out, which Arrow Java takes in. */
    static FieldVector imported(BufferAllocator allocator, DeviceArray array) {
        try (CArrayStruct struct = CStruct.array();
                CSchemaStruct schema = CStruct.schema()) {
            ArrowExport.exportArray(array, struct, schema);
            return Data.importVector(
                    allocator, ArrowArray.wrap(struct.getAddress()), ArrowSchema.wrap(schema.getAddress()), null);
        }
    }

    /** What has been built, imported. */
    static FieldVector imported(BufferAllocator allocator, ArrayBuilder builder) {
        return imported(allocator, builder.finish());
    }
}

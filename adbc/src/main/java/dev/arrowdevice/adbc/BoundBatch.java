package dev.arrowdevice.adbc;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.CArrayStruct;
import dev.arrowdevice.CSchemaStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.adbc.internal.abi.NativeDriver;
import dev.arrowdevice.spi.NativeMemory;

/** Binds a batch by {@code StatementBind}, for a driver that binds no streams. */
final class BoundBatch {
    /** {@code offsetof(struct ArrowArray, release)}. */
    private static final long ARRAY_RELEASE = 64;
    /** {@code offsetof(struct ArrowSchema, release)}. */
    private static final long SCHEMA_RELEASE = 56;

    private BoundBatch() {}

    /** "The driver will call the release callback itself, although it may not do this until the statement is released." */
    static void bind(NativeDriver driver, AdbcStatement statement, RecordBatch batch) {
        // A driver that fails and leaves the structs where they are leaves them to us.
        try (RecordBatch shared = batch.share();
                CArrayStruct array = CStruct.array();
                CSchemaStruct schema = CStruct.schema()) {
            ArrowExport.exportBatch(shared, array, schema);
            driver.run(
                    "StatementBind",
                    (functions, error) -> functions.StatementBind(
                            statement.address(), array.getAddress(), schema.getAddress(), error));
            // A driver may take them without marking the structs released.
            NativeMemory.putLong(array.getAddress() + ARRAY_RELEASE, 0);
            NativeMemory.putLong(schema.getAddress() + SCHEMA_RELEASE, 0);
        }
    }
}

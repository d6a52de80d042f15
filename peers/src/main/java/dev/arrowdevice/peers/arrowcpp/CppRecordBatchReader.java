package dev.arrowdevice.peers.arrowcpp;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An {@code arrow::RecordBatchReader}: C++'s stream of batches. */
public final class CppRecordBatchReader extends CppObject {
    private static final CppFunction IMPORT =
            CppFunction.named("_ZN5arrow23ImportRecordBatchReaderEP16ArrowArrayStream");
    private static final CppFunction IMPORT_DEVICE = CppFunction.named(
            "_ZN5arrow29ImportDeviceRecordBatchReaderEP22ArrowDeviceArrayStreamRKSt8functionIFNS_6ResultISt10shared_ptrINS_13MemoryManagerEEEEilEE");
    private static final CppFunction EXPORT = CppFunction.named(
            "_ZN5arrow23ExportRecordBatchReaderESt10shared_ptrINS_17RecordBatchReaderEEP16ArrowArrayStream");
    private static final CppFunction EXPORT_DEVICE = CppFunction.named(
            "_ZN5arrow29ExportDeviceRecordBatchReaderESt10shared_ptrINS_17RecordBatchReaderEEP22ArrowDeviceArrayStream");
    private static final CppFunction MAKE = CppFunction.named(
            "_ZN5arrow17RecordBatchReader4MakeESt6vectorISt10shared_ptrINS_11RecordBatchEESaIS4_EES2_INS_6SchemaEENS_20DeviceAllocationTypeE");

    private static final int SCHEMA = 2;
    private static final int READ_NEXT = 3;
    private static final int CLOSE = 5;
    private static final int CPU = 1;

    CppRecordBatchReader(long sharedPtr) {
        super(sharedPtr);
    }

    /** A reader of these batches; they stay the caller's to close. */
    public static CppRecordBatchReader of(CppSchema schema, List<CppRecordBatch> batches) {
        try (CppScope scope = new CppScope()) {
            return new CppRecordBatchReader(scope.result(MAKE, scope.vector(batches), scope.copy(schema), CPU));
        }
    }

    /**
     * Imports an {@code ArrowArrayStream}, which C++ consumes, and reads its schema.
     *
     * @throws CppException with the producer's message, if it fails
     */
    public static CppRecordBatchReader importFrom(long streamAddress) {
        try (CppScope scope = new CppScope()) {
            return new CppRecordBatchReader(scope.result(IMPORT, streamAddress));
        }
    }

    /**
     * Imports an {@code ArrowDeviceArrayStream}, which C++ consumes, and reads its schema.
     *
     * @throws CppException with the producer's message, if it fails
     */
    public static CppRecordBatchReader importDeviceFrom(long streamAddress) {
        try (CppScope scope = new CppScope()) {
            long mapper = CppDevice.defaultMapper(scope);
            return new CppRecordBatchReader(scope.result(IMPORT_DEVICE, streamAddress, mapper));
        }
    }

    /** Writes a stream that shares this reader: its content is then the caller's, this owner is still to be closed. */
    public void exportTo(long streamAddress) {
        try (CppScope scope = new CppScope()) {
            scope.status(EXPORT, scope.copy(this), streamAddress);
        }
    }

    /** Writes a device stream that shares this reader. */
    public void exportDeviceTo(long streamAddress) {
        try (CppScope scope = new CppScope()) {
            scope.status(EXPORT_DEVICE, scope.copy(this), streamAddress);
        }
    }

    public CppSchema schema() {
        try (CppScope scope = new CppScope()) {
            long reader = address();
            return new CppSchema(CppFunction.virtual(reader, SCHEMA).returning(scope, reader));
        }
    }

    /**
     * The next batch, or null at the end.
     *
     * @throws CppException if the producer fails
     */
    public @Nullable CppRecordBatch next() {
        try (CppScope scope = new CppScope()) {
            long reader = address();
            long batch = scope.block(CppMemory.SHARED_PTR);
            scope.status(CppFunction.virtual(reader, READ_NEXT), reader, batch);
            return CppMemory.getLong(batch) == 0 ? null : new CppRecordBatch(batch);
        }
    }

    /** {@code Close()}: the reader gives up its source, though this owner of it stays open. */
    public void finish() {
        try (CppScope scope = new CppScope()) {
            long reader = address();
            scope.status(CppFunction.virtual(reader, CLOSE), reader);
        }
    }
}

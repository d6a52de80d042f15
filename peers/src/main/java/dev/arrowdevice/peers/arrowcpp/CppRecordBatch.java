package dev.arrowdevice.peers.arrowcpp;

import java.util.List;

/** An {@code arrow::RecordBatch}. */
public final class CppRecordBatch extends CppObject {
    private static final CppFunction IMPORT =
            CppFunction.named("_ZN5arrow17ImportRecordBatchEP10ArrowArrayP11ArrowSchema");
    private static final CppFunction IMPORT_DEVICE = CppFunction.named(
            "_ZN5arrow23ImportDeviceRecordBatchEP16ArrowDeviceArrayP11ArrowSchemaRKSt8functionIFNS_6ResultISt10shared_ptrINS_13MemoryManagerEEEEilEE");
    private static final CppFunction EXPORT =
            CppFunction.named("_ZN5arrow17ExportRecordBatchERKNS_11RecordBatchEP10ArrowArrayP11ArrowSchema");
    private static final CppFunction EXPORT_DEVICE = CppFunction.named(
            "_ZN5arrow23ExportDeviceRecordBatchERKNS_11RecordBatchESt10shared_ptrINS_6Device9SyncEventEEP16ArrowDeviceArrayP11ArrowSchema");
    private static final CppFunction FROM_STRUCT =
            CppFunction.named("_ZN5arrow11RecordBatch15FromStructArrayERKSt10shared_ptrINS_5ArrayEEPNS_10MemoryPoolE");
    private static final CppFunction MAKE = CppFunction.named(
            "_ZN5arrow11RecordBatch4MakeESt10shared_ptrINS_6SchemaEElSt6vectorIS1_INS_5ArrayEESaIS6_EES1_INS_6Device9SyncEventEE");
    private static final CppFunction VALIDATE_FULL = CppFunction.named("_ZNK5arrow11RecordBatch12ValidateFullEv");
    private static final CppFunction TO_STRING = CppFunction.named("_ZNK5arrow11RecordBatch8ToStringEv");
    private static final CppFunction EQUALS =
            CppFunction.named("_ZNK5arrow11RecordBatch6EqualsERKS0_bRKNS_12EqualOptionsE");

    private static final int COLUMN = 3;
    private static final int SLICE = 12;
    private static final long SCHEMA = 8;
    private static final long ROW_COUNT = 24;

    CppRecordBatch(long sharedPtr) {
        super(sharedPtr);
    }

    /**
     * Imports both structs, which C++ consumes, on failure too.
     *
     * @throws CppException if C++ refuses them
     */
    public static CppRecordBatch importFrom(long arrayAddress, long schemaAddress) {
        try (CppScope scope = new CppScope()) {
            return new CppRecordBatch(scope.result(IMPORT, arrayAddress, schemaAddress));
        }
    }

    /**
     * Imports a device array. C++ consumes both structs, unless it doesn't know the device: then the array stays.
     *
     * @throws CppException if C++ refuses them
     */
    public static CppRecordBatch importDeviceFrom(long deviceArrayAddress, long schemaAddress) {
        try (CppScope scope = new CppScope()) {
            long mapper = CppDevice.defaultMapper(scope);
            return new CppRecordBatch(scope.result(IMPORT_DEVICE, deviceArrayAddress, schemaAddress, mapper));
        }
    }

    /** The fields of a struct array as columns; validity and offset of the struct go into them. */
    public static CppRecordBatch fromStruct(CppArray struct) {
        try (CppScope scope = new CppScope()) {
            return new CppRecordBatch(scope.result(FROM_STRUCT, scope.reference(struct), ArrowCpp.defaultMemoryPool()));
        }
    }

    /** A batch of that many rows and these columns, which C++ does not hold against each other nor against the schema. */
    public static CppRecordBatch unchecked(CppSchema schema, long rows, List<CppArray> columns) {
        try (CppScope scope = new CppScope()) {
            return new CppRecordBatch(
                    MAKE.returning(scope, scope.copy(schema), rows, scope.vector(columns), scope.nullPointer()));
        }
    }

    /** Writes both structs, whose content is then the caller's; a schema address of 0 leaves the schema out. */
    public void exportTo(long arrayAddress, long schemaAddress) {
        try (CppScope scope = new CppScope()) {
            scope.status(EXPORT, address(), arrayAddress, schemaAddress);
        }
    }

    /** Writes a device array without an event, and its schema unless that address is 0. */
    public void exportDeviceTo(long deviceArrayAddress, long schemaAddress) {
        try (CppScope scope = new CppScope()) {
            scope.status(EXPORT_DEVICE, address(), scope.nullPointer(), deviceArrayAddress, schemaAddress);
        }
    }

    /** A view of the same buffers. */
    public CppRecordBatch slice(long offset, long length) {
        try (CppScope scope = new CppScope()) {
            long batch = address();
            return new CppRecordBatch(CppFunction.virtual(batch, SLICE).returning(scope, batch, offset, length));
        }
    }

    /**
     * Checks every byte that can be wrong.
     *
     * @throws CppException that says what is
     */
    public CppRecordBatch validateFull() {
        try (CppScope scope = new CppScope()) {
            scope.status(VALIDATE_FULL, address());
            return this;
        }
    }

    /** Whether {@link #validateFull} finds nothing. */
    public boolean isValid() {
        try {
            validateFull();
            return true;
        } catch (CppException invalid) {
            return false;
        }
    }

    /** Whether schema, metadata included, and values are equal for C++; NaN equals NaN. */
    public boolean sameAs(CppRecordBatch other) {
        try (CppScope scope = new CppScope()) {
            return EQUALS.test(address(), other.address(), 1, CppArrays.equalOptions(scope));
        }
    }

    public long rowCount() {
        return CppMemory.getLong(address() + ROW_COUNT);
    }

    /** One more owner of the schema. */
    public CppSchema schema() {
        long schema = address() + SCHEMA;
        CppMemory.retain(CppMemory.getLong(schema + Long.BYTES));
        return new CppSchema(schema);
    }

    /** One more owner of that column. */
    public CppArray column(int index) {
        try (CppScope scope = new CppScope()) {
            long batch = address();
            return new CppArray(CppFunction.virtual(batch, COLUMN).returning(scope, batch, index));
        }
    }

    /** The columns as C++ writes them. */
    @Override
    public String toString() {
        try (CppScope scope = new CppScope()) {
            return scope.text(TO_STRING, address());
        }
    }
}

package dev.arrowdevice.peers.arrowcpp;

/** An {@code arrow::Array}. {@link CppArrays} makes new ones. */
public final class CppArray extends CppObject {
    private static final CppFunction IMPORT = CppFunction.named("_ZN5arrow11ImportArrayEP10ArrowArrayP11ArrowSchema");
    private static final CppFunction IMPORT_TYPED =
            CppFunction.named("_ZN5arrow11ImportArrayEP10ArrowArraySt10shared_ptrINS_8DataTypeEE");
    private static final CppFunction IMPORT_DEVICE = CppFunction.named(
            "_ZN5arrow17ImportDeviceArrayEP16ArrowDeviceArrayP11ArrowSchemaRKSt8functionIFNS_6ResultISt10shared_ptrINS_13MemoryManagerEEEEilEE");
    private static final CppFunction EXPORT =
            CppFunction.named("_ZN5arrow11ExportArrayERKNS_5ArrayEP10ArrowArrayP11ArrowSchema");
    private static final CppFunction EXPORT_DEVICE = CppFunction.named(
            "_ZN5arrow17ExportDeviceArrayERKNS_5ArrayESt10shared_ptrINS_6Device9SyncEventEEP16ArrowDeviceArrayP11ArrowSchema");
    private static final CppFunction SLICE = CppFunction.named("_ZNK5arrow5Array5SliceEll");
    private static final CppFunction VALIDATE_FULL = CppFunction.named("_ZNK5arrow5Array12ValidateFullEv");
    private static final CppFunction TO_STRING = CppFunction.named("_ZNK5arrow5Array8ToStringEv");
    private static final CppFunction EQUALS = CppFunction.named("_ZNK5arrow5Array6EqualsERKS0_RKNS_12EqualOptionsE");
    private static final CppFunction NULL_COUNT = CppFunction.named("_ZNK5arrow5Array10null_countEv");

    /** Where an array points to its {@code ArrayData}, and where that keeps type, length and offset. */
    private static final long DATA = 8;

    private static final long DATA_LENGTH = 16;
    private static final long DATA_OFFSET = 32;

    CppArray(long sharedPtr) {
        super(sharedPtr);
    }

    /**
     * Imports both structs, which C++ consumes, on failure too.
     *
     * @throws CppException if C++ refuses them
     */
    public static CppArray importFrom(long arrayAddress, long schemaAddress) {
        try (CppScope scope = new CppScope()) {
            return new CppArray(scope.result(IMPORT, arrayAddress, schemaAddress));
        }
    }

    /**
     * Imports an array of a type that C++ knows already.
     *
     * @throws CppException if C++ refuses it
     */
    public static CppArray importFrom(long arrayAddress, CppType type) {
        try (CppScope scope = new CppScope()) {
            return new CppArray(scope.result(IMPORT_TYPED, arrayAddress, scope.copy(type)));
        }
    }

    /**
     * Imports a device array. C++ consumes both structs, unless it doesn't know the device: then the array stays.
     *
     * @throws CppException if C++ refuses them
     */
    public static CppArray importDeviceFrom(long deviceArrayAddress, long schemaAddress) {
        try (CppScope scope = new CppScope()) {
            long mapper = CppDevice.defaultMapper(scope);
            return new CppArray(scope.result(IMPORT_DEVICE, deviceArrayAddress, schemaAddress, mapper));
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
    public CppArray slice(long offset, long length) {
        try (CppScope scope = new CppScope()) {
            return new CppArray(SLICE.returning(scope, address(), offset, length));
        }
    }

    /**
     * Checks every byte that can be wrong.
     *
     * @throws CppException that says what is
     */
    public CppArray validateFull() {
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

    /** Whether type and values are equal for C++; NaN equals NaN. */
    public boolean sameAs(CppArray other) {
        try (CppScope scope = new CppScope()) {
            return EQUALS.test(address(), other.address(), CppArrays.equalOptions(scope));
        }
    }

    public long length() {
        return CppMemory.getLong(data() + DATA_LENGTH);
    }

    public long offset() {
        return CppMemory.getLong(data() + DATA_OFFSET);
    }

    /** The count as C++ computes it: of its own validity buffer only. */
    public long nullCount() {
        return NULL_COUNT.call(address());
    }

    /** One more owner of the array's type. */
    public CppType type() {
        long type = data();
        CppMemory.retain(CppMemory.getLong(type + Long.BYTES));
        return new CppType(type);
    }

    /** The values as C++ writes them, long arrays with an ellipsis. */
    @Override
    public String toString() {
        try (CppScope scope = new CppScope()) {
            return scope.text(TO_STRING, address());
        }
    }

    private long data() {
        return CppMemory.getLong(address() + DATA);
    }
}

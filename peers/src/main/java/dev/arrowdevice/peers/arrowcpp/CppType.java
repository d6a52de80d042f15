package dev.arrowdevice.peers.arrowcpp;

/** An {@code arrow::DataType}. */
public final class CppType extends CppObject {
    private static final CppFunction IMPORT = CppFunction.named("_ZN5arrow10ImportTypeEP11ArrowSchema");
    private static final CppFunction EXPORT = CppFunction.named("_ZN5arrow10ExportTypeERKNS_8DataTypeEP11ArrowSchema");
    private static final CppFunction EQUALS = CppFunction.named("_ZNK5arrow8DataType6EqualsERKS0_b");
    private static final int TO_STRING = 4;

    CppType(long sharedPtr) {
        super(sharedPtr);
    }

    /**
     * Imports the {@code ArrowSchema} at that address, which C++ consumes, on failure too.
     *
     * @throws CppException if C++ refuses it
     */
    public static CppType importFrom(long schemaAddress) {
        try (CppScope scope = new CppScope()) {
            return new CppType(scope.result(IMPORT, schemaAddress));
        }
    }

    /** Writes an {@code ArrowSchema} there, whose content is then the caller's. */
    public void exportTo(long schemaAddress) {
        try (CppScope scope = new CppScope()) {
            scope.status(EXPORT, address(), schemaAddress);
        }
    }

    /** Whether both are equal for C++, metadata included. */
    public boolean sameAs(CppType other) {
        return EQUALS.test(address(), other.address(), 1);
    }

    /** How C++ writes it, with metadata. */
    @Override
    public String toString() {
        try (CppScope scope = new CppScope()) {
            return scope.text(CppFunction.virtual(address(), TO_STRING), address(), 1);
        }
    }
}

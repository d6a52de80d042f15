package dev.arrowdevice.peers.arrowcpp;

/** An {@code arrow::Schema}. */
public final class CppSchema extends CppObject {
    private static final CppFunction IMPORT = CppFunction.named("_ZN5arrow12ImportSchemaEP11ArrowSchema");
    private static final CppFunction EXPORT = CppFunction.named("_ZN5arrow12ExportSchemaERKNS_6SchemaEP11ArrowSchema");
    private static final CppFunction EQUALS = CppFunction.named("_ZNK5arrow6Schema6EqualsERKS0_b");
    private static final CppFunction TO_STRING = CppFunction.named("_ZNK5arrow6Schema8ToStringEb");

    CppSchema(long sharedPtr) {
        super(sharedPtr);
    }

    /**
     * Imports the {@code ArrowSchema} at that address, which C++ consumes, on failure too.
     *
     * @throws CppException if C++ refuses it
     */
    public static CppSchema importFrom(long schemaAddress) {
        try (CppScope scope = new CppScope()) {
            return new CppSchema(scope.result(IMPORT, schemaAddress));
        }
    }

    /** Writes an {@code ArrowSchema} there, whose content is then the caller's. */
    public void exportTo(long schemaAddress) {
        try (CppScope scope = new CppScope()) {
            scope.status(EXPORT, address(), schemaAddress);
        }
    }

    /** Whether both are equal for C++, metadata included. */
    public boolean sameAs(CppSchema other) {
        return EQUALS.test(address(), other.address(), 1);
    }

    /** How C++ writes it, with metadata. */
    @Override
    public String toString() {
        try (CppScope scope = new CppScope()) {
            return scope.text(TO_STRING, address(), 1);
        }
    }
}

package dev.arrowdevice.peers.arrowcpp;

/** An {@code arrow::Field}. */
public final class CppField extends CppObject {
    private static final CppFunction IMPORT = CppFunction.named("_ZN5arrow11ImportFieldEP11ArrowSchema");
    private static final CppFunction EXPORT = CppFunction.named("_ZN5arrow11ExportFieldERKNS_5FieldEP11ArrowSchema");
    private static final CppFunction EQUALS = CppFunction.named("_ZNK5arrow5Field6EqualsERKS0_b");
    private static final CppFunction TO_STRING = CppFunction.named("_ZNK5arrow5Field8ToStringEb");

    CppField(long sharedPtr) {
        super(sharedPtr);
    }

    /**
     * Imports the {@code ArrowSchema} at that address, which C++ consumes, on failure too.
     *
     * @throws CppException if C++ refuses it
     */
    public static CppField importFrom(long schemaAddress) {
        try (CppScope scope = new CppScope()) {
            return new CppField(scope.result(IMPORT, schemaAddress));
        }
    }

    /** Writes an {@code ArrowSchema} there, whose content is then the caller's. */
    public void exportTo(long schemaAddress) {
        try (CppScope scope = new CppScope()) {
            scope.status(EXPORT, address(), schemaAddress);
        }
    }

    /** Whether both are equal for C++, metadata included. */
    public boolean sameAs(CppField other) {
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

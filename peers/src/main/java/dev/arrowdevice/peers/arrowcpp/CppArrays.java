package dev.arrowdevice.peers.arrowcpp;

import java.util.List;

/** Arrays that Arrow C++ builds, in its own memory and in its own way. */
public final class CppArrays {
    private static final CppFunction FROM_JSON = CppFunction.named(
            "_ZN5arrow3ipc8internal4json13ArrayFromJSONERKSt10shared_ptrINS_8DataTypeEESt17basic_string_viewIcSt11char_traitsIcEE");
    private static final CppFunction DICTIONARY = CppFunction.named(
            "_ZN5arrow15DictionaryArray10FromArraysERKSt10shared_ptrINS_8DataTypeEERKS1_INS_5ArrayEES9_");
    private static final CppFunction RUN_END_ENCODED = CppFunction.named(
            "_ZN5arrow18RunEndEncodedArray4MakeERKSt10shared_ptrINS_8DataTypeEElRKS1_INS_5ArrayEES9_l");
    private static final CppFunction EXTENSION =
            CppFunction.named("_ZN5arrow13ExtensionType9WrapArrayERKSt10shared_ptrINS_8DataTypeEERKS1_INS_5ArrayEE");
    private static final CppFunction OF_NULL =
            CppFunction.named("_ZN5arrow15MakeArrayOfNullERKSt10shared_ptrINS_8DataTypeEElPNS_10MemoryPoolE");
    private static final CppFunction EMPTY =
            CppFunction.named("_ZN5arrow14MakeEmptyArrayESt10shared_ptrINS_8DataTypeEEPNS_10MemoryPoolE");
    private static final CppFunction CONCATENATE =
            CppFunction.named("_ZN5arrow11ConcatenateERKSt6vectorISt10shared_ptrINS_5ArrayEESaIS3_EEPNS_10MemoryPoolE");
    private static final CppFunction CALL_FUNCTION =
            CppFunction.named("_ZN5arrow7compute12CallFunctionERKSsRKSt6vectorINS_5DatumESaIS4_EEPNS0_11ExecContextE");
    private static final CppFunction DATUM = CppFunction.named("_ZN5arrow5DatumC1ERKSt10shared_ptrINS_5ArrayEE");
    private static final CppFunction DATUM_ARRAY = CppFunction.named("_ZNK5arrow5Datum10make_arrayEv");

    /** A {@code Datum} is a shared_ptr of some kind and a byte that says which. */
    private static final long DATUM_SIZE = 24;

    private CppArrays() {}

    /**
     * Builds an array with C++'s builders from a JSON array: numbers, strings, null, nested arrays; a struct as an
     * object or an array, map entries as pairs, a union's value as a pair of type code and value. Not for run-end
     * encoded and extension types.
     *
     * @throws CppException if a value doesn't fit the type
     */
    public static CppArray fromJson(CppType type, String json) {
        try (CppScope scope = new CppScope()) {
            long characters = scope.characters(json);
            return new CppArray(scope.result(FROM_JSON, scope.reference(type), CppScope.utf8Length(json), characters));
        }
    }

    /** Builds an array of a type that lives for this call only. */
    public static CppArray fromJson(TypeSpec type, String json) {
        try (CppType cppType = type.toCpp()) {
            return fromJson(cppType, json);
        }
    }

    /** A dictionary array of these indices into that dictionary. */
    public static CppArray dictionary(CppType type, CppArray indices, CppArray dictionary) {
        try (CppScope scope = new CppScope()) {
            return new CppArray(scope.result(
                    DICTIONARY, scope.reference(type), scope.reference(indices), scope.reference(dictionary)));
        }
    }

    /** A run-end encoded array of that many elements, from its offset on. */
    public static CppArray runEndEncoded(CppType type, long length, CppArray runEnds, CppArray values, long offset) {
        try (CppScope scope = new CppScope()) {
            return new CppArray(scope.result(
                    RUN_END_ENCODED,
                    scope.reference(type),
                    length,
                    scope.reference(runEnds),
                    scope.reference(values),
                    offset));
        }
    }

    /** The storage as an array of an extension type that C++ knows. */
    public static CppArray extension(CppType type, CppArray storage) {
        try (CppScope scope = new CppScope()) {
            return new CppArray(EXTENSION.returning(scope, scope.reference(type), scope.reference(storage)));
        }
    }

    /** An array of nulls, most of whose buffers are one and the same zeroed memory. */
    public static CppArray ofNull(CppType type, long length) {
        try (CppScope scope = new CppScope()) {
            return new CppArray(scope.result(OF_NULL, scope.reference(type), length, ArrowCpp.defaultMemoryPool()));
        }
    }

    /** An array without elements, as C++ makes one. */
    public static CppArray empty(CppType type) {
        try (CppScope scope = new CppScope()) {
            return new CppArray(scope.result(EMPTY, scope.copy(type), ArrowCpp.defaultMemoryPool()));
        }
    }

    /** All elements of these arrays of one type in new buffers. */
    public static CppArray concatenate(List<CppArray> arrays) {
        try (CppScope scope = new CppScope()) {
            return new CppArray(scope.result(CONCATENATE, scope.vector(arrays), ArrowCpp.defaultMemoryPool()));
        }
    }

    /**
     * Calls a compute function on arrays, with its default options: {@code dictionary_encode}, {@code take},
     * {@code run_end_encode} and so on.
     *
     * @throws CppException if there is no such function or it fails
     */
    public static CppArray compute(String function, CppArray... arguments) {
        try (CppScope scope = new CppScope()) {
            long data = scope.vector(arguments.length, DATUM_SIZE);
            long datum = CppMemory.getLong(data);
            for (CppArray argument : arguments) {
                DATUM.call(datum, scope.reference(argument));
                datum += DATUM_SIZE;
            }
            long computed = scope.destroyedLater(scope.result(CALL_FUNCTION, scope.string(function), data, 0));
            return new CppArray(DATUM_ARRAY.returning(scope, computed));
        }
    }

    /** An {@code EqualOptions} that takes NaN as equal to NaN and the two zeros as different. */
    static long equalOptions(CppScope scope) {
        long tolerance = Double.doubleToRawLongBits(0);
        long nansEqualAndSignedZerosNot = 0x00_01;
        return scope.addresses(tolerance, nansEqualAndSignedZerosNot, 0, 0);
    }
}

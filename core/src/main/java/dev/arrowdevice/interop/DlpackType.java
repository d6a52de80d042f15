package dev.arrowdevice.interop;

/**
 * {@code DLDataType}.
 *
 * @param code {@code DLDataTypeCode}: {@link #INT}, {@link #UINT}, {@link #FLOAT}, 3 (opaque handle), 4 (bfloat),
 *     {@link #COMPLEX}, {@link #BOOL}, 7 to 17 (floats of 8, 6 and 4 bits)
 * @param bits the bits of one lane
 * @param lanes how many values one element has, 1 unless it is a vector
 */
public record DlpackType(int code, int bits, int lanes) {
    /** {@code kDLInt}. */
    public static final int INT = 0;
    /** {@code kDLUInt}. */
    public static final int UINT = 1;
    /** {@code kDLFloat}. */
    public static final int FLOAT = 2;
    /** {@code kDLComplex}. */
    public static final int COMPLEX = 5;
    /** {@code kDLBool}. */
    public static final int BOOL = 6;

    private static final int MAX_BYTE = 0xFF;
    private static final int MAX_SHORT = 0xFFFF;

    /** Checks that the numbers fit into the struct: 8, 8 and 16 bits without a sign. */
    public DlpackType {
        if ((code & ~MAX_BYTE) != 0 || (bits & ~MAX_BYTE) != 0 || (lanes & ~MAX_SHORT) != 0) {
            throw new InvalidInterfaceException(
                    "DLDataType of code " + code + ", " + bits + " bits and " + lanes + " lanes");
        }
    }

    @Override
    public String toString() {
        return "DLDataType(code " + code + ", " + bits + " bits" + (lanes == 1 ? ")" : ", " + lanes + " lanes)");
    }
}

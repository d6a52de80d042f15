package dev.arrowdevice.interop;

/**
 * {@code DLDataType}.
 *
 * @param code {@code DLDataTypeCode}
 * @param bits the bits of one lane
 * @param lanes how many values one element has, 1 unless it is a vector
 */
record DlpackType(int code, int bits, int lanes) {
    static final int INT = DlpackTensor.INT;
    static final int UINT = DlpackTensor.UINT;
    static final int FLOAT = DlpackTensor.FLOAT;
    static final int COMPLEX = DlpackTensor.COMPLEX;
    static final int BOOL = DlpackTensor.BOOL;

    private static final int MAX_BYTE = 0xFF;
    private static final int MAX_SHORT = 0xFFFF;

    /** Checks that the numbers fit into the struct: 8, 8 and 16 bits without a sign. */
    DlpackType {
        if ((code & ~MAX_BYTE) != 0 || (bits & ~MAX_BYTE) != 0 || (lanes & ~MAX_SHORT) != 0) {
            throw new IllegalArgumentException(
                    "DLDataType of code " + code + ", " + bits + " bits and " + lanes + " lanes");
        }
    }

    @Override
    public String toString() {
        return "DLDataType(code " + code + ", " + bits + " bits" + (lanes == 1 ? ")" : ", " + lanes + " lanes)");
    }
}

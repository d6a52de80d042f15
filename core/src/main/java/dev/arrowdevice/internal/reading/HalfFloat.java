package dev.arrowdevice.internal.reading;

/** IEEE 754 binary16, the float16 type. Java has these conversions only from version 20 on. */
public final class HalfFloat {
    private HalfFloat() {}

    /** The number of 16 bits. Exact. */
    public static float toFloat(short bits) {
        int sign = (bits & 0x8000) << 16;
        int exponent = bits >> 10 & 0x1F;
        int fraction = bits & 0x3FF;
        if (exponent == 0x1F) {
            return Float.intBitsToFloat(sign | 0x7F80_0000 | fraction << 13);
        }
        if (exponent == 0) {
            float magnitude = fraction * 0x1p-24f;
            return sign == 0 ? magnitude : -magnitude;
        }
        return Float.intBitsToFloat(sign | exponent + 112 << 23 | fraction << 13);
    }

    /**
     * The nearest float16, ties to even. A number that is too large becomes an infinity. NaN stays NaN and keeps the
     * high bits of its payload, which are all that a float16 has: every float16 comes back from {@link #toFloat}.
     */
    public static short ofFloat(float value) {
        int bits = Float.floatToRawIntBits(value);
        int sign = bits >>> 16 & 0x8000;
        int magnitude = bits & 0x7FFF_FFFF;
        if (magnitude > 0x7F80_0000) {
            int payload = magnitude >> 13 & 0x3FF;
            return (short) (sign | 0x7C00 | (payload == 0 ? 0x200 : payload));
        }
        if (magnitude >= 0x4780_0000) { // 65536 and above
            return (short) (sign | 0x7C00);
        }
        if (magnitude < 0x3880_0000) { // below the smallest normal number, 2^-14
            // Adding 0.5 rounds to a multiple of 2^-24 in the low bits of the sum, ties to even.
            int rounded = Float.floatToRawIntBits(Float.intBitsToFloat(magnitude) + 0.5f) - 0x3F00_0000;
            return (short) (sign | rounded);
        }
        int rounded = magnitude + 0xFFF + (magnitude >> 13 & 1);
        return (short) (sign | rounded - 0x3800_0000 >> 13);
    }
}

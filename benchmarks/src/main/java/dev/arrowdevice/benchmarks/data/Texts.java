package dev.arrowdevice.benchmarks.data;

/** Strings of one size: a number, padded in front. */
final class Texts {
    /** Characters of two and of three bytes in UTF-8, in turns. */
    private static final String NON_ASCII = "é語";

    private Texts() {}

    /** Of ASCII. */
    static String[] of(int count, int size) {
        return of(count, size, true);
    }

    /**
     * @param ascii else what pads takes two or three bytes a character
     */
    static String[] of(int count, int size, boolean ascii) {
        String padding = ascii ? "x".repeat(size) : NON_ASCII.repeat(size).substring(0, size);
        String[] texts = new String[count];
        for (int i = 0; i < count; i++) {
            String digits = Integer.toString(i);
            texts[i] = padding.substring(digits.length()) + digits;
        }
        return texts;
    }
}

package dev.arrowdevice.benchmarks.data;

/** Strings of one size: a number, padded in front. */
final class Texts {
    private Texts() {}

    static String[] of(int count, int size) {
        String[] texts = new String[count];
        for (int i = 0; i < count; i++) {
            String digits = Integer.toString(i);
            texts[i] = "x".repeat(size - digits.length()) + digits;
        }
        return texts;
    }
}

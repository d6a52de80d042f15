package dev.arrowdevice.builder;

import org.jspecify.annotations.Nullable;

/** Appends values of Java arrays, with flags that say which are valid: by a copy if that is possible, else one by one. */
final class Bulk {
    private Bulk() {}

    /** Whether values of the type's width may be copied: there are as many flags, and no null is refused. */
    static boolean isCopy(Place place, int count, boolean @Nullable [] valid) {
        checkLength(count, valid);
        return valid == null || place.isNullable();
    }

    static void append(ArrayBuilder builder, boolean[] values, boolean @Nullable [] valid) {
        checkLength(values.length, valid);
        for (int i = 0; i < values.length; i++) {
            if (valid == null || valid[i]) {
                builder.append(values[i]);
            } else {
                builder.appendNull();
            }
        }
    }

    static void append(ArrayBuilder builder, byte[] values, boolean @Nullable [] valid) {
        checkLength(values.length, valid);
        for (int i = 0; i < values.length; i++) {
            if (valid == null || valid[i]) {
                builder.append(values[i]);
            } else {
                builder.appendNull();
            }
        }
    }

    static void append(ArrayBuilder builder, short[] values, boolean @Nullable [] valid) {
        checkLength(values.length, valid);
        for (int i = 0; i < values.length; i++) {
            if (valid == null || valid[i]) {
                builder.append(values[i]);
            } else {
                builder.appendNull();
            }
        }
    }

    static void append(ArrayBuilder builder, int[] values, boolean @Nullable [] valid) {
        checkLength(values.length, valid);
        for (int i = 0; i < values.length; i++) {
            if (valid == null || valid[i]) {
                builder.append(values[i]);
            } else {
                builder.appendNull();
            }
        }
    }

    static void append(ArrayBuilder builder, long[] values, boolean @Nullable [] valid) {
        checkLength(values.length, valid);
        for (int i = 0; i < values.length; i++) {
            if (valid == null || valid[i]) {
                builder.append(values[i]);
            } else {
                builder.appendNull();
            }
        }
    }

    static void append(ArrayBuilder builder, float[] values, boolean @Nullable [] valid) {
        checkLength(values.length, valid);
        for (int i = 0; i < values.length; i++) {
            if (valid == null || valid[i]) {
                builder.append(values[i]);
            } else {
                builder.appendNull();
            }
        }
    }

    static void append(ArrayBuilder builder, double[] values, boolean @Nullable [] valid) {
        checkLength(values.length, valid);
        for (int i = 0; i < values.length; i++) {
            if (valid == null || valid[i]) {
                builder.append(values[i]);
            } else {
                builder.appendNull();
            }
        }
    }

    private static void checkLength(int values, boolean @Nullable [] valid) {
        if (valid != null && valid.length != values) {
            throw new IllegalArgumentException(
                    values + " values, and " + valid.length + " flags that say which are valid");
        }
    }
}

package dev.arrowdevice.builder;

import org.jspecify.annotations.Nullable;

/** The part of {@link ArrayBuilder} that appends arrays of the Java heap. */
abstract class BulkAppends {
    BulkAppends() {}

    /** Appends booleans, each as {@link ArrayBuilder#append(boolean)} does. */
    public final void appendAll(boolean[] values) {
        appendAll(values, null);
    }

    /** Appends booleans, and nulls where {@code valid}, of equal length, is false; null means that all are valid. */
    public void appendAll(boolean[] values, boolean @Nullable [] valid) {
        Bulk.append((ArrayBuilder) this, values, valid);
    }

    /** Appends integers of 8 bits, each as {@link ArrayBuilder#append(int)} does. */
    public final void appendAll(byte[] values) {
        appendAll(values, null);
    }

    /** Appends integers of 8 bits, and nulls where {@code valid}, of equal length, is false; null means that all are valid. */
    public void appendAll(byte[] values, boolean @Nullable [] valid) {
        Bulk.append((ArrayBuilder) this, values, valid);
    }

    /** Appends integers of 16 bits, each as {@link ArrayBuilder#append(int)} does. */
    public final void appendAll(short[] values) {
        appendAll(values, null);
    }

    /** Appends integers of 16 bits, and nulls where {@code valid}, of equal length, is false; null means that all are valid. */
    public void appendAll(short[] values, boolean @Nullable [] valid) {
        Bulk.append((ArrayBuilder) this, values, valid);
    }

    /** Appends integers of 32 bits, each as {@link ArrayBuilder#append(int)} does. */
    public final void appendAll(int[] values) {
        appendAll(values, null);
    }

    /** Appends integers of 32 bits, and nulls where {@code valid}, of equal length, is false; null means that all are valid. */
    public void appendAll(int[] values, boolean @Nullable [] valid) {
        Bulk.append((ArrayBuilder) this, values, valid);
    }

    /** Appends integers of 64 bits, each as {@link ArrayBuilder#append(long)} does. */
    public final void appendAll(long[] values) {
        appendAll(values, null);
    }

    /** Appends integers of 64 bits, and nulls where {@code valid}, of equal length, is false; null means that all are valid. */
    public void appendAll(long[] values, boolean @Nullable [] valid) {
        Bulk.append((ArrayBuilder) this, values, valid);
    }

    /** Appends floating point numbers of 32 bits, each as {@link ArrayBuilder#append(float)} does. */
    public final void appendAll(float[] values) {
        appendAll(values, null);
    }

    /** Appends floating point numbers of 32 bits, and nulls where {@code valid}, of equal length, is false; null means that all are valid. */
    public void appendAll(float[] values, boolean @Nullable [] valid) {
        Bulk.append((ArrayBuilder) this, values, valid);
    }

    /** Appends floating point numbers of 64 bits, each as {@link ArrayBuilder#append(double)} does. */
    public final void appendAll(double[] values) {
        appendAll(values, null);
    }

    /** Appends floating point numbers of 64 bits, and nulls where {@code valid}, of equal length, is false; null means that all are valid. */
    public void appendAll(double[] values, boolean @Nullable [] valid) {
        Bulk.append((ArrayBuilder) this, values, valid);
    }
}

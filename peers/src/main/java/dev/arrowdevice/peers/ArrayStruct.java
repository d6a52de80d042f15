package dev.arrowdevice.peers;

import dev.arrowdevice.spi.NativeMemory;

/**
 * The members of an {@code ArrowArray} in memory, to read and to corrupt. The C peer frees what it produced, whatever
 * is written here, except for {@code release} and {@code private_data}: leave these unchanged.
 *
 * @param address of the struct
 */
public record ArrayStruct(long address) {
    /** Bytes of an {@code ArrowArray}. */
    public static final int SIZE = 80;

    private static final int LENGTH = 0;
    private static final int NULL_COUNT = 8;
    private static final int OFFSET = 16;
    private static final int N_BUFFERS = 24;
    private static final int N_CHILDREN = 32;
    private static final int BUFFERS = 40;
    private static final int CHILDREN = 48;
    private static final int DICTIONARY = 56;
    private static final int RELEASE = 64;

    /** {@code length}. */
    public long length() {
        return get(LENGTH);
    }

    /**
     * Sets {@code length}.
     *
     * @param value rows
     */
    public void length(long value) {
        set(LENGTH, value);
    }

    /** {@code null_count}. */
    public long nullCount() {
        return get(NULL_COUNT);
    }

    /**
     * Sets {@code null_count}.
     *
     * @param value rows
     */
    public void nullCount(long value) {
        set(NULL_COUNT, value);
    }

    /** {@code offset}. */
    public long offset() {
        return get(OFFSET);
    }

    /**
     * Sets {@code offset}.
     *
     * @param value rows
     */
    public void offset(long value) {
        set(OFFSET, value);
    }

    /** {@code n_buffers}. */
    public long bufferCount() {
        return get(N_BUFFERS);
    }

    /**
     * Sets {@code n_buffers}.
     *
     * @param value number of buffers
     */
    public void bufferCount(long value) {
        set(N_BUFFERS, value);
    }

    /** {@code n_children}. */
    public long childCount() {
        return get(N_CHILDREN);
    }

    /**
     * Sets {@code n_children}.
     *
     * @param value number of children
     */
    public void childCount(long value) {
        set(N_CHILDREN, value);
    }

    /** {@code buffers}, the address of the pointers. */
    public long buffers() {
        return get(BUFFERS);
    }

    /**
     * Sets {@code buffers}.
     *
     * @param pointers address of the pointers
     */
    public void buffers(long pointers) {
        set(BUFFERS, pointers);
    }

    /**
     * Address of a buffer.
     *
     * @param index which
     */
    public long buffer(int index) {
        return NativeMemory.getLong(buffers() + 8L * index);
    }

    /**
     * Sets the address of a buffer.
     *
     * @param index which
     * @param pointer its address
     */
    public void buffer(int index, long pointer) {
        NativeMemory.putLong(buffers() + 8L * index, pointer);
    }

    /** {@code children}, the address of the pointers. */
    public long children() {
        return get(CHILDREN);
    }

    /**
     * Sets {@code children}.
     *
     * @param pointers address of the pointers
     */
    public void children(long pointers) {
        set(CHILDREN, pointers);
    }

    /**
     * A child.
     *
     * @param index which
     */
    public ArrayStruct child(int index) {
        return new ArrayStruct(NativeMemory.getLong(children() + 8L * index));
    }

    /**
     * Sets the address of a child.
     *
     * @param index which
     * @param struct its address
     */
    public void child(int index, long struct) {
        NativeMemory.putLong(children() + 8L * index, struct);
    }

    /** {@code dictionary}; its address may be 0. */
    public ArrayStruct dictionary() {
        return new ArrayStruct(get(DICTIONARY));
    }

    /**
     * Sets {@code dictionary}.
     *
     * @param struct its address
     */
    public void dictionary(long struct) {
        set(DICTIONARY, struct);
    }

    /** Whether {@code release} is NULL. */
    public boolean released() {
        return get(RELEASE) == 0;
    }

    private long get(int member) {
        return NativeMemory.getLong(address + member);
    }

    private void set(int member, long value) {
        NativeMemory.putLong(address + member, value);
    }
}

package dev.arrowdevice.peers;

import dev.arrowdevice.spi.NativeMemory;

/**
 * The members of an {@code ArrowSchema} in memory, to read and to corrupt. The C peer frees what it produced, whatever
 * is written here, except for {@code release} and {@code private_data}: leave these unchanged.
 *
 * @param address of the struct
 */
public record SchemaStruct(long address) {
    /** Bytes of an {@code ArrowSchema}. */
    public static final int SIZE = 72;

    private static final int FORMAT = 0;
    private static final int NAME = 8;
    private static final int METADATA = 16;
    private static final int FLAGS = 24;
    private static final int N_CHILDREN = 32;
    private static final int CHILDREN = 40;
    private static final int DICTIONARY = 48;
    private static final int RELEASE = 56;

    /** Address of {@code format}. */
    public long format() {
        return get(FORMAT);
    }

    /**
     * Sets {@code format}.
     *
     * @param text its address
     */
    public void format(long text) {
        set(FORMAT, text);
    }

    /** Address of {@code name}; may be 0. */
    public long name() {
        return get(NAME);
    }

    /**
     * Sets {@code name}.
     *
     * @param text its address
     */
    public void name(long text) {
        set(NAME, text);
    }

    /** Address of {@code metadata}; may be 0. */
    public long metadata() {
        return get(METADATA);
    }

    /**
     * Sets {@code metadata}.
     *
     * @param bytes their address
     */
    public void metadata(long bytes) {
        set(METADATA, bytes);
    }

    /** {@code flags}. */
    public long flags() {
        return get(FLAGS);
    }

    /**
     * Sets {@code flags}.
     *
     * @param value the flags
     */
    public void flags(long value) {
        set(FLAGS, value);
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
    public SchemaStruct child(int index) {
        return new SchemaStruct(NativeMemory.getLong(children() + 8L * index));
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
    public SchemaStruct dictionary() {
        return new SchemaStruct(get(DICTIONARY));
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

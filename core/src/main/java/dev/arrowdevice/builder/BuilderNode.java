package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The inside of a builder: its buffers' capacity, its validity, and its place in the tree, from which the messages of
 * its errors say where a value stands. {@link ArrayBuilder} is the face.
 */
abstract class BuilderNode {
    private static final long FIRST_CAPACITY = 64;

    final BuildMemory memory;
    private final Field field;
    private final @Nullable ArrayBuilder parent;

    final ValidityBuilder validity;

    /** The number of elements appended, but for those that are {@link #staged}. */
    long length;

    /** The number of elements that a {@link StagedBuilder} has yet to move to memory; 0 in others. */
    int staged;

    /** The number of elements that all buffers have room for. */
    long capacity;

    BuilderNode(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        this.field = field;
        this.memory = memory;
        this.parent = parent;
        this.validity = new ValidityBuilder(memory);
    }

    Field getField() {
        return field;
    }

    final boolean nullable() {
        return field.nullable();
    }

    final @Nullable ArrayBuilder parent() {
        return parent;
    }

    // What a builder of some layout implements.

    /** Appends an object that is not null; false, with nothing appended, if the class does not fit the type. */
    abstract boolean appendValue(Object value);

    /** Appends a null that the field allows. */
    void putNull() {
        long at = nextIndex();
        putZero(at);
        validity.setNull(at, capacity);
        length = at + 1;
    }

    /** Appends something that is there only because the parent is null there: a null where that is allowed. */
    void appendFiller() {
        if (nullable()) {
            putNull();
        } else {
            appendEmpty();
        }
    }

    /** Appends a valid value of no meaning: zero, or empty. */
    void appendEmpty() {
        long at = nextIndex();
        putZero(at);
        length = at + 1;
    }

    /** Writes zeros at an index that there is room for, without making it part of the array. */
    abstract void putZero(long index);

    /** Gives all buffers but the validity bitmap room for a number of elements; keeps what is there. */
    abstract void resize(long newCapacity);

    /**
     * The number of elements, after nested values that have been filled from outside were taken in.
     *
     * @throws IllegalArgumentException if one of them is incomplete
     */
    long settle() {
        return count();
    }

    /** Describes the array. Only fails for lack of memory. */
    abstract ArrayData build();

    /** Forgets everything appended, and the memory. */
    void reset() {
        validity.reset();
        length = 0;
        staged = 0;
        capacity = 0;
    }

    // What they all use.

    /** The number of elements appended. */
    final long count() {
        return length + staged;
    }

    /** The index of the next element, for which there is room. */
    final long nextIndex() {
        long at = length;
        if (at == capacity) {
            grow(at + 1);
        }
        return at;
    }

    final void grow(long needed) {
        memory.requireOpen("append");
        long wanted = Math.max(needed, Math.max(FIRST_CAPACITY, memory.grown(capacity, bytesPerElement())));
        resize(wanted);
        capacity = wanted;
    }

    /** What an element takes where all take the same; else 1. */
    int bytesPerElement() {
        return 1;
    }

    /** The buffers with the validity bitmap in front. */
    final @Nullable DeviceBuffer[] withValidity(DeviceBuffer... others) {
        @Nullable DeviceBuffer[] all = new DeviceBuffer[others.length + 1];
        all[0] = validity.finish(length);
        System.arraycopy(others, 0, all, 1, others.length);
        return all;
    }

    /** An array without dictionary. */
    final ArrayData data(@Nullable DeviceBuffer[] buffers, ArrayData... children) {
        return new ArrayData(
                getField().type(), memory.device(), length, 0, validity.nullCount(), buffers, children, null);
    }

    // Where it stands.

    /** How messages name a child of this builder. */
    String pathOf(BuilderNode child) {
        return path();
    }

    /** Which element of this builder an element of a child is for. */
    long indexOf(BuilderNode child, long childIndex) {
        return length;
    }

    final void requireRoot(String operation) {
        if (parent != null) {
            throw new IllegalStateException(operation + ": this builder belongs to that of " + parent.getType()
                    + ", which finishes and closes it");
        }
    }

    /** The name of the column from the root on, empty where it has none. */
    final String path() {
        return parent == null ? field.name() : parent.pathOf(this);
    }

    /** The row of the root that an element is for. */
    final long rowOf(long index) {
        return parent == null ? index : parent.rowOf(parent.indexOf(this, index));
    }

    /** The start of a message: the column, and what else is given. */
    final String at(String place) {
        String path = path();
        if (path.isEmpty()) {
            return place.isEmpty() ? "" : place + ": ";
        }
        return "column \"" + path + "\"" + (place.isEmpty() ? ": " : ", " + place + ": ");
    }

    /** The error about the value that was to be appended. */
    final IllegalArgumentException fail(String what) {
        return new IllegalArgumentException(at("row " + rowOf(count())) + what);
    }

    /** The error about a value that the type has no place for. */
    final IllegalArgumentException unfit(String what) {
        return fail(what + " does not fit " + getField().type());
    }
}

package dev.arrowdevice.internal.memory;

import dev.arrowdevice.spi.HostMemory;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Host memory as a direct byte buffer, for Java without {@code java.lang.foreign}. */
public final class ByteBufferMemory implements HostMemory {
    private final ByteBuffer buffer;

    ByteBufferMemory(ByteBuffer buffer) {
        this.buffer = buffer.order(ByteOrder.nativeOrder());
    }

    public static ByteBufferMemory empty() {
        return new ByteBufferMemory(ByteBuffer.allocateDirect(0));
    }

    private ByteBuffer at(long offset, long byteSize) {
        if (offset < 0 || byteSize < 0 || offset > buffer.capacity() - byteSize) {
            throw new IndexOutOfBoundsException(
                    byteSize + " bytes at offset " + offset + " of a memory of " + buffer.capacity() + " bytes");
        }
        ByteBuffer window = buffer.duplicate().order(ByteOrder.nativeOrder());
        // As a Buffer: Android's API has no limit(int) and position(int) that return a ByteBuffer.
        Buffer bounds = window;
        bounds.limit((int) (offset + byteSize)).position((int) offset);
        return window;
    }

    private int index(long offset) {
        if (offset < 0 || offset >= buffer.capacity()) {
            throw new IndexOutOfBoundsException("offset " + offset + " of a memory of " + buffer.capacity() + " bytes");
        }
        return (int) offset;
    }

    @Override
    public long getByteSize() {
        return buffer.capacity();
    }

    @Override
    public long getAddress() {
        throw Platform.needsForeignMemory("the address of host memory");
    }

    @Override
    public byte getByte(long offset) {
        return buffer.get(index(offset));
    }

    @Override
    public short getShort(long offset) {
        return buffer.getShort(index(offset));
    }

    @Override
    public int getInt(long offset) {
        return buffer.getInt(index(offset));
    }

    @Override
    public long getLong(long offset) {
        return buffer.getLong(index(offset));
    }

    @Override
    public float getFloat(long offset) {
        return buffer.getFloat(index(offset));
    }

    @Override
    public double getDouble(long offset) {
        return buffer.getDouble(index(offset));
    }

    @Override
    public void putByte(long offset, byte value) {
        buffer.put(index(offset), value);
    }

    @Override
    public void putShort(long offset, short value) {
        buffer.putShort(index(offset), value);
    }

    @Override
    public void putInt(long offset, int value) {
        buffer.putInt(index(offset), value);
    }

    @Override
    public void putLong(long offset, long value) {
        buffer.putLong(index(offset), value);
    }

    @Override
    public void putFloat(long offset, float value) {
        buffer.putFloat(index(offset), value);
    }

    @Override
    public void putDouble(long offset, double value) {
        buffer.putDouble(index(offset), value);
    }

    @Override
    public void get(long offset, byte[] target, int from, int count) {
        at(offset, count).get(target, from, count);
    }

    @Override
    public void get(long offset, short[] target, int from, int count) {
        at(offset, 2L * count).asShortBuffer().get(target, from, count);
    }

    @Override
    public void get(long offset, int[] target, int from, int count) {
        at(offset, 4L * count).asIntBuffer().get(target, from, count);
    }

    @Override
    public void get(long offset, long[] target, int from, int count) {
        at(offset, 8L * count).asLongBuffer().get(target, from, count);
    }

    @Override
    public void get(long offset, float[] target, int from, int count) {
        at(offset, 4L * count).asFloatBuffer().get(target, from, count);
    }

    @Override
    public void get(long offset, double[] target, int from, int count) {
        at(offset, 8L * count).asDoubleBuffer().get(target, from, count);
    }

    @Override
    public void put(long offset, byte[] source, int from, int count) {
        at(offset, count).put(source, from, count);
    }

    @Override
    public void put(long offset, short[] source, int from, int count) {
        at(offset, 2L * count).asShortBuffer().put(source, from, count);
    }

    @Override
    public void put(long offset, int[] source, int from, int count) {
        at(offset, 4L * count).asIntBuffer().put(source, from, count);
    }

    @Override
    public void put(long offset, long[] source, int from, int count) {
        at(offset, 8L * count).asLongBuffer().put(source, from, count);
    }

    @Override
    public void put(long offset, float[] source, int from, int count) {
        at(offset, 4L * count).asFloatBuffer().put(source, from, count);
    }

    @Override
    public void put(long offset, double[] source, int from, int count) {
        at(offset, 8L * count).asDoubleBuffer().put(source, from, count);
    }

    @Override
    public void copyTo(long offset, HostMemory target, long targetOffset, long byteSize) {
        ((ByteBufferMemory) target).at(targetOffset, byteSize).put(at(offset, byteSize));
    }

    @Override
    public boolean contentEquals(long offset, HostMemory other, long otherOffset, long byteSize) {
        return at(offset, byteSize).equals(((ByteBufferMemory) other).at(otherOffset, byteSize));
    }

    @Override
    public void fill(long offset, long byteSize, byte value) {
        ByteBuffer window = at(offset, byteSize);
        while (window.hasRemaining()) {
            window.put(value);
        }
    }

    @Override
    public HostMemory slice(long offset, long byteSize) {
        return new ByteBufferMemory(at(offset, byteSize).slice());
    }

    @Override
    public ByteBuffer asByteBuffer(long offset, long byteSize) {
        if (byteSize > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a byte buffer of " + byteSize + " bytes");
        }
        return at(offset, byteSize).slice().order(ByteOrder.nativeOrder());
    }
}

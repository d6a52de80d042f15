package dev.arrowdevice.internal.memory;

import dev.arrowdevice.Device;
import dev.arrowdevice.internal.diagnostics.NotOnAndroid;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import dev.arrowdevice.spi.ReferenceCounted;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/** Host memory as a memory segment. Used only if {@code java.lang.foreign} exists. */
public final class SegmentMemory implements HostMemory {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

    private final MemorySegment segment;

    SegmentMemory(MemorySegment segment) {
        this.segment = segment;
    }

    /** The bytes of a direct buffer, from its position to its limit. */
    static SegmentMemory ofBuffer(ByteBuffer buffer) {
        return new SegmentMemory(MemorySegment.ofBuffer(buffer));
    }

    /**
     * Memory that the garbage collector frees when nothing refers to the result any more. Its content is zero. The
     * segment is of the same class as one of an address, so that both are read equally fast.
     */
    static SegmentMemory ofCollector(long byteSize, long alignment) {
        return new SegmentMemory(Arena.ofAuto().allocate(byteSize, alignment));
    }

    /** Memory of zero bytes. */
    public static SegmentMemory empty() {
        return new SegmentMemory(MemorySegment.NULL);
    }

    /**
     * The bytes at an address.
     *
     * @throws UnsupportedOperationException without native access
     */
    @SuppressWarnings("restricted")
    public static SegmentMemory ofAddress(long address, long byteSize) {
        Platform.requireNativeAccess("memory at an address");
        return new SegmentMemory(MemorySegment.ofAddress(address).reinterpret(byteSize));
    }

    /** The segment. */
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public long getByteSize() {
        return segment.byteSize();
    }

    @Override
    public long getAddress() {
        return segment.address();
    }

    @Override
    public byte getByte(long offset) {
        try {
            return segment.get(BYTE, offset);
        } catch (RuntimeException e) {
            throw misused(e);
        }
    }

    @Override
    public short getShort(long offset) {
        try {
            return segment.get(SHORT, offset);
        } catch (RuntimeException e) {
            throw misused(e);
        }
    }

    @Override
    public int getInt(long offset) {
        try {
            return segment.get(INT, offset);
        } catch (RuntimeException e) {
            throw misused(e);
        }
    }

    @Override
    public long getLong(long offset) {
        try {
            return segment.get(LONG, offset);
        } catch (RuntimeException e) {
            throw misused(e);
        }
    }

    @Override
    public float getFloat(long offset) {
        try {
            return segment.get(FLOAT, offset);
        } catch (RuntimeException e) {
            throw misused(e);
        }
    }

    @Override
    public double getDouble(long offset) {
        try {
            return segment.get(DOUBLE, offset);
        } catch (RuntimeException e) {
            throw misused(e);
        }
    }

    @Override
    public void putByte(long offset, byte value) {
        segment.set(BYTE, offset, value);
    }

    @Override
    public void putShort(long offset, short value) {
        segment.set(SHORT, offset, value);
    }

    @Override
    public void putInt(long offset, int value) {
        segment.set(INT, offset, value);
    }

    @Override
    public void putLong(long offset, long value) {
        segment.set(LONG, offset, value);
    }

    @Override
    public void putFloat(long offset, float value) {
        segment.set(FLOAT, offset, value);
    }

    @Override
    public void putDouble(long offset, double value) {
        segment.set(DOUBLE, offset, value);
    }

    @Override
    public void get(long offset, byte[] target, int from, int count) {
        try {
            MemorySegment.copy(segment, BYTE, offset, target, from, count);
        } catch (RuntimeException e) {
            throw misused(e);
        }
    }

    @Override
    public void get(long offset, short[] target, int from, int count) {
        try {
            MemorySegment.copy(segment, SHORT, offset, target, from, count);
        } catch (RuntimeException e) {
            throw misused(e);
        }
    }

    @Override
    public void get(long offset, int[] target, int from, int count) {
        try {
            MemorySegment.copy(segment, INT, offset, target, from, count);
        } catch (RuntimeException e) {
            throw misused(e);
        }
    }

    @Override
    public void get(long offset, long[] target, int from, int count) {
        try {
            MemorySegment.copy(segment, LONG, offset, target, from, count);
        } catch (RuntimeException e) {
            throw misused(e);
        }
    }

    @Override
    public void get(long offset, float[] target, int from, int count) {
        try {
            MemorySegment.copy(segment, FLOAT, offset, target, from, count);
        } catch (RuntimeException e) {
            throw misused(e);
        }
    }

    @Override
    public void get(long offset, double[] target, int from, int count) {
        try {
            MemorySegment.copy(segment, DOUBLE, offset, target, from, count);
        } catch (RuntimeException e) {
            throw misused(e);
        }
    }

    @Override
    public void put(long offset, byte[] source, int from, int count) {
        MemorySegment.copy(source, from, segment, BYTE, offset, count);
    }

    @Override
    public void put(long offset, short[] source, int from, int count) {
        MemorySegment.copy(source, from, segment, SHORT, offset, count);
    }

    @Override
    public void put(long offset, int[] source, int from, int count) {
        MemorySegment.copy(source, from, segment, INT, offset, count);
    }

    @Override
    public void put(long offset, long[] source, int from, int count) {
        MemorySegment.copy(source, from, segment, LONG, offset, count);
    }

    @Override
    public void put(long offset, float[] source, int from, int count) {
        MemorySegment.copy(source, from, segment, FLOAT, offset, count);
    }

    @Override
    public void put(long offset, double[] source, int from, int count) {
        MemorySegment.copy(source, from, segment, DOUBLE, offset, count);
    }

    @Override
    public void copyTo(long offset, HostMemory target, long targetOffset, long byteSize) {
        MemorySegment.copy(segment, offset, ((SegmentMemory) target).segment, targetOffset, byteSize);
    }

    @Override
    public boolean contentEquals(long offset, HostMemory other, long otherOffset, long byteSize) {
        MemorySegment theirs = ((SegmentMemory) other).segment;
        return MemorySegment.mismatch(segment, offset, offset + byteSize, theirs, otherOffset, otherOffset + byteSize)
                < 0;
    }

    @Override
    public void fill(long offset, long byteSize, byte value) {
        segment.asSlice(offset, byteSize).fill(value);
    }

    @Override
    public HostMemory slice(long offset, long byteSize) {
        return new SegmentMemory(segment.asSlice(offset, byteSize));
    }

    @Override
    public ByteBuffer asByteBuffer(long offset, long byteSize) {
        if (byteSize > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a byte buffer of " + byteSize + " bytes");
        }
        return segment.asSlice(offset, byteSize).asByteBuffer().order(ByteOrder.nativeOrder());
    }

    /** Says in the words of a borrow why a segment refused a read: the segment's own words are about arenas. */
    private static RuntimeException misused(RuntimeException refusal) {
        if (refusal instanceof IndexOutOfBoundsException) {
            return refusal;
        }
        return new IllegalStateException(
                refusal instanceof IllegalStateException
                        ? "read: the borrow of the memory has ended; read inside the block of borrow"
                        : "read on the thread " + Thread.currentThread().getName()
                                + ": only the thread that called borrow may read; let each thread borrow by itself",
                refusal);
    }

    /**
     * Maps a file, read-only, from its beginning. It is unmapped with the last release of a reference; the caller has the
     * first one.
     */
    public static DeviceBuffer map(FileChannel file, long byteSize) throws IOException {
        Mapping mapping = new Mapping();
        try {
            return DeviceBuffer.ofHostMemory(Device.CPU, mapping.map(file, byteSize), byteSize, mapping);
        } catch (Throwable e) {
            mapping.release();
            throw e;
        }
    }

    @NotOnAndroid
    private static final class Mapping extends ReferenceCounted {
        private final Arena arena = Arena.ofShared();

        SegmentMemory map(FileChannel file, long byteSize) throws IOException {
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, byteSize, arena);
            // An address is read as fast as any other memory; a segment of a scope is not.
            return Platform.hasNativeAccess() ? ofAddress(mapped.address(), byteSize) : new SegmentMemory(mapped);
        }

        @Override
        protected void free() {
            LateFailures.reporting(arena::close);
        }
    }

    static BorrowScope openScope() {
        return new Scope();
    }

    private static final class Scope extends BorrowScope {
        private final Arena arena = Arena.ofConfined();

        @Override
        @SuppressWarnings("restricted")
        public HostMemory bind(HostMemory memory) {
            return new SegmentMemory(((SegmentMemory) memory).segment.reinterpret(arena, null));
        }

        @Override
        public void close() {
            arena.close();
        }
    }
}

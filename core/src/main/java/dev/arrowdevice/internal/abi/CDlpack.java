package dev.arrowdevice.internal.abi;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The members of DLPack's two structs at an address: {@code DLManagedTensorVersioned} of version 1, and the legacy
 * {@code DLManagedTensor}. Sizes and offsets are in bytes, for platforms with 64-bit pointers.
 */
public final class CDlpack {
    /** {@code DLTensor}, with the members of {@code device} and {@code dtype} in place of those. */
    public static final StructLayout TENSOR_LAYOUT = MemoryLayout.structLayout(
                    ValueLayout.JAVA_LONG.withName("data"),
                    ValueLayout.JAVA_INT.withName("device.device_type"),
                    ValueLayout.JAVA_INT.withName("device.device_id"),
                    ValueLayout.JAVA_INT.withName("ndim"),
                    ValueLayout.JAVA_BYTE.withName("dtype.code"),
                    ValueLayout.JAVA_BYTE.withName("dtype.bits"),
                    ValueLayout.JAVA_SHORT.withName("dtype.lanes"),
                    ValueLayout.JAVA_LONG.withName("shape"),
                    ValueLayout.JAVA_LONG.withName("strides"),
                    ValueLayout.JAVA_LONG.withName("byte_offset"))
            .withName("DLTensor");

    /** {@code DLManagedTensor}. */
    public static final StructLayout LEGACY_LAYOUT = MemoryLayout.structLayout(
                    TENSOR_LAYOUT.withName("dl_tensor"),
                    ValueLayout.JAVA_LONG.withName("manager_ctx"),
                    ValueLayout.JAVA_LONG.withName("deleter"))
            .withName("DLManagedTensor");

    /** {@code DLManagedTensorVersioned}, with the members of {@code version} in place of it. */
    public static final StructLayout VERSIONED_LAYOUT = MemoryLayout.structLayout(
                    ValueLayout.JAVA_INT.withName("version.major"),
                    ValueLayout.JAVA_INT.withName("version.minor"),
                    ValueLayout.JAVA_LONG.withName("manager_ctx"),
                    ValueLayout.JAVA_LONG.withName("deleter"),
                    ValueLayout.JAVA_LONG.withName("flags"),
                    TENSOR_LAYOUT.withName("dl_tensor"))
            .withName("DLManagedTensorVersioned");

    /** {@code DLManagedTensor}. */
    public static final CDlpack LEGACY = new CDlpack(LEGACY_LAYOUT, false);
    /** {@code DLManagedTensorVersioned}. */
    public static final CDlpack VERSIONED = new CDlpack(VERSIONED_LAYOUT, true);

    private static final long MAJOR = CStructLayouts.offset(VERSIONED_LAYOUT, "version.major");
    private static final long MINOR = CStructLayouts.offset(VERSIONED_LAYOUT, "version.minor");
    private static final long FLAGS = CStructLayouts.offset(VERSIONED_LAYOUT, "flags");

    private static final long DATA = CStructLayouts.offset(TENSOR_LAYOUT, "data");
    private static final long DEVICE_TYPE = CStructLayouts.offset(TENSOR_LAYOUT, "device.device_type");
    private static final long DEVICE_ID = CStructLayouts.offset(TENSOR_LAYOUT, "device.device_id");
    private static final long RANK = CStructLayouts.offset(TENSOR_LAYOUT, "ndim");
    private static final long TYPE = CStructLayouts.offset(TENSOR_LAYOUT, "dtype.code");
    private static final long SHAPE = CStructLayouts.offset(TENSOR_LAYOUT, "shape");
    private static final long STRIDES = CStructLayouts.offset(TENSOR_LAYOUT, "strides");
    private static final long BYTE_OFFSET = CStructLayouts.offset(TENSOR_LAYOUT, "byte_offset");

    private final boolean versioned;
    private final long size;
    private final long tensor;
    private final long managerContext;
    private final long deleter;

    private CDlpack(StructLayout layout, boolean versioned) {
        this.versioned = versioned;
        this.size = layout.byteSize();
        this.tensor = layout.byteOffset(PathElement.groupElement("dl_tensor"));
        this.managerContext = CStructLayouts.offset(layout, "manager_ctx");
        this.deleter = CStructLayouts.offset(layout, "deleter");
    }

    /** Whether the struct has a version and flags. */
    public boolean isVersioned() {
        return versioned;
    }

    /** The size of the struct in bytes. */
    public long size() {
        return size;
    }

    /** {@code version.major}. Only for the versioned struct. */
    public int major(long struct) {
        return RawMemory.getInt(struct + MAJOR);
    }

    /** {@code version.minor}. Only for the versioned struct. */
    public int minor(long struct) {
        return RawMemory.getInt(struct + MINOR);
    }

    /** {@code flags}; 0 for the legacy struct. */
    public long flags(long struct) {
        return versioned ? RawMemory.getLong(struct + FLAGS) : 0;
    }

    /** Sets version and flags. Only for the versioned struct. */
    public void setHeader(long struct, int major, int minor, long flags) {
        RawMemory.putInt(struct + MAJOR, major);
        RawMemory.putInt(struct + MINOR, minor);
        RawMemory.putLong(struct + FLAGS, flags);
    }

    /** {@code manager_ctx}. */
    public long managerContext(long struct) {
        return RawMemory.getLong(struct + managerContext);
    }

    /** Sets {@code manager_ctx}. */
    public void setManagerContext(long struct, long value) {
        RawMemory.putLong(struct + managerContext, value);
    }

    /** {@code deleter}, or 0 if there is none. */
    public long deleter(long struct) {
        return RawMemory.getLong(struct + deleter);
    }

    /** Sets {@code deleter}. */
    public void setDeleter(long struct, long value) {
        RawMemory.putLong(struct + deleter, value);
    }

    /** {@code data}. */
    public long data(long struct) {
        return RawMemory.getLong(struct + tensor + DATA);
    }

    /** {@code device.device_type}. */
    public int deviceType(long struct) {
        return RawMemory.getInt(struct + tensor + DEVICE_TYPE);
    }

    /** {@code device.device_id}. */
    public int deviceId(long struct) {
        return RawMemory.getInt(struct + tensor + DEVICE_ID);
    }

    /** {@code ndim}. */
    public int rank(long struct) {
        return RawMemory.getInt(struct + tensor + RANK);
    }

    /** {@code dtype.code}. */
    public int typeCode(long struct) {
        return RawMemory.getByte(struct + tensor + TYPE) & 0xFF;
    }

    /** {@code dtype.bits}. */
    public int typeBits(long struct) {
        return RawMemory.getByte(struct + tensor + TYPE + 1) & 0xFF;
    }

    /** {@code dtype.lanes}. */
    public int typeLanes(long struct) {
        int both = RawMemory.getInt(struct + tensor + TYPE);
        return isLittleEndian() ? both >>> 16 : both & 0xFFFF;
    }

    /** {@code shape}. */
    public long shape(long struct) {
        return RawMemory.getLong(struct + tensor + SHAPE);
    }

    /** {@code strides}. */
    public long strides(long struct) {
        return RawMemory.getLong(struct + tensor + STRIDES);
    }

    /** {@code byte_offset}. */
    public long byteOffset(long struct) {
        return RawMemory.getLong(struct + tensor + BYTE_OFFSET);
    }

    /** Sets all members of {@code dl_tensor} except its type. {@code byte_offset} becomes 0. */
    public void setTensor(long struct, long data, int deviceType, int deviceId, int rank, long shape, long strides) {
        RawMemory.putLong(struct + tensor + DATA, data);
        RawMemory.putInt(struct + tensor + DEVICE_TYPE, deviceType);
        RawMemory.putInt(struct + tensor + DEVICE_ID, deviceId);
        RawMemory.putInt(struct + tensor + RANK, rank);
        RawMemory.putLong(struct + tensor + SHAPE, shape);
        RawMemory.putLong(struct + tensor + STRIDES, strides);
        RawMemory.putLong(struct + tensor + BYTE_OFFSET, 0);
    }

    /** Sets {@code dtype}. */
    public void setType(long struct, int code, int bits, int lanes) {
        int packed = isLittleEndian() ? lanes << 16 | bits << 8 | code : code << 24 | bits << 16 | lanes;
        RawMemory.putInt(struct + tensor + TYPE, packed);
    }

    private static boolean isLittleEndian() {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    }

    /** Calls the deleter if there is one. It frees the struct too. */
    public static void delete(long struct, CDlpack kind) {
        long callback = kind.deleter(struct);
        if (callback != 0) {
            ForeignCallbacks.release(callback, struct);
        }
    }
}

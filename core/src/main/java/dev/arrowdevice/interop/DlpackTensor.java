package dev.arrowdevice.interop;

import dev.arrowdevice.ArrayView;
import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.internal.abi.CDlpack;
import dev.arrowdevice.internal.memory.Platform;
import dev.arrowdevice.spi.Verb;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A DLPack tensor: what {@code DLManagedTensorVersioned} and the legacy {@code DLManagedTensor} say. A value that owns
 * nothing; {@link #importArray}, {@link #exportVersioned} and {@link #exportLegacy} move ownership.
 *
 * @param device the device, its type by DLPack's codes, which are Arrow's; the CPU is {@link Device#CPU} here and id 0 there,
 *     and so is any device whose id here is negative, which has no number
 * @param typeCode {@code DLDataTypeCode}: {@link #INT}, {@link #UINT}, {@link #FLOAT}, 3 (opaque handle), 4 (bfloat),
 *     {@link #COMPLEX}, {@link #BOOL}, 7 to 17 (floats of 8, 6 and 4 bits)
 * @param typeBits the bits of one lane
 * @param typeLanes how many values one element has, 1 unless it is a vector
 * @param shape the size of each dimension
 * @param strides elements from one element to the next in each dimension; null for the C-contiguous layout
 * @param data the pointer, possibly 0 where there are no elements
 * @param byteOffset bytes from the pointer to the element whose indexes are all 0
 * @param flags {@link #READ_ONLY}, {@link #IS_COPIED}, {@link #IS_SUBBYTE_TYPE_PADDED}; others are kept
 */
public record DlpackTensor(
        Device device,
        int typeCode,
        int typeBits,
        int typeLanes,
        List<Long> shape,
        @Nullable List<Long> strides,
        long data,
        long byteOffset,
        long flags) {
    /** {@code kDLInt}. */
    public static final int INT = 0;
    /** {@code kDLUInt}. */
    public static final int UINT = 1;
    /** {@code kDLFloat}. */
    public static final int FLOAT = 2;
    /** {@code kDLComplex}. */
    public static final int COMPLEX = 5;
    /** {@code kDLBool}. */
    public static final int BOOL = 6;
    /** The tensor must not be written. */
    public static final long READ_ONLY = 1;
    /** The producer has copied the data for this consumer. */
    public static final long IS_COPIED = 1 << 1;
    /** Each element of a type of less than 8 bits takes whole bytes. */
    public static final long IS_SUBBYTE_TYPE_PADDED = 1 << 2;
    /** The name of a Python capsule with a {@code DLManagedTensorVersioned}. */
    public static final String CAPSULE = "dltensor_versioned";
    /** The name of a Python capsule with a {@code DLManagedTensor}. */
    public static final String LEGACY_CAPSULE = "dltensor";

    /**
     * Checks the value.
     *
     * @throws IllegalArgumentException for numbers of the type that don't fit into the struct's 8, 8 and 16 bits, as many
     *     strides as there are no dimensions, and sizes that are negative or overflow. A type that Arrow lacks is no error
     *     here
     */
    public DlpackTensor {
        shape = List.copyOf(shape);
        strides = strides == null ? null : List.copyOf(strides);
        strided(new DlpackType(typeCode, typeBits, typeLanes), shape, strides, data, byteOffset);
    }

    private DlpackType type() {
        return new DlpackType(typeCode, typeBits, typeLanes);
    }

    private static Strided strided(
            DlpackType type, List<Long> shape, @Nullable List<Long> strides, long data, long byteOffset) {
        long bits = (long) type.bits() * type.lanes();
        int itemSize = (int) Math.max(1, bits / Byte.SIZE);
        if (byteOffset < 0 || (data != 0 && byteOffset > Long.MAX_VALUE - data)) {
            throw new IllegalArgumentException("byte_offset " + Long.toUnsignedString(byteOffset) + " at "
                    + Strided.hex(data) + " leads out of the address space");
        }
        long address = data == 0 ? 0 : data + byteOffset;
        return Strided.of(address, shape, strides == null ? null : Strided.byteStrides(strides, itemSize), itemSize);
    }

    /** Whether the data must not be written. */
    public boolean readOnly() {
        return (flags & READ_ONLY) != 0;
    }

    /**
     * Reads a struct; ownership does not change.
     *
     * @throws IllegalArgumentException if it can't be read, or its major version is not 1
     */
    public static DlpackTensor read(DlpackStruct struct) {
        return DlpackStructs.read(struct.getAddress(), struct.kind());
    }

    /**
     * Imports a struct as an Arrow array; types as with {@link CudaArrayInterface#importArray}. The import
     * owns the struct and calls its deleter once: when the last owner of the memory is closed, at once after a copy, or on
     * failure. Of a struct of another major version it reads nothing but the deleter. A deleter that is NULL is not called. A struct
     * without a version is never read-only.
     *
     * <p>DLPack has no event. The caller has either given the producer a stream ({@link ImportOptions#stream}, {@link
     * ImportOptions#after}) or knows that the data is there.
     *
     * @throws IllegalArgumentException if the struct is invalid or the tensor has no counterpart in Arrow, or not without a
     *     copy; the message says why
     * @throws IllegalStateException if a queue is to be waited for, or a copy to be made, and no runtime is registered for the
     *     device
     */
    public static DeviceArray importArray(DlpackStruct struct, ImportOptions options) {
        return DlpackStructs.take(struct.getAddress(), struct.kind(), "DlpackTensor.importArray", options);
    }

    /**
     * Moves an array out to a new {@code DLManagedTensorVersioned}, version 1. Nothing is copied. The consumer calls the
     * struct's deleter once, from any thread, which frees the struct too; who finds no consumer calls {@link
     * DlpackStruct#delete}.
     *
     * @param options the {@linkplain ExportOptions#stream stream} or the {@linkplain ExportOptions#queue queue} of the
     *     consumer; with neither this waits until the data is there
     * @throws IllegalArgumentException if the type has no counterpart in DLPack, there are nulls, or the device has no such
     *     stream; the array stays the caller's
     * @throws IllegalStateException if the array was closed or moved, or is borrowed
     * @throws UnsupportedOperationException on Java before 22, and without native access
     */
    public static DlpackStruct exportVersioned(DeviceArray array, ExportOptions options) {
        requireNativeAccess("exportVersioned");
        return DlpackStructs.export(array, CDlpack.VERSIONED, Verb.EXPORT_VERSIONED, options);
    }

    /**
     * Moves an array out to a new {@code DLManagedTensor}. See {@link #exportVersioned}.
     *
     * @throws IllegalArgumentException also if the options are not {@linkplain ExportOptions#writable writable}: the struct
     *     can't say that memory is read-only
     */
    public static DlpackStruct exportLegacy(DeviceArray array, ExportOptions options) {
        requireNativeAccess("exportLegacy");
        return DlpackStructs.export(array, CDlpack.LEGACY, Verb.EXPORT_LEGACY, options);
    }

    /**
     * Describes an array as the tensor that an export would make of it; ownership does not change. Waits only
     * where a null count is not known.
     *
     * @throws IllegalArgumentException if the type has no counterpart in DLPack, or there are nulls
     * @throws IllegalStateException if the array was closed or moved
     */
    public static DlpackTensor of(ArrayView array, ExportOptions options) {
        requireNativeAccess("DlpackTensor.of");
        StridedExport shown = StridedExport.of("DlpackTensor.of", array, false);
        DlpackType type = ElementType.dlpack(shown.type());
        return new DlpackTensor(
                array.getDevice(),
                type.code(),
                type.bits(),
                type.lanes(),
                shown.data().shape(),
                shown.data().elementStrides(),
                shown.data().address(),
                0,
                (options.writable ? 0 : READ_ONLY) | (options.copied ? IS_COPIED : 0));
    }

    /** What Arrow's side needs to know. */
    StridedImport.Source source(ImportOptions options) {
        Device asked = options.device;
        if (asked != null && !asked.equals(device)) {
            throw new IllegalArgumentException("the tensor lies on " + device + ", not on " + asked);
        }
        boolean ordered = options.streamGiven && !StridedExport.isUnordered(device, options.stream);
        Long stream = ordered ? StridedExport.consumerStream(device, options.stream) : null;
        return new StridedImport.Source(
                device,
                strided(type(), shape, strides, data, byteOffset),
                ElementType.of(type()),
                readOnly(),
                null,
                stream,
                null);
    }

    private static void requireNativeAccess(String operation) {
        Platform.requireNativeAccess(operation);
    }
}

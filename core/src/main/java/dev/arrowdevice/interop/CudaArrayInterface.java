package dev.arrowdevice.interop;

import dev.arrowdevice.ArrayView;
import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.internal.copying.ByteForms;
import dev.arrowdevice.internal.memory.Platform;
import dev.arrowdevice.internal.owners.Owners;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The CUDA Array Interface, what Python libraries pass as {@code __cuda_array_interface__}: versions 0 to 3 are read,
 * versions 2 and 3 written. A value that owns nothing: "the interface has no slot for the owner of the data", so who uses
 * the data keeps its owner.
 *
 * @param version 0 to 3; the versions before 2 say nothing that 2 does not
 * @param shape "the size of each dimension"
 * @param typestr the type of the elements, by the grammar of NumPy: {@code "<i4"}, {@code "|b1"}, {@code "<M8[ns]"}
 * @param data the pointer, 0 where there are no elements. It is a pointer of its owner's context; for another one "the most
 *     common case is to use {@code cuPointerGetAttribute}"
 * @param readOnly whether the consumer must not write
 * @param strides bytes from one element to the next in each dimension; null for the C-contiguous layout
 * @param descr the parts of the elements as Python has them: lists of a name, a typestr or a list of parts, and perhaps a
 *     shape; empty if typestr says all
 * @param mask which elements are valid, of the same shape, by elements that are true, or bits ({@code <t1}); null for all
 * @param stream after whose work the data is there: {@link #LEGACY_DEFAULT_STREAM}, {@link #PER_THREAD_DEFAULT_STREAM}, else
 *     a {@code cudaStream_t}, never 0, which is "disallowed as it would be ambiguous"; null if the data is there, and
 *     before version 3
 */
public record CudaArrayInterface(
        int version,
        List<Long> shape,
        String typestr,
        long data,
        boolean readOnly,
        @Nullable List<Long> strides,
        List<?> descr,
        @Nullable CudaArrayInterface mask,
        @Nullable Long stream) {
    /** The name of the attribute in Python. */
    public static final String ATTRIBUTE = "__cuda_array_interface__";
    /** The {@code stream} that is the legacy default stream. */
    public static final long LEGACY_DEFAULT_STREAM = CudaStream.LEGACY_DEFAULT;
    /** The {@code stream} that is the per-thread default stream. */
    public static final long PER_THREAD_DEFAULT_STREAM = 2;

    private static final int NEWEST = 3;

    /**
     * Checks the value.
     *
     * @throws IllegalArgumentException if it breaks the interface
     */
    public CudaArrayInterface {
        if (version < 0 || version > NEWEST) {
            throw new IllegalArgumentException("version " + version + " is not known; 0 to " + NEWEST + " are");
        }
        shape = List.copyOf(shape);
        strides = strides == null ? null : List.copyOf(strides);
        TypeString type = TypeString.parse(typestr);
        typestr = type.toString();
        descr = DescrField.normalized(descr, type);
        if (type.kind() == 't') {
            requireBits(shape, type, data, strides);
        } else {
            Strided.of(data, shape, strides, Math.max(1, type.itemSize()));
        }
        if (mask != null) {
            requireMask(shape, mask);
        }
        if (stream != null) {
            CudaStream.require(stream);
        }
    }

    /** The type of the elements, in its parts. */
    TypeString type() {
        return TypeString.parse(typestr);
    }

    private static void requireBits(List<Long> shape, TypeString typestr, long data, @Nullable List<Long> strides) {
        Strided bytes = Strided.of(data, shape, null, 1);
        if (typestr.size() != 1 || bytes.shape().size() != 1 || strides != null) {
            throw new IllegalArgumentException(
                    "bits (typestr \"" + typestr + "\") are one after the other in one dimension, of one bit each");
        }
    }

    private static void requireMask(List<Long> shape, CudaArrayInterface mask) {
        if (!mask.shape.equals(shape)) {
            throw new IllegalArgumentException("the mask has the shape " + mask.shape + ", the data " + shape);
        }
        if ("tbiuf".indexOf(mask.type().kind()) < 0 || mask.mask != null) {
            throw new IllegalArgumentException(
                    "a mask has elements that are true or not, and none of its own; this one has" + " typestr \""
                            + mask.typestr + "\"" + (mask.mask == null ? "" : " and a mask"));
        }
    }

    /** Where the elements are. */
    Strided strided() {
        return Strided.of(data, shape, strides, type().itemSize());
    }

    /**
     * Reads what the attribute gave. Keys that the interface does not know are left aside.
     *
     * @param map by the names of Python: integers are Java integers or {@link java.math.BigInteger}, tuples and lists are
     *     lists or arrays, None is null or absent. {@code mask} is a map of the same kind (the attribute of the mask) or a
     *     CudaArrayInterface
     * @throws IllegalArgumentException for keys that are missing or of a wrong type, and values that break the interface; the
     *     message names the key
     */
    public static CudaArrayInterface fromMap(Map<?, ?> map) {
        List<Long> shape = PythonValues.shape("shape", PythonValues.required(map, "shape"));
        String typestr = PythonValues.string("typestr", PythonValues.required(map, "typestr"));
        TypeString.parse(typestr);
        List<?> data = PythonValues.pair("data", PythonValues.required(map, "data"));
        long version = PythonValues.integer("version", PythonValues.required(map, "version"));
        if (version < 0 || version > NEWEST) {
            throw new IllegalArgumentException("version " + version + " is not known; 0 to " + NEWEST + " are");
        }
        Object strides = map.get("strides");
        Object descr = map.get("descr");
        Object stream = map.get("stream");
        return new CudaArrayInterface(
                (int) version,
                shape,
                typestr,
                PythonValues.pointer("data[0]", data.get(0)),
                PythonValues.bool("data[1]", data.get(1)),
                strides == null ? null : PythonValues.integers("strides", strides),
                descr == null ? List.of() : DescrField.listed(descr),
                mask(map.get("mask")),
                stream == null ? null : PythonValues.pointer("stream", stream));
    }

    private static @Nullable CudaArrayInterface mask(@Nullable Object value) {
        if (value == null || value instanceof CudaArrayInterface) {
            return (CudaArrayInterface) value;
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw PythonValues.wrong("mask", "the " + ATTRIBUTE + " of the mask", value);
        }
        try {
            return fromMap(map);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("mask: " + e.getMessage(), e);
        }
    }

    /**
     * The value by the names of Python, as {@link #fromMap} reads it: tuples as lists, None as null. A bridge makes the shape,
     * the strides and the data pair tuples, and wraps the mask in an object that has {@link #ATTRIBUTE}.
     *
     * @return version 3 with a stream, else the version of this value, at least 2
     */
    public Map<String, @Nullable Object> toMap() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("shape", shape);
        map.put("typestr", typestr);
        map.put("data", List.of(data, readOnly));
        map.put("version", stream != null ? NEWEST : Math.max(2, version));
        map.put("strides", strides);
        if (!descr.isEmpty()) {
            map.put("descr", descr);
        }
        if (mask != null) {
            map.put("mask", mask.toMap());
        }
        if (stream != null || version == NEWEST) {
            map.put("stream", stream);
        }
        return Collections.unmodifiableMap(map);
    }

    /** Describes an array with the {@linkplain ExportOptions#defaults() default options}; see the other method. */
    public static CudaArrayInterface of(ArrayView array) {
        return of(array, ExportOptions.defaults());
    }

    /**
     * Describes an array. Ownership does not change and nothing is copied: the array must stay open for as long as a consumer
     * uses the data. Work that the consumer has queued by then may go on: memory that was allocated in the order of a queue
     * is freed after all work of the device. Lists of fixed size, tensors among them, become dimensions.
     *
     * <p>Waits until the data is there, unless the options name a {@linkplain ExportOptions#queue queue}, whose handle
     * becomes the stream of version 3, also of the bit mask; of version 2 it always waits. Of null counts that are not known
     * it waits too, unless there is a mask.
     *
     * @throws IllegalArgumentException if the array lies on no device of CUDA or HIP nor on an {@code EXT_DEV}, its type has
     *     no type string, or it has nulls and the options no mask that fits
     * @throws IllegalStateException if the array was closed or moved
     * @throws UnsupportedOperationException on Java before 22, and without native access
     */
    public static CudaArrayInterface of(ArrayView array, ExportOptions options) {
        Platform.requireNativeAccess("CudaArrayInterface.of");
        requireDevice(array.getDevice());
        if (options.streamGiven) {
            throw new IllegalArgumentException("ExportOptions.stream is for DLPack; here the producer names the queue");
        }
        boolean masked = options.bitMask || options.mask != null;
        StridedExport shown = StridedExport.of("CudaArrayInterface.of", array, masked);
        boolean ordered = options.queue != null && options.cudaVersion >= NEWEST;
        DeviceEvent ready = array.getReadyEvent();
        if (ordered) {
            StridedExport.order(array.getDevice(), ready, options);
        } else if (ready != null) {
            ready.await();
        }
        TypeString typestr = ElementType.typeString(shown.type());
        Long stream = ordered && options.queue != null ? CudaStream.ofQueue(options.queue.getHandle()) : null;
        CudaArrayInterface mask = mask(shown, options, stream);
        CudaArrayInterface described = described(shown.data(), typestr, options, mask, stream);
        Owners.state(array).lend();
        return described;
    }

    private static CudaArrayInterface described(
            Strided data,
            TypeString typestr,
            ExportOptions options,
            @Nullable CudaArrayInterface mask,
            @Nullable Long stream) {
        return new CudaArrayInterface(
                options.cudaVersion,
                data.shape(),
                typestr.toString(),
                data.address(),
                !options.writable,
                data.isContiguous() ? null : data.strides(),
                List.of(),
                mask,
                stream);
    }

    /**
     * Which elements of an array are valid, as {@code arrow.bool8} without nulls, on the same device: a mask for
     * {@link ExportOptions#mask}, which the caller closes. Of tensors and lists of fixed size, one byte for each of the
     * innermost elements, in the order of their memory. Waits until the values are there.
     */
    public static DeviceArray byteMask(ArrayView array) {
        try (DeviceArray held = array.share()) {
            held.await();
            return ByteForms.validity(
                    StridedExport.of("CudaArrayInterface.byteMask", held, true).elements());
        }
    }

    /** @param stream what the array's own bits wait for, as its elements do */
    private static @Nullable CudaArrayInterface mask(
            StridedExport shown, ExportOptions options, @Nullable Long stream) {
        ArrayView given = options.mask;
        if (given != null) {
            return givenMask(shown, given, options);
        }
        ArrayData elements = shown.elements();
        DeviceBuffer bits = elements.getValidity();
        if (!options.bitMask || bits == null || elements.getLength() == 0 || elements.getKnownNullCount() == 0) {
            return null;
        }
        if ((elements.getOffset() & 7) != 0 || shown.data().shape().size() != 1) {
            throw new IllegalArgumentException("the validity bits of a"
                    + (shown.data().shape().size() == 1
                            ? " slice begin within a byte"
                            : "n array of more than one dimension can't be a mask")
                    + ": byteMask(array) makes a mask of bytes");
        }
        return new CudaArrayInterface(
                options.cudaVersion,
                shown.data().shape(),
                new TypeString(TypeString.of('i', 2).order(), 't', 1, 0, "").toString(),
                bits.getAddress() + elements.getOffset() / Byte.SIZE,
                true,
                null,
                List.of(),
                null,
                stream);
    }

    private static CudaArrayInterface givenMask(StridedExport shown, ArrayView given, ExportOptions options) {
        Device device = shown.elements().getDevice();
        StridedExport mask = StridedExport.of("ExportOptions.mask", given, false);
        if (!given.getDevice().equals(device)) {
            throw new IllegalArgumentException(
                    "the mask lies on " + given.getDevice() + ", the data on " + device + ": copyTo that first");
        }
        DeviceEvent ready = given.getReadyEvent();
        if (ready != null) {
            ready.await();
        }
        if (mask.data().count() != shown.data().count() || mask.data().shape().size() != 1) {
            throw new IllegalArgumentException(
                    "the mask has the shape " + mask.data().shape() + ", the data "
                            + shown.data().shape() + ": a mask is one array of all elements");
        }
        // In the order in which the elements lie, whatever the order of the dimensions is.
        List<Long> strides = new ArrayList<>();
        for (long stride : shown.data().elementStrides()) {
            strides.add(stride * mask.data().itemSize());
        }
        Strided bytes = Strided.of(
                mask.data().address(),
                shown.data().shape(),
                strides,
                mask.data().itemSize());
        return described(bytes, ElementType.typeString(mask.type()), options, null, null);
    }

    /**
     * "The data must be device-accessible", for CUDA, or for HIP, which speaks this interface too. What an {@code EXT_DEV}
     * is only its runtime knows: it may speak it as well.
     */
    private static void requireDevice(Device device) {
        switch (device.type()) {
            case DeviceType.CUDA:
            case DeviceType.CUDA_HOST:
            case DeviceType.CUDA_MANAGED:
            case DeviceType.ROCM:
            case DeviceType.ROCM_HOST:
            case DeviceType.EXT_DEV:
                return;
            case DeviceType.CPU:
                throw new IllegalArgumentException(
                        "the data lies in memory of the CPU, and \"must be device-accessible\": copyTo a device first");
            default:
                throw new IllegalArgumentException(
                        "the data lies on " + device + ", which is no device of CUDA or HIP, nor an EXT_DEV");
        }
    }

    /**
     * Imports the array of this interface as an Arrow array. One dimension becomes an array of the element's type, more
     * become {@code arrow.fixed_shape_tensor}, none an array of one element; booleans become {@code arrow.bool8}, complex
     * numbers lists of their two parts.
     *
     * <p>The array gets an event that completes after what is queued now on the {@link #stream}, and on that of the mask.
     *
     * @param owner keeps the data and the mask alive in the foreign library. The import closes it once: when the last Java
     *     owner of the memory is closed, at once after a copy, or on failure
     * @param options with the device that the pointer belongs to: one of CUDA or HIP, or an {@code EXT_DEV}
     * @throws IllegalArgumentException if the device is another one, the array has no counterpart in Arrow, or not without
     *     a copy; the message says why
     * @throws IllegalStateException if a stream has to be waited for, or a copy to be made, and no runtime is registered
     *     for the device
     * @throws UnsupportedOperationException on Java before 22, and without native access
     */
    public DeviceArray importArray(AutoCloseable owner, ImportOptions options) {
        return ForeignOwner.take(ForeignOwners.closing(owner), "CudaArrayInterface.importArray", options, () -> {
            Device device = ForeignOwner.requireDevice(options);
            requireDevice(device);
            TypeString type = type();
            if (!descr.isEmpty() && !DescrField.isTrivial(DescrField.parse(descr), type)) {
                throw new IllegalArgumentException(
                        "descr " + descr + ": elements that consist of parts have no Arrow type of the same layout");
            }
            if (type.kind() == 't') {
                throw new IllegalArgumentException("typestr \"" + typestr + "\": bits are read as masks only");
            }
            Long handle = stream == null ? null : CudaStream.handleOn(device, stream);
            return new StridedImport.Source(device, strided(), ElementType.of(type), readOnly, mask, handle, null);
        });
    }
}

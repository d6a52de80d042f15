package dev.arrowdevice.interop;

import dev.arrowdevice.ArrayView;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.internal.memory.Platform;
import dev.arrowdevice.internal.owners.Owners;
import dev.arrowdevice.spi.DeviceEvent;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The SYCL USM Array Interface, what dpctl, dpnp and Numba pass as {@code __sycl_usm_array_interface__}, version 1. A value
 * that owns nothing: who uses the data keeps its owner. There is no event in it: the producer waits first.
 *
 * @param shape the size of each dimension
 * @param typestr the type of the elements, by the grammar of NumPy: {@code "<f8"}, {@code "|b1"}
 * @param typedescr the parts of the elements, as {@link CudaArrayInterface#descr}; empty if typestr says all
 * @param data "{@code static_cast<size_t>(usm_ptr)}", without the offset
 * @param readOnly "whether the array is read-only, or not"
 * @param strides elements (not bytes) from one element to the next in each dimension; null for the C-contiguous layout
 * @param offset elements (not bytes) from the pointer to the element whose indexes are all 0
 * @param version 1
 * @param syclobj the context that the pointer is bound to
 */
public record SyclUsmArrayInterface(
        List<Long> shape,
        String typestr,
        List<?> typedescr,
        long data,
        boolean readOnly,
        @Nullable List<Long> strides,
        long offset,
        int version,
        SyclObject syclobj) {
    /** The name of the attribute in Python. */
    public static final String ATTRIBUTE = "__sycl_usm_array_interface__";

    private static final int VERSION = 1;

    /**
     * Checks the value.
     *
     * @throws IllegalArgumentException if it breaks the interface
     */
    public SyclUsmArrayInterface {
        shape = List.copyOf(shape);
        strides = strides == null ? null : List.copyOf(strides);
        TypeString type = TypeString.parse(typestr);
        typestr = type.toString();
        if (version != VERSION) {
            throw new IllegalArgumentException("version " + version + " is not known; " + VERSION + " is");
        }
        if ("biufc".indexOf(type.kind()) < 0) {
            throw new IllegalArgumentException(
                    "typestr \"" + typestr + "\": elements are booleans or numbers, kinds b i u f c");
        }
        typedescr = DescrField.normalized(typedescr, type);
        strided(shape, type, data, strides, offset);
    }

    private Strided strided() {
        return strided(shape, TypeString.parse(typestr), data, strides, offset);
    }

    private static Strided strided(
            List<Long> shape, TypeString type, long data, @Nullable List<Long> strides, long offset) {
        int itemSize = type.itemSize();
        long address;
        try {
            address = data == 0 ? 0 : Math.addExact(data, Math.multiplyExact(offset, (long) itemSize));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("offset " + offset + " leads out of the address space", e);
        }
        return Strided.of(address, shape, strides == null ? null : Strided.byteStrides(strides, itemSize), itemSize);
    }

    /**
     * Reads what the attribute gave. {@code strides}, {@code offset} and {@code typedescr} may be absent or None, which is
     * C-contiguous, 0 and no parts. Keys that the interface does not know are left aside.
     *
     * <p>"If data is not present, the buffer of the object is used": then the caller puts the pair of the buffer's address and
     * read-only flag there, and bounds the import by {@link ImportOptions#within}.
     *
     * @param map by the names of Python; see {@link CudaArrayInterface#fromMap} for its values. {@code syclobj} is a filter
     *     selector string, a {@link SyclObject}, or the map of a capsule's {@code name} and {@code pointer}
     * @throws IllegalArgumentException for keys that are missing or of a wrong type, and values that break the interface; the
     *     message names the key
     */
    public static SyclUsmArrayInterface fromMap(Map<?, ?> map) {
        return read(map, false);
    }

    /**
     * Reads what the attribute gave, which may be that of a memory object of dpctl's: these have true for read-only where
     * their memory is writable. So true says nothing of bytes in one dimension. All else is read as {@link #fromMap} does.
     */
    public static SyclUsmArrayInterface fromMapOfDpctl(Map<?, ?> map) {
        return read(map, true);
    }

    private static SyclUsmArrayInterface read(Map<?, ?> map, boolean ofDpctl) {
        List<Long> shape = PythonValues.shape("shape", PythonValues.required(map, "shape"));
        TypeString type = TypeString.parse(PythonValues.string("typestr", PythonValues.required(map, "typestr")));
        List<?> data = PythonValues.pair("data", PythonValues.required(map, "data"));
        long pointer = PythonValues.pointer("data[0]", data.get(0));
        boolean memoryObject = ofDpctl && shape.size() == 1 && type.itemSize() == 1 && type.kind() == 'u';
        boolean readOnly = PythonValues.bool("data[1]", data.get(1)) && !memoryObject;
        long version = PythonValues.integer("version", PythonValues.required(map, "version"));
        Object strides = map.get("strides");
        Object offset = map.get("offset");
        Object typedescr = map.get("typedescr");
        if (version != VERSION) {
            throw new IllegalArgumentException("version " + version + " is not known; " + VERSION + " is");
        }
        return new SyclUsmArrayInterface(
                shape,
                type.toString(),
                typedescr == null ? List.of() : DescrField.listed(typedescr),
                pointer,
                readOnly,
                strides == null ? null : PythonValues.integers("strides", strides),
                offset == null ? 0 : PythonValues.integer("offset", offset),
                VERSION,
                SyclObject.parse(PythonValues.required(map, "syclobj")));
    }

    /**
     * The value by the names of Python, as {@link #fromMap} reads it: tuples as lists, None as null. A bridge makes tuples of
     * the shape, the strides and the data pair, and a capsule of a {@code syclobj} that is a map of name and pointer.
     */
    public Map<String, @Nullable Object> toMap() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("shape", shape);
        map.put("typestr", typestr);
        if (!typedescr.isEmpty()) {
            map.put("typedescr", typedescr);
        }
        map.put("data", List.of(data, readOnly));
        map.put("strides", strides);
        map.put("offset", offset);
        map.put("version", version);
        map.put("syclobj", syclobj.toPython());
        return Collections.unmodifiableMap(map);
    }

    /**
     * Describes an array in USM, when its data is there: waits first. Ownership does not change and nothing is copied: the
     * array must stay open for as long as a consumer uses the data. Then the memory is freed after the work that queues of
     * this library have by then, {@code syclobj} among them. Lists of fixed size, tensors among them, become dimensions.
     *
     * @param syclobj the context of the memory, or a queue of it, which must live as long as the array
     * @param options with a {@linkplain ExportOptions#queue queue} the consumer's work there is ordered behind the data and
     *     nothing is waited for
     * @throws IllegalArgumentException if the array does not lie in USM, its type has no type string of kind b, i, u or f, or
     *     it has nulls
     * @throws IllegalStateException if the array was closed or moved
     * @throws UnsupportedOperationException on Java before 22, and without native access
     */
    public static SyclUsmArrayInterface of(ArrayView array, SyclObject syclobj, ExportOptions options) {
        Platform.requireNativeAccess("SyclUsmArrayInterface.of");
        if (array.getDevice().type() != DeviceType.ONEAPI) {
            throw new IllegalArgumentException("the array lies on " + array.getDevice() + ", not in USM of SYCL");
        }
        if (options.streamGiven || options.bitMask || options.mask != null) {
            throw new IllegalArgumentException("the SYCL USM Array Interface has neither a stream nor a mask");
        }
        DeviceEvent ready = array.getReadyEvent();
        StridedExport shown = StridedExport.of("SyclUsmArrayInterface.of", array, false);
        StridedExport.order(array.getDevice(), ready, options);
        Strided data = shown.data();
        SyclUsmArrayInterface described = new SyclUsmArrayInterface(
                data.shape(),
                ElementType.typeString(shown.type()).toString(),
                List.of(),
                shown.pointer(),
                !options.writable,
                data.isContiguous() ? null : data.elementStrides(),
                0,
                VERSION,
                syclobj);
        Owners.state(array).lend();
        return described;
    }

    /**
     * Imports the array of this interface as an Arrow array; see {@link CudaArrayInterface#importArray} for types, owner and
     * exceptions. Whether the pointer belongs to the device is asked of its runtime, where one is registered; whether it is
     * bound to the context of {@link #syclobj}, where that runtime is one of {@link dev.arrowdevice.spi.SyclContexts}, as that of oneAPI is.
     *
     * @param owner what keeps the memory; a capsule that {@link #syclobj} was read from must live until this returns
     */
    public DeviceArray importArray(AutoCloseable owner, ImportOptions options) {
        return ForeignOwner.take(
                ForeignOwners.closing(owner),
                "SyclUsmArrayInterface.importArray",
                options,
                () -> new StridedImport.Source(
                        ForeignOwner.requireDevice(options),
                        strided(),
                        ElementType.of(TypeString.parse(typestr)),
                        readOnly,
                        null,
                        null,
                        syclobj));
    }
}

package dev.arrowdevice.interop;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.FixedSizeListType;
import dev.arrowdevice.internal.copying.HostBytes;
import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.spi.AddressRange;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.Devices;
import dev.arrowdevice.spi.OwnedArrays;
import dev.arrowdevice.spi.ReferenceCounted;
import dev.arrowdevice.spi.SyclContexts;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes an Arrow array of a strided one: in place where the layout allows it, else a copy that was asked for. */
final class StridedImport {
    private final Source source;
    private final ImportOptions options;
    private final ReferenceCounted foreign;
    /** What the result will need, each with a reference of ours. */
    private final List<ReferenceCounted> owners = new ArrayList<>();

    /**
     * What all interfaces say of an array.
     *
     * @param element the Arrow type of one element
     * @param mask which elements are valid, or null for all
     * @param stream the handle of the queue that the data waits for, or null
     * @param syclobj the context that the data is bound to, where the interface says it
     */
    record Source(
            Device device,
            Strided data,
            ArrowType element,
            boolean readOnly,
            @Nullable CudaArrayInterface mask,
            @Nullable Long stream,
            @Nullable SyclObject syclobj) {
        /** What the data and its mask, which may come from somebody else, wait for. */
        Set<Long> streams() {
            Set<Long> streams = new LinkedHashSet<>();
            if (stream != null) {
                streams.add(stream);
            }
            if (mask != null && mask.stream() != null) {
                streams.add(CudaStream.handleOn(device, mask.stream()));
            }
            return streams;
        }
    }

    private StridedImport(Source source, ImportOptions options, ReferenceCounted foreign) {
        this.source = source;
        this.options = options;
        this.foreign = foreign;
    }

    /**
     * Takes the array.
     *
     * @param owner what keeps the foreign memory; the reference goes over, and is released on failure
     */
    static DeviceArray take(Source source, ImportOptions options, ReferenceCounted owner) {
        StridedImport taking = new StridedImport(source, options, owner);
        taking.owners.add(owner);
        try {
            return taking.run();
        } catch (Throwable e) {
            taking.owners.forEach(ReferenceCounted::release);
            throw e;
        }
    }

    private DeviceArray run() {
        Strided data = source.data.shape().isEmpty()
                ? Strided.of(source.data.address(), List.of(1L), null, source.data.itemSize())
                : source.data;
        requireOnDevice(data);
        List<Integer> order = data.physicalOrder();
        Strided physical = data.permuted(order);
        boolean inPlace = physical.isContiguous();
        if (!inPlace && !options.copying) {
            throw new IllegalArgumentException(misfit(data));
        }
        if (inPlace && source.readOnly && options.writable) {
            throw new IllegalArgumentException("the data is read-only, and is to be written");
        }
        DeviceEvent ready = ready();
        if (!inPlace) {
            if (ready != null) {
                ready.await();
            }
            return copy(data);
        }
        DeviceBuffer values = data.count() == 0 ? null : foreign(data.address(), data.count() * data.itemSize());
        Validity validity = validity(order, false, ready);
        return OwnedArrays.of(shaped(physical, order, values, validity), all(), ready);
    }

    /** The copy needs the foreign memory no more when it is done. */
    private DeviceArray copy(Strided data) {
        long low = data.lowest();
        DeviceBuffer values = HostBytes.read(
                foreign(data.address() + low, data.highest() - low),
                span -> HostBytes.write(
                        source.device, data.count() * data.itemSize(), target -> Elements.gather(data, span, target)));
        owners.add(values.getOwner());
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < data.shape().size(); i++) {
            order.add(i);
        }
        Validity validity = validity(order, true, null);
        ArrayData result = shaped(data, order, values, validity);
        List<ReferenceCounted> kept = new ArrayList<>(owners);
        kept.remove(values.getOwner());
        if (validity != null) {
            kept.remove(validity.bits.getOwner());
        }
        kept.forEach(owners::remove);
        DeviceArray array = OwnedArrays.of(result, all());
        kept.forEach(ReferenceCounted::release);
        return array;
    }

    private DeviceBuffer foreign(long address, long byteSize) {
        return DeviceBuffer.ofAddress(source.device, address, byteSize, foreign);
    }

    private ReferenceCounted all() {
        return ReferenceCounted.all(owners.toArray(new ReferenceCounted[0]));
    }

    private void requireOnDevice(Strided data) {
        if (options.byteSize >= 0) {
            data.requireWithin(options.start, options.byteSize);
        }
        DeviceRuntime runtime = Devices.find(source.device);
        if (runtime == null || data.count() == 0) {
            return;
        }
        requireOnDevice(runtime, "the data", data.address() + data.lowest(), data.address() + data.highest());
        if (source.syclobj != null && runtime instanceof SyclContexts contexts) {
            requireBound(contexts, data.address() + data.lowest(), source.syclobj);
        }
        CudaArrayInterface mask = source.mask;
        if (mask != null && mask.type().kind() == 't') {
            requireOnDevice(runtime, "the mask", mask.data(), mask.data() + Bits.byteSize(data.count()));
        } else if (mask != null) {
            Strided bytes = mask.strided();
            requireOnDevice(runtime, "the mask", bytes.address() + bytes.lowest(), bytes.address() + bytes.highest());
        }
    }

    private static void requireBound(SyclContexts contexts, long address, SyclObject syclobj) {
        String reason = syclobj.isFilter()
                ? contexts.whyNotBoundToDevice(address, syclobj.name())
                : syclobj.isQueue()
                        ? contexts.whyNotBoundToQueue(address, syclobj.pointer())
                        : contexts.whyNotBoundToContext(address, syclobj.pointer());
        if (reason != null) {
            throw new IllegalArgumentException(reason);
        }
    }

    /** Where the driver does not know the allocation both ends are asked for; between them others' memory may lie then. */
    private void requireOnDevice(DeviceRuntime runtime, String what, long start, long end) {
        requireOnDevice(runtime, "the first byte of " + what + " ", start);
        AddressRange allocation = runtime.allocationOf(start);
        if (allocation == null) {
            requireOnDevice(runtime, "the last byte of " + what + " ", end - 1);
        } else if (end > allocation.end()) {
            throw new IllegalArgumentException(what + " at " + Strided.hex(start) + " to " + Strided.hex(end)
                    + " leaves the allocation of " + allocation.byteSize() + " bytes at "
                    + Strided.hex(allocation.address()));
        }
    }

    private void requireOnDevice(DeviceRuntime runtime, String what, long address) {
        Device actual = runtime.deviceOf(address);
        if (actual == null || !isCalled(source.device, actual)) {
            throw new IllegalArgumentException(what + Strided.hex(address) + " is "
                    + (actual == null
                            ? "no memory of " + source.device + " in the context of its runtime"
                            : "memory of " + actual + ", not of " + source.device));
        }
    }

    /**
     * Whether memory of a device may be called another one's. Managed memory is every GPU's, and some producers know it by
     * the GPU's name only; pinned memory is every GPU's too, whichever it was pinned for.
     */
    private static boolean isCalled(Device named, Device actual) {
        switch (actual.type()) {
            case DeviceType.CUDA_MANAGED:
                return named.type() == DeviceType.CUDA_MANAGED || named.type() == DeviceType.CUDA;
            case DeviceType.CUDA_HOST:
            case DeviceType.ROCM_HOST:
                return named.type() == actual.type();
            default:
                return named.equals(actual);
        }
    }

    private static String misfit(Strided data) {
        long expected = data.itemSize();
        int dimension = data.shape().size() - 1;
        while (dimension > 0
                && (data.shape().get(dimension) <= 1 || data.strides().get(dimension) == expected)) {
            expected *= data.shape().get(dimension);
            dimension--;
        }
        return "shape " + data.shape() + " with strides of " + data.strides()
                + " bytes does not fit into an Arrow array:"
                + " dimension " + dimension + " has a stride of "
                + data.strides().get(dimension) + ", not " + expected
                + "; ImportOptions.copying() allows a copy";
    }

    /** The event after which the data is there; kept with the owners. */
    private @Nullable DeviceEvent ready() {
        Set<Long> streams = options.synchronizing ? source.streams() : Set.of();
        if (streams.isEmpty() && options.queue == null) {
            return null;
        }
        DeviceRuntime runtime = Devices.runtime(source.device);
        List<DeviceEvent> events = new ArrayList<>();
        try {
            if (options.queue != null) {
                events.add(runtime.record(options.queue));
            }
            for (long stream : streams) {
                try (DeviceQueue queue = runtime.importQueue(stream)) {
                    events.add(runtime.record(queue));
                }
            }
            DeviceEvent ready = events.size() == 1 ? events.remove(0) : runtime.join(events);
            owners.add(0, ForeignOwners.closing(ready));
            return ready;
        } finally {
            events.forEach(DeviceEvent::close);
        }
    }

    private record Validity(DeviceBuffer bits, long nullCount) {}

    /** The mask as a bitmap, in place if it is one already. */
    private @Nullable Validity validity(List<Integer> order, boolean copied, @Nullable DeviceEvent ready) {
        CudaArrayInterface mask = source.mask;
        long count = source.data.count();
        if (mask == null || count == 0) {
            return null;
        }
        long byteSize = Bits.byteSize(count);
        boolean bits = mask.type().kind() == 't';
        if (bits && !copied) {
            return new Validity(foreign(mask.data(), byteSize), ArrayData.UNKNOWN_NULL_COUNT);
        }
        if (!options.copying) {
            throw new IllegalArgumentException("the mask has bytes (typestr \"" + mask.typestr()
                    + "\"), Arrow has bits; ImportOptions.copying() allows a copy of the mask");
        }
        if (ready != null) {
            ready.await();
        }
        DeviceBuffer made;
        long[] valid = new long[1];
        if (bits) {
            made = HostBytes.read(
                    foreign(mask.data(), byteSize),
                    from -> HostBytes.write(source.device, byteSize, to -> {
                        Bits.copy(from, 0, to, count);
                        valid[0] = Bits.countSet(to, 0, count);
                    }));
        } else {
            Strided unordered = mask.strided();
            Strided elements = unordered.shape().isEmpty()
                    ? Strided.of(unordered.address(), List.of(1L), null, unordered.itemSize())
                    : unordered.permuted(order);
            long low = elements.lowest();
            made = HostBytes.read(
                    foreign(elements.address() + low, elements.highest() - low),
                    span -> HostBytes.write(source.device, byteSize, to -> {
                        Elements.trueBits(elements, mask.type(), span, to);
                        valid[0] = Bits.countSet(to, 0, count);
                    }));
        }
        owners.add(made.getOwner());
        return new Validity(made, count - valid[0]);
    }

    /** One dimension is the array; more are tensors, their dimensions permuted if they lie in another order. */
    private ArrayData shaped(
            Strided physical, List<Integer> order, @Nullable DeviceBuffer values, @Nullable Validity validity) {
        ArrayData elements = elements(physical.count(), values, validity);
        int rank = physical.shape().size();
        if (rank == 1) {
            return elements;
        }
        List<Integer> inner = new ArrayList<>();
        List<Integer> permutation = new ArrayList<>();
        for (int i = 1; i < rank; i++) {
            long size = physical.shape().get(i);
            if (size > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("dimension " + order.get(i) + " of shape " + source.data.shape()
                        + " has more elements than a tensor of Arrow can");
            }
            inner.add((int) size);
            permutation.add(order.indexOf(i) - 1);
        }
        boolean permuted = false;
        for (int i = 0; i < permutation.size(); i++) {
            permuted |= permutation.get(i) != i;
        }
        ArrowType type =
                ArrowType.fixedShapeTensor(source.element, inner, List.of(), permuted ? permutation : List.of());
        return new ArrayData(
                type,
                source.device,
                physical.shape().get(0),
                0,
                0,
                new DeviceBuffer[1],
                new ArrayData[] {elements},
                null);
    }

    private ArrayData elements(long count, @Nullable DeviceBuffer values, @Nullable Validity validity) {
        ArrowType type = source.element;
        DeviceBuffer bits = validity == null ? null : validity.bits;
        long nulls = validity == null ? 0 : validity.nullCount;
        @Nullable DeviceBuffer[] both = {bits, values};
        if (!(type.storageType() instanceof FixedSizeListType list)) {
            return new ArrayData(type, source.device, count, 0, nulls, both, new ArrayData[0], null);
        }
        ArrowType part = list.element().type();
        ArrayData parts = new ArrayData(
                part,
                source.device,
                count * list.listSize(),
                0,
                0,
                new @Nullable DeviceBuffer[] {null, values},
                new ArrayData[0],
                null);
        return new ArrayData(
                type,
                source.device,
                count,
                0,
                nulls,
                new @Nullable DeviceBuffer[] {bits},
                new ArrayData[] {parts},
                null);
    }
}

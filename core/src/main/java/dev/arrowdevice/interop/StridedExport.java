package dev.arrowdevice.interop;

import dev.arrowdevice.ArrayView;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.FixedShapeTensor;
import dev.arrowdevice.FixedSizeListType;
import dev.arrowdevice.internal.copying.NullCounts;
import dev.arrowdevice.internal.owners.Owners;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.Devices;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * An Arrow array as a strided one: lists of fixed size, tensors among them, are dimensions.
 *
 * @param data where the elements are
 * @param elements the innermost array, in which nulls may be
 */
record StridedExport(Strided data, ArrayData elements) {
    /**
     * Shows an array without touching its memory, but for null counts that are not known: for those it waits until the data
     * is there, and has them read from the device.
     *
     * @param operation what the user called, for messages
     * @param masked whether a mask says which elements are null, or all of them are looked at
     * @throws IllegalArgumentException if lists are null, or elements are where nothing masks them
     */
    static StridedExport of(String operation, ArrayView array, boolean masked) {
        ReferenceCounted owner = Owners.state(array).retain(operation);
        try {
            DeviceEvent ready = array.getReadyEvent();
            StridedExport shown = of(array.getData(), level -> nulls(level, owner, ready));
            if (!masked) {
                shown.requireNoNulls(nulls(shown.elements, owner, ready));
            }
            return shown;
        } finally {
            owner.release();
        }
    }

    private static long nulls(ArrayData array, ReferenceCounted owner, @Nullable DeviceEvent ready) {
        if (array.getKnownNullCount() == ArrayData.UNKNOWN_NULL_COUNT) {
            NullCounts.compute(array, owner, ready);
        }
        long nulls = array.getKnownNullCount();
        if (nulls == ArrayData.UNKNOWN_NULL_COUNT) {
            throw new IllegalArgumentException("whether there are nulls is not known, and can't be read: no runtime is"
                    + " registered for " + array.getDevice());
        }
        return nulls;
    }

    private static StridedExport of(ArrayData array, ToLongFunction<ArrayData> nulls) {
        List<Long> shape = new ArrayList<>(List.of(array.getLength()));
        List<Integer> order = new ArrayList<>(List.of(0));
        ArrayData inner = array;
        while (inner.getType().storageType() instanceof FixedSizeListType list) {
            if (nulls.applyAsLong(inner) > 0) {
                throw new IllegalArgumentException("an array of type " + array.getType()
                        + " has lists that are null: an element alone can be masked");
            }
            int first = shape.size();
            if (inner.getType() instanceof FixedShapeTensor tensor) {
                tensor.shape().forEach(size -> shape.add((long) size));
                for (int i = 0; i < tensor.shape().size(); i++) {
                    order.add(first
                            + (tensor.permutation().isEmpty()
                                    ? i
                                    : tensor.permutation().get(i)));
                }
            } else {
                shape.add((long) list.listSize());
                order.add(first);
            }
            inner = inner.child(0).slice(inner.getOffset() * list.listSize(), inner.getLength() * list.listSize());
        }
        int bits = inner.getBufferCount() == 2
                ? inner.getType().storageType().layout().bitWidth()
                : 0;
        if (bits == 0) {
            throw ElementType.unfit(inner.getType());
        }
        DeviceBuffer values = inner.buffer(1);
        int itemSize = Math.max(1, bits / Byte.SIZE);
        long address =
                values == null || inner.getLength() == 0 ? 0 : values.getAddress() + inner.getOffset() * itemSize;
        return new StridedExport(Strided.of(address, shape, null, itemSize).permuted(order), inner);
    }

    /** The type of an element. */
    ArrowType type() {
        return elements.getType();
    }

    /** Where the first element lies, or would if there were one: dpctl asks for the context of any pointer. */
    long pointer() {
        DeviceBuffer values = elements.buffer(1);
        return values == null || data.count() > 0 ? data.address() : values.getAddress();
    }

    private void requireNoNulls(long nulls) {
        if (nulls > 0) {
            throw new IllegalArgumentException(nulls + " elements are null, which this interface can't say"
                    + " (the CUDA Array Interface can, with ExportOptions.bitMask() or mask())");
        }
    }

    /**
     * Makes sure that the consumer finds the data: orders its queue behind the event, or waits.
     *
     * @throws IllegalArgumentException for a stream that the device does not have
     */
    static void order(Device device, @Nullable DeviceEvent ready, ExportOptions options) {
        if (options.streamGiven && isUnordered(device, options.stream)) {
            return;
        }
        Long handle = options.streamGiven ? consumerStream(device, options.stream) : null;
        if (ready == null) {
            return;
        }
        if (options.queue != null) {
            Devices.runtime(options.queue.getDevice()).waitFor(options.queue, ready);
        } else if (handle == null) {
            ready.await();
        } else {
            DeviceRuntime runtime = Devices.runtime(device);
            try (DeviceQueue queue = runtime.importQueue(handle)) {
                runtime.waitFor(queue, ready);
            }
        }
    }

    /** "-1: producer must not perform any synchronization". */
    static boolean isUnordered(Device device, @Nullable Long stream) {
        return stream != null && stream == -1 && !device.isCpu();
    }

    /**
     * The handle of the consumer's stream, null where there is none and the host has to wait.
     *
     * @throws IllegalArgumentException for a stream that the device does not have
     */
    static @Nullable Long consumerStream(Device device, @Nullable Long stream) {
        switch (device.type()) {
            case DeviceType.CUDA:
            case DeviceType.CUDA_HOST:
            case DeviceType.CUDA_MANAGED:
                if (stream == null) {
                    return CudaStream.LEGACY_DEFAULT;
                }
                return CudaStream.require(stream);
            case DeviceType.ROCM:
            case DeviceType.ROCM_HOST:
                if (stream != null && (stream == 1 || stream == 2)) {
                    throw new IllegalArgumentException(
                            "stream " + stream + " is CUDA's: of ROCm 0 is the default stream");
                }
                return stream == null ? Long.valueOf(0) : stream;
            case DeviceType.CPU:
                if (stream != null) {
                    throw new IllegalArgumentException("stream " + stream + " for memory of the CPU, which has none");
                }
                return null;
            default:
                return stream;
        }
    }
}

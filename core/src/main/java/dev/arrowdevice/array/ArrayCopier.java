package dev.arrowdevice.array;

import dev.arrowdevice.memory.Device;
import dev.arrowdevice.memory.DeviceBuffer;
import dev.arrowdevice.memory.DeviceRuntime;
import dev.arrowdevice.memory.Devices;
import dev.arrowdevice.memory.HostMemory;
import dev.arrowdevice.memory.ReferenceCounted;
import dev.arrowdevice.type.ArrowType;
import dev.arrowdevice.type.BufferKind;
import dev.arrowdevice.type.FixedSizeListType;
import dev.arrowdevice.type.Layout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies an array to a device. From memory that the host can read only the array's own range is copied, so that slices
 * become small; from other devices whole buffers are.
 */
final class ArrayCopier {
    private final DeviceRuntime target;
    private final List<ReferenceCounted> allocated = new ArrayList<>();

    private ArrayCopier(DeviceRuntime target) {
        this.target = target;
    }

    static DeviceArray copy(ArrayData source, DeviceRuntime target) {
        boolean readable = Devices.isHostReadable(source.device());
        if (readable && target.isHostReadable()) {
            return new ArrayCopier(target).run(copier -> copier.compact(source));
        }
        if (readable) {
            ArrayCopier staging = new ArrayCopier(target);
            try (DeviceArray staged = staging.run(copier -> copier.compact(source))) {
                return new ArrayCopier(target).run(copier -> copier.transfer(staged.data(), target));
            }
        }
        DeviceRuntime from = Devices.runtime(source.device());
        return new ArrayCopier(target).run(copier -> copier.transfer(source, from));
    }

    private interface Work {
        ArrayData copy(ArrayCopier copier);
    }

    private DeviceArray run(Work work) {
        try {
            ArrayData copy = work.copy(this);
            return DeviceArray.of(copy, ReferenceCounted.all(allocated.toArray(new ReferenceCounted[0])));
        } catch (Throwable e) {
            allocated.forEach(ReferenceCounted::release);
            throw e;
        }
    }

    /** Copies whole buffers with the runtime that reaches them. */
    private ArrayData transfer(ArrayData source, DeviceRuntime mover) {
        @Nullable DeviceBuffer[] buffers = new DeviceBuffer[source.bufferCount()];
        for (int i = 0; i < buffers.length; i++) {
            DeviceBuffer from = source.buffer(i);
            if (from != null) {
                buffers[i] = keep(target.allocate(from.byteSize()));
                mover.copy(from, 0, buffers[i], 0, from.byteSize());
            }
        }
        ArrayData[] children = new ArrayData[source.childCount()];
        for (int i = 0; i < children.length; i++) {
            children[i] = transfer(source.child(i), mover);
        }
        ArrayData dictionary = source.dictionary();
        return new ArrayData(
                source.type(),
                target.device(),
                source.length(),
                source.offset(),
                source.knownNullCount(),
                buffers,
                children,
                dictionary == null ? null : transfer(dictionary, mover));
    }

    /** Copies just the range of an array that the host can read. */
    private ArrayData compact(ArrayData source) {
        ArrowType type = source.type().storageType();
        Layout layout = type.layout();
        List<BufferKind> kinds = layout.buffers();
        @Nullable DeviceBuffer[] buffers = new DeviceBuffer[source.bufferCount()];
        ArrayData[] children = new ArrayData[source.childCount()];
        long offset = source.offset();
        long length = source.length();
        long keptOffset = 0;
        long first = 0;
        long last = 0;
        for (int i = 0; i < buffers.length; i++) {
            DeviceBuffer from = source.buffer(i);
            BufferKind kind = i < kinds.size() ? kinds.get(i) : BufferKind.VARIABLE;
            if (from == null || (length == 0 && i >= kinds.size())) {
                buffers[i] = from == null ? null : keep(allocate(0));
                continue;
            }
            switch (kind) {
                case VALIDITY:
                    buffers[i] = source.knownNullCount() == 0 ? null : bits(from, offset, length);
                    break;
                case DATA:
                    buffers[i] = layout.bitWidth() == 1
                            ? bits(from, offset, length)
                            : bytes(from, offset * (layout.bitWidth() / 8), length * (layout.bitWidth() / 8));
                    break;
                case TYPE_IDS:
                    buffers[i] = bytes(from, offset, length);
                    break;
                case VIEWS:
                    buffers[i] = bytes(from, offset * 16, length * 16);
                    break;
                case UNION_OFFSETS:
                case SIZES32:
                    buffers[i] = bytes(from, offset * 4, length * 4);
                    break;
                case SIZES64:
                    buffers[i] = bytes(from, offset * 8, length * 8);
                    break;
                case OFFSETS32:
                case OFFSETS64:
                    boolean wide = kind == BufferKind.OFFSETS64;
                    if (kinds.contains(BufferKind.SIZES32) || kinds.contains(BufferKind.SIZES64)) {
                        buffers[i] = bytes(from, offset * (wide ? 8 : 4), length * (wide ? 8 : 4));
                    } else {
                        OffsetBuffer offsets = new OffsetBuffer(from.memory(), wide);
                        first = length == 0 ? 0 : offsets.get(offset);
                        last = length == 0 ? 0 : offsets.get(offset + length);
                        buffers[i] = rebased(offsets, wide, offset, length, first);
                    }
                    break;
                default:
                    buffers[i] = layout.variadic() ? bytes(from, 0, from.byteSize()) : bytes(from, first, last - first);
                    break;
            }
        }
        for (int i = 0; i < children.length; i++) {
            ArrayData child = source.child(i);
            switch (type.id()) {
                case STRUCT:
                case SPARSE_UNION:
                    child = child.slice(offset, length);
                    break;
                case FIXED_SIZE_LIST:
                    int size = ((FixedSizeListType) type).listSize();
                    child = child.slice(offset * size, length * size);
                    break;
                case LIST:
                case LARGE_LIST:
                case MAP:
                    child = child.slice(first, last - first);
                    break;
                case RUN_END_ENCODED:
                    keptOffset = offset; // Run ends count from the start of the children.
                    break;
                default:
                    break; // List views and dense unions address their children in any order.
            }
            children[i] = compact(child);
        }
        ArrayData dictionary = source.dictionary();
        return new ArrayData(
                source.type(),
                writeDevice(),
                length,
                keptOffset,
                source.knownNullCount(),
                buffers,
                children,
                dictionary == null ? null : compact(dictionary));
    }

    private DeviceBuffer bytes(DeviceBuffer from, long offset, long byteSize) {
        DeviceBuffer to = keep(allocate(byteSize));
        if (byteSize > 0) {
            from.memory().copyTo(offset, to.memory(), 0, byteSize);
        }
        return to;
    }

    private DeviceBuffer bits(DeviceBuffer from, long offset, long length) {
        DeviceBuffer to;
        if ((offset & 7) == 0) {
            to = bytes(from, offset >> 3, Bits.byteSize(length));
        } else {
            to = keep(allocate(Bits.byteSize(length)));
            Bits.copy(from.memory(), offset, to.memory(), length);
        }
        if ((length & 7) != 0) {
            // The source's bits behind the range came along; padding is zero, some consumers count whole words.
            HostMemory memory = to.memory();
            long last = length >> 3;
            memory.putByte(last, (byte) (memory.getByte(last) & (1 << (length & 7)) - 1));
        }
        return to;
    }

    private DeviceBuffer rebased(OffsetBuffer offsets, boolean wide, long offset, long length, long first) {
        DeviceBuffer to = keep(allocate((length + 1) * (wide ? 8 : 4)));
        HostMemory memory = to.memory();
        for (long i = 0; i <= length; i++) {
            long rebased = length == 0 ? 0 : offsets.get(offset + i) - first;
            if (wide) {
                memory.putLong(i << 3, rebased);
            } else {
                memory.putInt(i << 2, (int) rebased);
            }
        }
        return to;
    }

    private DeviceBuffer allocate(long byteSize) {
        return target.isHostReadable() ? target.allocate(byteSize) : target.allocateStaging(byteSize);
    }

    private Device writeDevice() {
        return target.isHostReadable() ? target.device() : Device.CPU;
    }

    private DeviceBuffer keep(DeviceBuffer buffer) {
        allocated.add(buffer.owner());
        return buffer;
    }
}

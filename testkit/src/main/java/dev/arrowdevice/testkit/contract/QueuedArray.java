package dev.arrowdevice.testkit.contract;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.OwnedArrays;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An array of the device whose values a queue writes, as a kernel would. Until then its memory is zero. It has an event
 * on every device, even if the host can read the device's memory.
 */
final class QueuedArray {
    private final Trial trial;
    private final List<ReferenceCounted> parts = new ArrayList<>();
    private final List<DeviceBuffer> uploads = new ArrayList<>();
    private final List<DeviceBuffer> targets = new ArrayList<>();
    private final ArrayData data;

    private QueuedArray(Trial trial, ArrayData values) {
        this.trial = trial;
        this.data = moved(values);
    }

    /**
     * Allocates everything that is needed. Call it while no queue is paused.
     *
     * @param values on the CPU
     */
    static QueuedArray prepare(Trial trial, DeviceArray values) {
        return new QueuedArray(trial, values.getData());
    }

    /** Queues the values. The array owns its memory and its event. Close it when the queue has been resumed. */
    DeviceArray fill(DeviceQueue queue) {
        for (int i = 0; i < targets.size(); i++) {
            DeviceBuffer upload = uploads.get(i);
            trial.runtime().copyAsync(upload, 0, targets.get(i), 0, upload.getByteSize(), queue);
        }
        DeviceEvent event = trial.runtime().record(queue);
        parts.add(new ReferenceCounted() {
            @Override
            protected void free() {
                event.close();
            }
        });
        return OwnedArrays.of(data, ReferenceCounted.all(parts.toArray(new ReferenceCounted[0])), event);
    }

    private ArrayData moved(ArrayData values) {
        @Nullable DeviceBuffer[] buffers = new DeviceBuffer[values.getBufferCount()];
        for (int i = 0; i < buffers.length; i++) {
            DeviceBuffer buffer = values.buffer(i);
            buffers[i] = buffer == null ? null : moved(buffer);
        }
        ArrayData[] children = new ArrayData[values.getChildCount()];
        for (int i = 0; i < children.length; i++) {
            children[i] = moved(values.child(i));
        }
        ArrayData dictionary = values.getDictionary();
        return new ArrayData(
                values.getType(),
                trial.runtime().getDevice(),
                values.getLength(),
                values.getOffset(),
                values.getValidity() == null ? 0 : ArrayData.UNKNOWN_NULL_COUNT,
                buffers,
                children,
                dictionary == null ? null : moved(dictionary));
    }

    private DeviceBuffer moved(DeviceBuffer buffer) {
        byte[] content = Trial.content(buffer);
        DeviceBuffer target = trial.runtime().allocate(content.length);
        parts.add(target.getOwner());
        trial.runtime().copy(trial.staging(content.length), 0, target, 0, content.length);
        uploads.add(trial.staging(content));
        targets.add(target);
        return target;
    }
}

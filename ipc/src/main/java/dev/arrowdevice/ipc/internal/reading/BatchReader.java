package dev.arrowdevice.ipc.internal.reading;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.ipc.IpcReadOptions;
import dev.arrowdevice.ipc.internal.format.BatchHeader;
import dev.arrowdevice.ipc.internal.format.Guard;
import dev.arrowdevice.ipc.internal.format.SchemaPlan;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.OwnedArrays;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.ArrayList;
import java.util.List;

/** Makes a struct array of a message with a record batch, checked, on the device of the options. */
final class BatchReader {
    private final SchemaPlan plan;
    private final ArrowType type;
    private final IpcReadOptions options;
    private final BodyMemory memory;
    private final Dictionaries dictionaries;

    BatchReader(SchemaPlan plan, IpcReadOptions options, BodyMemory memory, Dictionaries dictionaries) {
        this.plan = plan;
        this.type = ArrowType.struct(plan.schema().fields());
        this.options = options;
        this.memory = memory;
        this.dictionaries = dictionaries;
    }

    /** Reads a message, which remains the caller's. The result is the caller's too. */
    DeviceArray read(IpcMessage message) {
        DeviceArray array = Guard.reading(message.position(), "the record batch", () -> assemble(message));
        if (!memory.isStaged()) {
            return array;
        }
        // Closing it releases the staging memory when the copies have been made.
        try (array) {
            DeviceQueue queue = options.getQueue();
            return array.copyToAsync(
                    memory.runtime(), queue == null ? memory.runtime().getDefaultQueue() : queue);
        }
    }

    private DeviceArray assemble(IpcMessage message) {
        List<ReferenceCounted> dictionaryOwners = plan.dictionaries().isEmpty() ? List.of() : new ArrayList<>();
        ReferenceCounted owner = null;
        try {
            BatchHeader header = BatchHeader.ofBatch(message.position(), message.flat());
            BatchBuffers buffers = BatchBuffers.of(header, message, memory, options.getMaxBatchBytes());
            owner = buffers.owner();
            ArrayData struct = new ArrayAssembler(
                            header,
                            buffers,
                            message.body().getDevice(),
                            dictionary -> dictionaries.values(dictionary, message.position(), dictionaryOwners))
                    .struct(type, plan.columns());
            if (!dictionaryOwners.isEmpty()) {
                dictionaryOwners.add(owner);
                owner = ReferenceCounted.all(dictionaryOwners.toArray(new ReferenceCounted[0]));
                dictionaryOwners.clear();
            }
            return OwnedArrays.of(struct, owner, null, options.getValidation());
        } catch (Throwable e) {
            dictionaryOwners.forEach(ReferenceCounted::release);
            if (owner != null) {
                owner.release();
            }
            throw e;
        }
    }
}

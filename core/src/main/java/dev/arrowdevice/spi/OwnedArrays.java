package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.InvalidArrayException;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.Validation;
import dev.arrowdevice.internal.copying.NullCounts;
import dev.arrowdevice.internal.owners.BatchChecks;
import dev.arrowdevice.internal.owners.Owners;
import dev.arrowdevice.internal.validation.ArrayValidation;
import org.jspecify.annotations.Nullable;

/** Makes arrays and batches of memory that is there. The other way, {@link Move} takes the memory out of them. */
public final class OwnedArrays {
    private OwnedArrays() {}

    /**
     * Makes an owner of memory that is there.
     *
     * @param data where the values are; the caller vouches for it
     * @param owner what keeps all buffers alive; one reference to it goes over to the result
     */
    public static DeviceArray of(ArrayData data, ReferenceCounted owner) {
        return Owners.array(data, owner, null);
    }

    /**
     * Makes an owner of memory that will hold its values once an event completes.
     *
     * @param owner what keeps all buffers and the event alive; one reference to it goes over to the result
     * @param ready the event, or null if the values are there
     */
    public static DeviceArray of(ArrayData data, ReferenceCounted owner, @Nullable DeviceEvent ready) {
        return Owners.array(data, owner, ready);
    }

    /**
     * Makes an owner of memory that comes from outside, such as a message, after it was checked: that each node has the
     * buffers of its type, that they are as large as length and offset need, and what {@link Validation} says of the level.
     * Where the host can read the memory, the event is awaited first; where it can't, what the bytes say is not checked.
     *
     * @param owner what keeps all buffers and the event alive; one reference to it goes over to the result, on failure it
     *     stays the caller's
     * @param ready the event, or null if the values are there
     * @throws InvalidArrayException if something is wrong; the message names the field
     */
    public static DeviceArray of(
            ArrayData data, ReferenceCounted owner, @Nullable DeviceEvent ready, Validation validation) {
        boolean readable = data.isHostReadable();
        if (readable && ready != null && validation != Validation.NONE) {
            ready.await();
        }
        ArrayValidation.validate(data, readable, validation);
        return Owners.array(data, owner, ready);
    }

    /**
     * Makes a batch of memory that holds, or will hold, a struct array; see {@link RecordBatch#ofStruct}.
     *
     * @param owner what keeps all buffers and the event alive; one reference to it goes over to the result, on failure it
     *     stays the caller's
     * @param ready the event, or null if the values are there
     * @throws IllegalArgumentException if the array is not a struct of the schema's fields, or has nulls of its own
     */
    public static RecordBatch batchOf(
            Schema schema, ArrayData struct, ReferenceCounted owner, @Nullable DeviceEvent ready) {
        BatchChecks.requireStruct(schema, struct.getType());
        if (struct.getValidity() != null) {
            NullCounts.computeOwn(struct, owner, ready);
            BatchChecks.requireNoNulls(struct.getKnownNullCount());
        }
        return Owners.batch(schema, Owners.array(struct, owner, ready));
    }
}

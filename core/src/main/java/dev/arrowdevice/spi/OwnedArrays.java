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

/** Makes arrays and batches of memory that exists. {@link Move} does the opposite: it takes the memory out of them. */
public final class OwnedArrays {
    private OwnedArrays() {}

    /**
     * Makes an owner of memory with values.
     *
     * @param data the structure of the array, for which the caller is responsible
     * @param owner keeps all buffers alive; one reference to it moves to the result
     */
    public static DeviceArray of(ArrayData data, ReferenceCounted owner) {
        return Owners.array(data, owner, null);
    }

    /**
     * Makes an owner of memory that will hold its values once an event completes.
     *
     * @param owner keeps all buffers and the event alive; one reference to it moves to the result
     * @param ready the event, or null if the values are there
     */
    public static DeviceArray of(ArrayData data, ReferenceCounted owner, @Nullable DeviceEvent ready) {
        return Owners.array(data, owner, ready);
    }

    /**
     * Makes an owner of memory from an untrusted source, such as a message. Checks that each node has the buffers of
     * its type, that they are large enough for length and offset, and what {@link Validation} says for the level. If
     * the host can read the memory, this awaits the event first. Otherwise it does not check the bytes.
     *
     * @param owner keeps all buffers and the event alive; one reference to it moves to the result; on failure it
     *     remains the caller's
     * @param ready the event, or null if the values are there
     * @throws InvalidArrayException if a check fails; the message names the field
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
     * Makes a batch of memory that has, or will have, the values of a struct array; see {@link RecordBatch#ofStruct}.
     *
     * @param owner keeps all buffers and the event alive; one reference to it moves to the result; on failure it
     *     remains the caller's
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

package dev.arrowdevice.internal.owners;

import dev.arrowdevice.ArrayView;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.ReferenceCounted;
import dev.arrowdevice.spi.Verb;
import org.jspecify.annotations.Nullable;

/** Makes owners, and accesses their private parts. */
public final class Owners {
    private static final OwnerAccess ACCESS = OwnerAccess.get();

    private Owners() {}

    /** The state of an array's owner. */
    public static Ownership.State state(ArrayView view) {
        return ACCESS.state(view);
    }

    /** The array of a batch. */
    public static DeviceArray struct(RecordBatch batch) {
        return ACCESS.struct(batch);
    }

    /** Makes an owner. One reference to the memory moves to it. */
    public static DeviceArray array(ArrayData data, ReferenceCounted owner, @Nullable DeviceEvent ready) {
        return ACCESS.array(data, owner, ready);
    }

    /** Makes an owner of memory whose values are there. */
    public static DeviceArray array(ArrayData data, ReferenceCounted owner) {
        return ACCESS.array(data, owner, null);
    }

    /** A batch over a struct array that fits the schema and has no nulls of its own. */
    public static RecordBatch batch(Schema schema, DeviceArray struct) {
        return ACCESS.batch(schema, struct);
    }

    /** Moves the source of a stream to a new one. */
    public static DeviceArrayStream move(DeviceArrayStream stream, Verb verb) {
        return ACCESS.move(stream, verb);
    }

    /** One more owner of the array that the stream will return next, which the caller closes; null at the end. */
    public static @Nullable DeviceArray peek(DeviceArrayStream stream) {
        return ACCESS.peek(stream);
    }
}

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

/** The private parts of owners, for the internal packages, which use {@link Owners}. */
public abstract class OwnerAccess {
    private static volatile @Nullable OwnerAccess instance;

    /** Called once, when the class of arrays is initialised. */
    public static void provide(OwnerAccess access) {
        instance = access;
    }

    /** The one access. Must not be called while the class of arrays is being initialised. */
    static OwnerAccess get() {
        if (instance == null) {
            try {
                // By class and not by name, so that shrinkers rename both.
                Class.forName(DeviceArray.class.getName(), true, DeviceArray.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                throw new AssertionError(e);
            }
        }
        OwnerAccess provided = instance;
        if (provided == null) {
            throw new AssertionError("no access to owners");
        }
        return provided;
    }

    protected abstract Ownership.State state(ArrayView view);

    protected abstract DeviceArray struct(RecordBatch batch);

    protected abstract DeviceArray array(ArrayData data, ReferenceCounted owner, @Nullable DeviceEvent ready);

    protected abstract RecordBatch batch(Schema schema, DeviceArray struct);

    protected abstract DeviceArrayStream move(DeviceArrayStream stream, Verb verb);

    protected abstract @Nullable DeviceArray peek(DeviceArrayStream stream);
}

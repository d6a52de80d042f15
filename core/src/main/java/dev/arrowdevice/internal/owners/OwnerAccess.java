package dev.arrowdevice.internal.owners;

import dev.arrowdevice.ArrayView;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.DeviceEvent;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.ReferenceCounted;
import dev.arrowdevice.spi.Verb;
import org.jspecify.annotations.Nullable;

/** What owners keep from their users and show to the rooms inside; {@link Owners} is how the rooms ask for it. */
public abstract class OwnerAccess {
    private static volatile @Nullable OwnerAccess instance;

    /** Called once, by the class of arrays when it is initialised. */
    public static void provide(OwnerAccess access) {
        instance = access;
    }

    /** The one access. Not to be called while the class of arrays is being initialised. */
    static OwnerAccess get() {
        if (instance == null) {
            try {
                // By the class and not by a string, so that shrinkers rename both.
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
}

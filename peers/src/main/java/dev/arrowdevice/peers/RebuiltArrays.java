package dev.arrowdevice.peers;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.Move;
import dev.arrowdevice.spi.ReferenceCounted;
import dev.arrowdevice.spi.Verb;
import java.util.function.BiFunction;

/** Makes another array of the memory of one, for tests of what is odd: an event that is pending, a device that isn't there. */
public final class RebuiltArrays {
    private RebuiltArrays() {}

    /**
     * Moves an array's memory to another array, which the caller closes.
     *
     * @param make gets the structure and the reference to the memory; if it throws, the array stays as it was
     */
    public static DeviceArray of(
            DeviceArray array, BiFunction<? super ArrayData, ? super ReferenceCounted, DeviceArray> make) {
        try (Move move = Move.begin(array, Verb.WRAP)) {
            DeviceArray remade = make.apply(move.getData(), move.getOwner());
            move.done();
            return remade;
        }
    }
}

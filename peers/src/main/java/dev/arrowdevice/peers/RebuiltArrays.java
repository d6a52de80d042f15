package dev.arrowdevice.peers;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.Move;
import dev.arrowdevice.spi.ReferenceCounted;
import dev.arrowdevice.spi.Verb;
import java.util.function.BiFunction;

/**
 * Makes another array of an array's memory, for tests of unusual ones: with a pending event, or on a device that does
 * not exist.
 */
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
            move.complete();
            return remade;
        }
    }
}

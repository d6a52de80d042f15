package dev.arrowdevice.abi;

import java.util.ArrayList;
import java.util.List;

/** All that is handed out, by the number that stands in {@code private_data}. */
public final class Exports {
    /** Arrays, one number for a whole tree. */
    public static final SlotTable<Exported.Array> ARRAYS = new SlotTable<>();
    /** Streams. */
    public static final SlotTable<Exported.Stream> STREAMS = new SlotTable<>();

    private Exports() {}

    /** All that is out now. */
    public static List<Exported> live() {
        List<Exported> live = new ArrayList<>(ARRAYS.objects());
        live.addAll(STREAMS.objects());
        return live;
    }
}

package dev.arrowdevice.internal.abi;

import java.util.ArrayList;
import java.util.List;

/** All that is handed out, by the number that stands in {@code private_data}. */
public final class Exports {
    /** Arrays, one number for a whole tree. */
    public static final SlotTable<Exported.Array> ARRAYS = new SlotTable<>();
    /** For what the structs of arrays point to. */
    public static final SlotMemory ARRAY_BLOCKS = new SlotMemory();
    /** Streams. */
    public static final SlotTable<Exported.Stream> STREAMS = new SlotTable<>();
    /** Producers of async streams. */
    public static final SlotTable<Exported.Producer> PRODUCERS = new SlotTable<>();
    /** Tasks of theirs. */
    public static final SlotTable<Exported.Task> TASKS = new SlotTable<>();
    /** DLPack tensors. */
    public static final SlotTable<Exported.Tensor> TENSORS = new SlotTable<>();
    /** Handlers of foreign async streams: what we import by them is counted elsewhere. */
    public static final SlotTable<Exported.Handler> HANDLERS = new SlotTable<>();

    private Exports() {}

    /** How many exports are out now. */
    public static long size() {
        return ARRAYS.size() + STREAMS.size() + PRODUCERS.size() + TASKS.size() + TENSORS.size();
    }

    /** The exports that are out now, and the handlers: all whose callbacks somebody may still call. */
    public static List<Exported> callable() {
        List<Exported> callable = new ArrayList<>(ARRAYS.objects());
        callable.addAll(STREAMS.objects());
        callable.addAll(PRODUCERS.objects());
        callable.addAll(TASKS.objects());
        callable.addAll(TENSORS.objects());
        callable.addAll(HANDLERS.objects());
        return callable;
    }
}

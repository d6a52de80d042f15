package dev.arrowdevice.internal.abi;

import java.util.ArrayList;
import java.util.List;

/** All exports that are outstanding, by the number in their {@code private_data}. */
public final class OutstandingExports {
    /** Arrays. A whole tree has one number. */
    public static final SlotTable<Exported.Array> ARRAYS = new SlotTable<>();
    /** Memory that the structs of arrays point to. */
    public static final SlotMemory ARRAY_BLOCKS = new SlotMemory();
    /** Streams. */
    public static final SlotTable<Exported.Stream> STREAMS = new SlotTable<>();
    /** Producers of async streams. */
    public static final SlotTable<Exported.Producer> PRODUCERS = new SlotTable<>();
    /** Tasks of these producers. */
    public static final SlotTable<Exported.Task> TASKS = new SlotTable<>();
    /** DLPack tensors. */
    public static final SlotTable<Exported.Tensor> TENSORS = new SlotTable<>();
    /** Handlers of foreign async streams. {@link Imports} counts these streams. */
    public static final SlotTable<Exported.Handler> HANDLERS = new SlotTable<>();

    /** The schemas that were exported. A whole tree counts once. */
    public static final Tally SCHEMAS = new Tally();
    /** The schemas that were exported, and released in all their parts. */
    public static final Tally RELEASED_SCHEMAS = new Tally();

    private OutstandingExports() {}

    /** The number of exports that are outstanding. */
    public static long size() {
        return ARRAYS.size() + STREAMS.size() + PRODUCERS.size() + TASKS.size() + TENSORS.size();
    }

    /** The outstanding exports, and the handlers: everything whose callbacks foreign code may still call. */
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

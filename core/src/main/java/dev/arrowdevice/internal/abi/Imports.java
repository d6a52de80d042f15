package dev.arrowdevice.internal.abi;

import java.util.concurrent.atomic.LongAdder;

/** The imports that are not released yet. Exact once the threads that exchange have finished. */
public final class Imports {
    /** The owners of the memory of arrays and DLPack tensors. */
    public static final SlotTable<Object> ARRAYS = new SlotTable<>();
    /** Memory for the structs of arrays. */
    public static final SlotMemory ARRAY_STRUCTS = new SlotMemory();
    /** The number of streams that were imported. */
    public static final LongAdder STREAMS = new LongAdder();
    /** The number of streams that were imported and released. */
    public static final LongAdder RELEASED_STREAMS = new LongAdder();

    private Imports() {}
}

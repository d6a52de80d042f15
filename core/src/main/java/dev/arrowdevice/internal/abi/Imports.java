package dev.arrowdevice.internal.abi;

import java.util.concurrent.atomic.LongAdder;

/** What was taken in and not given back; exact once the threads that exchange have finished. */
public final class Imports {
    /** Arrays and DLPack tensors: what owns their memory. */
    public static final SlotTable<Object> ARRAYS = new SlotTable<>();
    /** For the structs of arrays. */
    public static final SlotMemory ARRAY_STRUCTS = new SlotMemory();
    /** How many streams were taken in. */
    public static final LongAdder STREAMS = new LongAdder();
    /** How many of those have been released. */
    public static final LongAdder RELEASED_STREAMS = new LongAdder();

    private Imports() {}
}

package dev.arrowdevice.abi;

import java.util.concurrent.atomic.LongAdder;

/** How much was taken in and given back; exact once the threads that exchange have finished. */
public final class Imports {
    /** Arrays and DLPack tensors taken in. */
    public static final LongAdder ARRAYS = new LongAdder();
    /** Streams taken in. */
    public static final LongAdder STREAMS = new LongAdder();
    /** How many of both have been released. */
    public static final LongAdder RELEASED = new LongAdder();

    private Imports() {}
}

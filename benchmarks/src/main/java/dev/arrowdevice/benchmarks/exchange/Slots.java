package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.CArrayStruct;
import dev.arrowdevice.CStruct;
import java.lang.foreign.Arena;

/** Memory for many {@code ArrowArray} structs in a row. */
final class Slots implements AutoCloseable {
    private static final long ARRAY_SIZE = 80;

    private final Arena arena = Arena.ofShared();
    private final long start;
    private final CArrayStruct[] structs;

    Slots(int count) {
        start = arena.allocate(count * ARRAY_SIZE, Long.BYTES).address();
        structs = new CArrayStruct[count];
        for (int i = 0; i < count; i++) {
            structs[i] = CStruct.arrayAt(address(i));
        }
    }

    /** The first struct. */
    CArrayStruct struct() {
        return structs[0];
    }

    CArrayStruct struct(int index) {
        return structs[index];
    }

    /** The address of the first struct. */
    long address() {
        return start;
    }

    long address(int index) {
        return start + index * ARRAY_SIZE;
    }

    @Override
    public void close() {
        arena.close();
    }
}

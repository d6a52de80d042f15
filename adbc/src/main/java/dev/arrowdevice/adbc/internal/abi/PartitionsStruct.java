package dev.arrowdevice.adbc.internal.abi;

import dev.arrowdevice.spi.NativeAllocation;
import dev.arrowdevice.spi.NativeMemory;
import java.util.ArrayList;
import java.util.List;

/** An {@code AdbcPartitions} that a driver fills in. */
public final class PartitionsStruct implements AutoCloseable {
    private static final long COUNT = 0;
    private static final long PARTITIONS = 8;
    private static final long LENGTHS = 16;
    private static final long RELEASE = 32;
    private static final long SIZE = 40;

    private final NativeAllocation memory = NativeAllocation.allocate(SIZE);

    /** The address of the struct. */
    public long getAddress() {
        return memory.getAddress();
    }

    /** Copies of the partitions' descriptors. */
    public List<byte[]> read() {
        List<byte[]> descriptors = new ArrayList<>();
        for (long i = 0; i < memory.getLong(COUNT); i++) {
            long length = NativeMemory.getLong(memory.getLong(LENGTHS) + i * Long.BYTES);
            descriptors.add(NativeMemory.getBytes(
                    NativeMemory.getLong(memory.getLong(PARTITIONS) + i * Long.BYTES), Math.toIntExact(length)));
        }
        return descriptors;
    }

    @Override
    public void close() {
        long release = memory.getLong(RELEASE);
        if (release != 0) {
            Callbacks.CALLS.release(release, memory.getAddress());
        }
        memory.close();
    }
}

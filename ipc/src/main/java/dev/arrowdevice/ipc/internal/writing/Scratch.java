package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.spi.CpuRuntime;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Memory for what can't be written as it lies, until the message is written. */
final class Scratch implements AutoCloseable {
    private @Nullable List<DeviceBuffer> buffers;

    HostMemory allocate(long byteSize) {
        DeviceBuffer buffer = CpuRuntime.INSTANCE.allocate(byteSize);
        if (buffers == null) {
            buffers = new ArrayList<>();
        }
        buffers.add(buffer);
        return buffer.memory();
    }

    @Override
    public void close() {
        if (buffers != null) {
            buffers.forEach(buffer -> buffer.getOwner().release());
            buffers = null;
        }
    }
}

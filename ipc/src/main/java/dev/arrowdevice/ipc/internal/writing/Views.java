package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.ipc.internal.memory.Node;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import org.jspecify.annotations.Nullable;

/** Views of strings and binaries. Their data buffers are written as they lie if the views use all of them. */
final class Views {
    private static final int MAX_INLINE = 12;
    /** Offsets within a data buffer are signed 32-bit integers. */
    private static final long MAX_BUFFER = Integer.MAX_VALUE - 63;

    private Views() {}

    static void add(Node node, FlatBatch batch) {
        long used = used(node);
        long there = 0;
        for (int i = 2; i < node.data.getBufferCount(); i++) {
            there += size(node.data.buffer(i));
        }
        if (used < there) {
            copyUsed(node, batch);
            return;
        }
        batch.buffer(node.memory(1), node.start * 16, node.length * 16);
        for (int i = 2; i < node.data.getBufferCount(); i++) {
            batch.buffer(node.memory(i), 0, size(node.data.buffer(i)));
        }
        batch.variadic(node.data.getBufferCount() - 2);
    }

    private static long size(@Nullable DeviceBuffer buffer) {
        return buffer == null ? 0 : buffer.getByteSize();
    }

    /** The bytes that the views refer to, counted for each view. */
    private static long used(Node node) {
        HostMemory views = node.memory(1);
        long used = 0;
        for (long i = node.start; i < node.start + node.length; i++) {
            int size = views.getInt(i * 16);
            if (size > MAX_INLINE && node.isValid(i)) {
                used += size;
            }
        }
        return used;
    }

    /** Writes copies of the bytes that are used, in as few data buffers as offsets allow. */
    private static void copyUsed(Node node, FlatBatch batch) {
        HostMemory views = batch.scratch.allocate(node.length * 16);
        node.memory(1).copyTo(node.start * 16, views, 0, node.length * 16);
        batch.buffer(views, 0, node.length * 16);
        int buffers = 0;
        long next = 0;
        while (next < node.length) {
            long end = next;
            long byteSize = 0;
            for (; end < node.length; end++) {
                long size = outOfLine(node, views, end);
                if (byteSize > 0 && byteSize + size > MAX_BUFFER) { // One view of any size has room: it begins at 0.
                    break;
                }
                byteSize += size;
            }
            HostMemory data = batch.scratch.allocate(byteSize);
            long at = 0;
            for (long i = next; i < end; i++) {
                at += copy(node, views, i, data, at, buffers);
            }
            batch.buffer(data, 0, byteSize);
            buffers++;
            next = end;
        }
        batch.variadic(buffers);
    }

    private static long outOfLine(Node node, HostMemory views, long index) {
        int size = views.getInt(index * 16);
        return size > MAX_INLINE && node.isValid(node.start + index) ? size : 0;
    }

    private static long copy(Node node, HostMemory views, long index, HostMemory data, long at, int buffer) {
        int size = views.getInt(index * 16);
        if (size <= MAX_INLINE) {
            return 0;
        }
        if (!node.isValid(node.start + index)) {
            views.fill(index * 16, 16, (byte) 0); // What a null refers to is not written.
            return 0;
        }
        int from = views.getInt(index * 16 + 8);
        node.memory(2 + from).copyTo(views.getInt(index * 16 + 12), data, at, size);
        views.putInt(index * 16 + 8, buffer);
        views.putInt(index * 16 + 12, (int) at);
        return size;
    }
}

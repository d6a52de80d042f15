package dev.arrowdevice.internal.abi;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/**
 * The structs of the Arrow C data, stream and device interfaces, as Arrow's C header declares them, for platforms with
 * 64-bit pointers.
 *
 * <p>{@code ArrowAsyncProducer} follows the header too. The page of the specification shows a member {@code release},
 * but neither the header nor any implementation has it.
 */
public final class CStructLayouts {
    private static final ValueLayout.OfLong INT64 = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt INT32 = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong POINTER = ValueLayout.JAVA_LONG;

    /** {@code struct ArrowSchema}. */
    public static final StructLayout SCHEMA = struct(
            "ArrowSchema",
            POINTER.withName("format"),
            POINTER.withName("name"),
            POINTER.withName("metadata"),
            INT64.withName("flags"),
            INT64.withName("n_children"),
            POINTER.withName("children"),
            POINTER.withName("dictionary"),
            POINTER.withName("release"),
            POINTER.withName("private_data"));

    /** {@code struct ArrowArray}. */
    public static final StructLayout ARRAY = struct(
            "ArrowArray",
            INT64.withName("length"),
            INT64.withName("null_count"),
            INT64.withName("offset"),
            INT64.withName("n_buffers"),
            INT64.withName("n_children"),
            POINTER.withName("buffers"),
            POINTER.withName("children"),
            POINTER.withName("dictionary"),
            POINTER.withName("release"),
            POINTER.withName("private_data"));

    /** {@code struct ArrowDeviceArray}. */
    public static final StructLayout DEVICE_ARRAY = struct(
            "ArrowDeviceArray",
            ARRAY.withName("array"),
            INT64.withName("device_id"),
            INT32.withName("device_type"),
            MemoryLayout.paddingLayout(4),
            POINTER.withName("sync_event"),
            MemoryLayout.sequenceLayout(3, INT64).withName("reserved"));

    /** {@code struct ArrowArrayStream}. */
    public static final StructLayout ARRAY_STREAM = struct(
            "ArrowArrayStream",
            POINTER.withName("get_schema"),
            POINTER.withName("get_next"),
            POINTER.withName("get_last_error"),
            POINTER.withName("release"),
            POINTER.withName("private_data"));

    /** {@code struct ArrowDeviceArrayStream}. */
    public static final StructLayout DEVICE_ARRAY_STREAM = struct(
            "ArrowDeviceArrayStream",
            INT32.withName("device_type"),
            MemoryLayout.paddingLayout(4),
            POINTER.withName("get_schema"),
            POINTER.withName("get_next"),
            POINTER.withName("get_last_error"),
            POINTER.withName("release"),
            POINTER.withName("private_data"));

    /** {@code struct ArrowAsyncTask}. */
    public static final StructLayout ASYNC_TASK =
            struct("ArrowAsyncTask", POINTER.withName("extract_data"), POINTER.withName("private_data"));

    /** {@code struct ArrowAsyncProducer}. */
    public static final StructLayout ASYNC_PRODUCER = struct(
            "ArrowAsyncProducer",
            INT32.withName("device_type"),
            MemoryLayout.paddingLayout(4),
            POINTER.withName("request"),
            POINTER.withName("cancel"),
            POINTER.withName("additional_metadata"),
            POINTER.withName("private_data"));

    /** {@code struct ArrowAsyncDeviceStreamHandler}. */
    public static final StructLayout ASYNC_DEVICE_STREAM_HANDLER = struct(
            "ArrowAsyncDeviceStreamHandler",
            POINTER.withName("on_schema"),
            POINTER.withName("on_next_task"),
            POINTER.withName("on_error"),
            POINTER.withName("release"),
            POINTER.withName("producer"),
            POINTER.withName("private_data"));

    private CStructLayouts() {}

    /** The offset of a member in bytes. */
    static long offset(StructLayout struct, String member) {
        return struct.byteOffset(PathElement.groupElement(member));
    }

    private static StructLayout struct(String name, MemoryLayout... members) {
        return MemoryLayout.structLayout(members).withName(name);
    }
}

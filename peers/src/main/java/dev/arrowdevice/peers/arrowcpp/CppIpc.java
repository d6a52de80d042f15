package dev.arrowdevice.peers.arrowcpp;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads and writes the IPC format in memory. What is read are arrays whose buffers are all in one allocation, aligned to 8 bytes
 * only, and readers that fail in the middle.
 */
public final class CppIpc {
    private static final CppFunction CREATE_OUTPUT =
            CppFunction.named("_ZN5arrow2io18BufferOutputStream6CreateElPNS_10MemoryPoolE");
    private static final CppFunction WRITE_OUTPUT = CppFunction.named("_ZN5arrow2io18BufferOutputStream5WriteEPKvl");
    private static final CppFunction FINISH_OUTPUT = CppFunction.named("_ZN5arrow2io18BufferOutputStream6FinishEv");
    private static final CppFunction WRITE_OPTIONS = CppFunction.named("_ZN5arrow3ipc15IpcWriteOptions8DefaultsEv");
    private static final CppFunction READ_OPTIONS = CppFunction.named("_ZN5arrow3ipc14IpcReadOptions8DefaultsEv");
    private static final CppFunction WRITE_STREAM = CppFunction.named(
            "_ZN5arrow3ipc22WriteRecordBatchStreamERKSt6vectorISt10shared_ptrINS_11RecordBatchEESaIS4_EERKNS0_15IpcWriteOptionsEPNS_2io12OutputStreamE");
    private static final CppFunction OPEN_STREAM = CppFunction.named(
            "_ZN5arrow3ipc23RecordBatchStreamReader4OpenERKSt10shared_ptrINS_2io11InputStreamEERKNS0_14IpcReadOptionsE");
    private static final CppFunction OPEN_FILE = CppFunction.named(
            "_ZN5arrow3ipc21RecordBatchFileReader4OpenERKSt10shared_ptrINS_2io16RandomAccessFileEERKNS0_14IpcReadOptionsE");
    private static final CppFunction INPUT = CppFunction.named("_ZN5arrow6Buffer9GetReaderESt10shared_ptrIS0_E");
    private static final CppFunction SLICE =
            CppFunction.named("_ZN5arrow15SliceBufferSafeESt10shared_ptrINS_6BufferEEll");

    private static final long FIRST_CAPACITY = 4096;
    private static final long BUFFER_DATA = 16;
    private static final long BUFFER_SIZE = 24;

    /** Slots of {@code RecordBatchFileReader}'s virtual functions. */
    private static final int BATCH_COUNT = 3;

    private static final int READ_BATCH = 6;

    private CppIpc() {}

    /** Writes the batches, of which there is at least one, and opens a reader of what was written. */
    public static CppRecordBatchReader roundTrip(List<CppRecordBatch> batches) {
        return read(batches, 0);
    }

    /**
     * Like {@link #roundTrip}, but bytes are missing at the end, and reading the last batch fails.
     *
     * @param missingBytes at least 9: the last 8 bytes only mark the end
     */
    public static CppRecordBatchReader truncated(List<CppRecordBatch> batches, long missingBytes) {
        return read(batches, missingBytes);
    }

    private static CppRecordBatchReader read(List<CppRecordBatch> batches, long missingBytes) {
        try (CppScope scope = new CppScope()) {
            long buffer = written(scope, batches);
            long size = CppMemory.getLong(CppMemory.getLong(buffer) + BUFFER_SIZE);
            long part = scope.destroyedLater(scope.result(SLICE, scope.copy(buffer), 0, size - missingBytes));
            return streamOf(scope, part);
        }
    }

    /** Writes the batches, of which there is at least one, as a stream. */
    public static byte[] writeStream(List<CppRecordBatch> batches) {
        try (CppScope scope = new CppScope()) {
            long buffer = CppMemory.getLong(written(scope, batches));
            return CppMemory.bytes(CppMemory.getLong(buffer + BUFFER_DATA), CppMemory.getLong(buffer + BUFFER_SIZE));
        }
    }

    /**
     * Opens a reader of a stream. The bytes are copied.
     *
     * @throws CppException if C++ refuses the schema
     */
    public static CppRecordBatchReader readStream(byte[] bytes) {
        try (CppScope scope = new CppScope()) {
            return streamOf(scope, buffer(scope, bytes));
        }
    }

    /**
     * Reads all batches of a file. The bytes are copied.
     *
     * @throws CppException if C++ refuses the file
     */
    public static List<CppRecordBatch> readFile(byte[] bytes) {
        List<CppRecordBatch> batches = new ArrayList<>();
        try (CppScope scope = new CppScope()) {
            long input = scope.destroyedLater(scope.result(INPUT, scope.copy(buffer(scope, bytes))));
            long reader = CppMemory.getLong(
                    scope.destroyedLater(scope.result(OPEN_FILE, input, READ_OPTIONS.returning(scope))));
            int count = (int) CppFunction.virtual(reader, BATCH_COUNT).call(reader);
            for (int i = 0; i < count; i++) {
                batches.add(new CppRecordBatch(scope.result(CppFunction.virtual(reader, READ_BATCH), reader, i)));
            }
            return batches;
        } catch (Throwable e) {
            batches.forEach(CppRecordBatch::close);
            throw e;
        }
    }

    private static CppRecordBatchReader streamOf(CppScope scope, long buffer) {
        long input = scope.destroyedLater(scope.result(INPUT, scope.copy(buffer)));
        return new CppRecordBatchReader(scope.result(OPEN_STREAM, input, READ_OPTIONS.returning(scope)));
    }

    /** A buffer with what the batches are as a stream. */
    private static long written(CppScope scope, List<CppRecordBatch> batches) {
        long output = output(scope);
        long stream = CppMemory.getLong(output);
        scope.status(WRITE_STREAM, scope.vector(batches), WRITE_OPTIONS.returning(scope), stream);
        return scope.destroyedLater(scope.result(FINISH_OUTPUT, stream));
    }

    /** A buffer with a copy of the bytes. */
    private static long buffer(CppScope scope, byte[] bytes) {
        long stream = CppMemory.getLong(output(scope));
        try (Arena arena = Arena.ofConfined()) {
            long address = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes).address();
            scope.status(WRITE_OUTPUT, stream, address, bytes.length);
        }
        return scope.destroyedLater(scope.result(FINISH_OUTPUT, stream));
    }

    private static long output(CppScope scope) {
        return scope.destroyedLater(scope.result(CREATE_OUTPUT, FIRST_CAPACITY, ArrowCpp.defaultMemoryPool()));
    }
}

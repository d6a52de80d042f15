package dev.arrowdevice.peers.arrowcpp;

import java.util.List;

/**
 * Sends batches through the IPC format in memory. The results are arrays whose buffers are all in one allocation,
 * aligned to 8 bytes only, and readers that fail in the middle.
 */
public final class CppIpc {
    private static final CppFunction CREATE_OUTPUT =
            CppFunction.named("_ZN5arrow2io18BufferOutputStream6CreateElPNS_10MemoryPoolE");
    private static final CppFunction FINISH_OUTPUT = CppFunction.named("_ZN5arrow2io18BufferOutputStream6FinishEv");
    private static final CppFunction WRITE_OPTIONS = CppFunction.named("_ZN5arrow3ipc15IpcWriteOptions8DefaultsEv");
    private static final CppFunction READ_OPTIONS = CppFunction.named("_ZN5arrow3ipc14IpcReadOptions8DefaultsEv");
    private static final CppFunction WRITE_STREAM = CppFunction.named(
            "_ZN5arrow3ipc22WriteRecordBatchStreamERKSt6vectorISt10shared_ptrINS_11RecordBatchEESaIS4_EERKNS0_15IpcWriteOptionsEPNS_2io12OutputStreamE");
    private static final CppFunction OPEN_STREAM = CppFunction.named(
            "_ZN5arrow3ipc23RecordBatchStreamReader4OpenERKSt10shared_ptrINS_2io11InputStreamEERKNS0_14IpcReadOptionsE");
    private static final CppFunction INPUT = CppFunction.named("_ZN5arrow6Buffer9GetReaderESt10shared_ptrIS0_E");
    private static final CppFunction SLICE =
            CppFunction.named("_ZN5arrow15SliceBufferSafeESt10shared_ptrINS_6BufferEEll");

    private static final long FIRST_CAPACITY = 4096;
    private static final long BUFFER_SIZE = 24;

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
            long output =
                    scope.destroyedLater(scope.result(CREATE_OUTPUT, FIRST_CAPACITY, ArrowCpp.defaultMemoryPool()));
            long outputStream = CppMemory.getLong(output);
            scope.status(WRITE_STREAM, scope.vector(batches), WRITE_OPTIONS.returning(scope), outputStream);
            long buffer = scope.destroyedLater(scope.result(FINISH_OUTPUT, outputStream));
            long size = CppMemory.getLong(CppMemory.getLong(buffer) + BUFFER_SIZE);
            long part = scope.destroyedLater(scope.result(SLICE, scope.copy(buffer), 0, size - missingBytes));
            long input = scope.destroyedLater(scope.result(INPUT, scope.copy(part)));
            return new CppRecordBatchReader(scope.result(OPEN_STREAM, input, READ_OPTIONS.returning(scope)));
        }
    }
}

package dev.arrowdevice.benchmarks.stream;

import dev.arrowdevice.array.DeviceArrayStream;
import dev.arrowdevice.exchange.ArrowImport;
import dev.arrowdevice.exchange.CStruct;
import dev.arrowdevice.testkit.CPeer;
import dev.arrowdevice.testkit.PeerField;
import dev.arrowdevice.testkit.PeerOptions;
import dev.arrowdevice.testkit.PeerStreamOptions;

/** Streams of the C peer, of batches with one int32 column. */
final class PeerStreams {
    static final int ROWS = 3;
    static final PeerField FIELD = PeerField.batch(PeerField.of("n", "i"));
    static final PeerOptions BATCH = PeerOptions.rows(ROWS);

    private PeerStreams() {}

    /** Fills an {@code ArrowArrayStream}. */
    static void produce(CPeer peer, int batches, long streamAddress) {
        peer.produceStream(FIELD, BATCH, PeerStreamOptions.batches(batches), streamAddress);
    }

    static DeviceArrayStream imported(CPeer peer, int batches) {
        try (CStruct struct = CStruct.arrayStream()) {
            produce(peer, batches, struct.address());
            return ArrowImport.importStream(struct.address());
        }
    }
}

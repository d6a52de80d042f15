package dev.arrowdevice.benchmarks.stream;

import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.CArrayStreamStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.benchmarks.exchange.CStreams;

/** Streams of batches with one int32 column {@code n}. */
final class Streams {
    /** Of each batch. */
    static final int ROWS = 3;

    private Streams() {}

    static CStreams inC() {
        return new CStreams(Batches.ofRows(ROWS).intoStruct());
    }

    static DeviceArrayStream imported(CStreams c, int batches) {
        try (CArrayStreamStruct struct = CStruct.arrayStream()) {
            c.produce(batches, struct.getAddress());
            return ArrowImport.importStream(struct);
        }
    }
}

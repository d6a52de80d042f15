package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Validation;

/** Batches of arrow-device, of a known schema. */
final class OurBatches extends Ends {
    private final RecordBatch[] batches = new RecordBatch[COUNT];
    private final RecordBatch batch;

    OurBatches(Kind kind, int rows) {
        batch = Samples.batch(kind, rows);
    }

    @Override
    void exportAll(Slots slots) {
        for (int i = 0; i < COUNT; i++) {
            try (RecordBatch shared = batch.share()) {
                ArrowExport.exportBatch(shared, slots.struct(i));
            }
        }
    }

    @Override
    void importAll(Slots slots) {
        for (int i = 0; i < COUNT; i++) {
            batches[i] = ArrowImport.importBatch(slots.struct(i), batch.getSchema(), Validation.STRUCTURE);
        }
    }

    @Override
    void closeAll() {
        for (RecordBatch imported : batches) {
            imported.close();
        }
    }

    @Override
    void requireEqual() {
        if (!batches[COUNT - 1].valuesEqual(batch)) {
            throw new AssertionError("what was imported has other values than what was exported");
        }
    }

    @Override
    public void close() {
        batch.close();
    }
}

package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DeviceArray;

/** Arrays of arrow-device, of a known type. */
final class OurArrays extends Ends {
    private final DeviceArray[] arrays = new DeviceArray[COUNT];
    private final DeviceArray array;
    private final ArrowType type;

    OurArrays(Kind kind, int rows) {
        type = kind.type;
        array = Samples.array(kind, rows, 0);
    }

    @Override
    void exportAll(Slots slots) {
        for (int i = 0; i < COUNT; i++) {
            try (DeviceArray shared = array.share()) {
                ArrowExport.exportArray(shared, slots.struct(i));
            }
        }
    }

    @Override
    void importAll(Slots slots) {
        for (int i = 0; i < COUNT; i++) {
            arrays[i] = ArrowImport.importArray(slots.struct(i), type);
        }
    }

    @Override
    void closeAll() {
        for (DeviceArray imported : arrays) {
            imported.close();
        }
    }

    @Override
    void requireEqual() {
        if (!arrays[COUNT - 1].valuesEqual(array)) {
            throw new AssertionError("what was imported has other values than what was exported");
        }
    }

    @Override
    public void close() {
        array.close();
    }
}

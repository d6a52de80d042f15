package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.CArrayStruct;
import dev.arrowdevice.CSchemaStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.builder.ArrayBuilder;

/** Arrays as they come over the C data interface. */
final class Foreign {
    private Foreign() {}

    /** Moves an array out and takes it in again. */
    static DeviceArray imported(DeviceArray array) {
        try (CArrayStruct struct = CStruct.array();
                CSchemaStruct schema = CStruct.schema()) {
            ArrowExport.exportArray(array, struct, schema);
            return ArrowImport.importArray(struct, schema);
        }
    }

    /** What has been built, imported. */
    static DeviceArray imported(ArrayBuilder builder) {
        return imported(builder.finish());
    }

    /** The rows of an imported array from an offset on, as an array of its own. */
    static DeviceArray importedFrom(int offset, ArrayBuilder builder) {
        try (DeviceArray whole = imported(builder)) {
            return whole.slice(offset, whole.getLength() - offset);
        }
    }
}

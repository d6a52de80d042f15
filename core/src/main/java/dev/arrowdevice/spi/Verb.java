package dev.arrowdevice.spi;

/** The call of a user that moves an array, a batch or a stream, for the messages of errors. */
public enum Verb {
    /** {@code RecordBatch.of}. */
    MAKE_BATCH("RecordBatch.of"),
    /** {@code RecordBatch.ofStruct}. */
    MAKE_BATCH_OF_STRUCT("RecordBatch.ofStruct"),
    /** {@code RecordBatch.withColumn}. */
    WITH_COLUMN("withColumn"),
    /** {@code RecordBatch.intoStruct}. */
    INTO_STRUCT("intoStruct"),
    /** Export of an array to an {@code ArrowArray}. */
    EXPORT_ARRAY("exportArray"),
    /** Export of a batch to an {@code ArrowArray}. */
    EXPORT_BATCH("exportBatch"),
    /** Export of an array to an {@code ArrowDeviceArray}. */
    EXPORT_DEVICE_ARRAY("exportDeviceArray"),
    /** Export of a batch to an {@code ArrowDeviceArray}. */
    EXPORT_DEVICE_BATCH("exportDeviceBatch"),
    /** Export to an {@code ArrowArrayStream}. */
    EXPORT_STREAM("exportStream"),
    /** Export to an {@code ArrowDeviceArrayStream}. */
    EXPORT_DEVICE_STREAM("exportDeviceStream"),
    /** Export to a DLPack tensor with a version. */
    EXPORT_VERSIONED("exportVersioned"),
    /** Export to a DLPack tensor of the format before versions. */
    EXPORT_LEGACY("exportLegacy"),
    /** Move of a stream to a statement of a database. */
    BIND("bind"),
    /** Move of a stream to another one that wraps it. */
    WRAP("wrap"),
    /** Collection of a stream as a {@code Flow}. */
    COLLECT("collect");

    private final String text;

    Verb(String text) {
        this.text = text;
    }

    /** The name of the call. */
    @Override
    public String toString() {
        return text;
    }
}

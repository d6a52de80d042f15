package dev.arrowdevice.spi;

/** What a user called that moves an array, a batch or a stream, as the messages of its errors name it. */
public enum Verb {
    /** {@code RecordBatch.of}. */
    MAKE_BATCH("RecordBatch.of"),
    /** {@code RecordBatch.ofStruct}. */
    MAKE_BATCH_OF_STRUCT("RecordBatch.ofStruct"),
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
    /** Export to a DLPack tensor of the time before versions. */
    EXPORT_LEGACY("exportLegacy"),
    /** Hand-over to a stream that another one is made of. */
    WRAP("wrap"),
    /** Collection of a stream's {@code Flow}. */
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

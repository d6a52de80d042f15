package dev.arrowdevice.adbc;

import dev.arrowdevice.Schema;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The parts of a result, which {@link AdbcConnection#readPartition} reads. They may be sent to other processes. */
public final class AdbcPartitions {
    private final @Nullable Schema schema;
    private final List<byte[]> descriptors;
    private final long rowCount;

    AdbcPartitions(@Nullable Schema schema, List<byte[]> descriptors, long rowCount) {
        this.schema = schema;
        this.descriptors = descriptors;
        this.rowCount = rowCount;
    }

    /** The schema of the result, null if the driver does not know it yet. */
    public @Nullable Schema getSchema() {
        return schema;
    }

    /** Copies of the descriptors, one for each part. */
    public List<byte[]> getDescriptors() {
        return descriptors.stream().map(byte[]::clone).collect(Collectors.toUnmodifiableList());
    }

    /** The number of rows of all parts, -1 if the driver does not know. */
    public long getRowCount() {
        return rowCount;
    }
}

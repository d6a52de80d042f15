package dev.arrowdevice.ipc;

import dev.arrowdevice.Metadata;
import org.jspecify.annotations.Nullable;

/** How streams and files are written. Immutable: each method returns another one. */
public final class IpcWriteOptions {
    private static final IpcWriteOptions DEFAULTS = new IpcWriteOptions(null, 64, false, Metadata.EMPTY);

    private final @Nullable IpcCompression compression;
    private final int alignment;
    private final boolean dictionaryDeltas;
    private final Metadata fileMetadata;

    private IpcWriteOptions(
            @Nullable IpcCompression compression, int alignment, boolean dictionaryDeltas, Metadata fileMetadata) {
        this.compression = compression;
        this.alignment = alignment;
        this.dictionaryDeltas = dictionaryDeltas;
        this.fileMetadata = fileMetadata;
    }

    /** Not compressed, aligned to 64 bytes, without deltas of dictionaries in streams. */
    public static IpcWriteOptions defaults() {
        return DEFAULTS;
    }

    /** Compresses each buffer that becomes smaller by it; null compresses none. */
    public IpcWriteOptions withCompression(@Nullable IpcCompression newCompression) {
        return new IpcWriteOptions(newCompression, alignment, dictionaryDeltas, fileMetadata);
    }

    /**
     * The multiple of bytes that buffers begin at. With 64, a batch of a mapped file lies as the columnar format recommends;
     * 8 makes small batches smaller.
     *
     * @param byteSize 8 or 64
     */
    public IpcWriteOptions withAlignment(int byteSize) {
        if (byteSize != 8 && byteSize != 64) {
            throw new IllegalArgumentException("an alignment of " + byteSize + " bytes; the format has 8 and 64");
        }
        return new IpcWriteOptions(compression, byteSize, dictionaryDeltas, fileMetadata);
    }

    /**
     * Whether a dictionary that continues the one before is written as what was added, also in a stream. Not all readers
     * know such deltas. In a file a dictionary can't be written anew, so there they are always used.
     */
    public IpcWriteOptions withDictionaryDeltas(boolean use) {
        return new IpcWriteOptions(compression, alignment, use, fileMetadata);
    }

    /** Keys and values for the footer of a file; they are apart from the schema's. */
    public IpcWriteOptions withFileMetadata(Metadata metadata) {
        return new IpcWriteOptions(compression, alignment, dictionaryDeltas, metadata);
    }

    /** How buffers are compressed, null if they are not. */
    public @Nullable IpcCompression getCompression() {
        return compression;
    }

    /** The multiple of bytes that buffers begin at. */
    public int getAlignment() {
        return alignment;
    }

    /** Whether streams have deltas of dictionaries. */
    public boolean getDictionaryDeltas() {
        return dictionaryDeltas;
    }

    /** Keys and values for the footer of a file. */
    public Metadata getFileMetadata() {
        return fileMetadata;
    }
}

package dev.arrowdevice.ipc;

/** How the buffers of a batch are compressed, each by itself. */
public enum IpcCompression {
    /** The frame format of LZ4. Reading and writing it needs {@code org.apache.commons:commons-compress}. */
    LZ4_FRAME,
    /** Zstandard. Reading and writing it needs {@code com.github.luben:zstd-jni}. */
    ZSTD
}

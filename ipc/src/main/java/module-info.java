import dev.arrowdevice.ipc.IpcCodec;

/** Arrow IPC streams and files. Java below; for Kotlin there are flows, if the module of coroutines is there. */
@SuppressWarnings("requires-automatic") // FlatBuffers has no module descriptor.
module dev.arrowdevice.ipc {
    requires static transitive org.jspecify;
    requires transitive dev.arrowdevice.core;
    requires static transitive dev.arrowdevice.coroutines;
    requires transitive kotlin.stdlib;
    requires org.apache.arrow.format;
    requires flatbuffers.java;
    requires static org.apache.commons.compress;
    requires static com.github.luben.zstd_jni;

    exports dev.arrowdevice.ipc;

    uses IpcCodec;
}

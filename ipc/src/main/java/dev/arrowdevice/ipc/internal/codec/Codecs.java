package dev.arrowdevice.ipc.internal.codec;

import dev.arrowdevice.ipc.IpcCodec;
import dev.arrowdevice.ipc.IpcCompression;
import java.util.EnumMap;
import java.util.Map;
import java.util.ServiceLoader;

/** Finds the codec of a compression: one that a library provides as a service, or else ours, if its library is there. */
public final class Codecs {
    private static final Map<IpcCompression, IpcCodec> FOUND = new EnumMap<>(IpcCompression.class);

    private static final String COMMONS_COMPRESS =
            "org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream";
    private static final String COMMONS_CODEC = "org.apache.commons.codec.digest.XXHash32";
    private static final String ZSTD_JNI = "com.github.luben.zstd.Zstd";

    private Codecs() {}

    /**
     * The codec of a compression.
     *
     * @throws UnsupportedOperationException if there is none; the message names the artifact that is missing
     */
    public static IpcCodec find(IpcCompression compression) {
        synchronized (FOUND) {
            IpcCodec known = FOUND.get(compression);
            if (known == null) {
                known = search(compression);
                FOUND.put(compression, known);
            }
            return known;
        }
    }

    private static IpcCodec search(IpcCompression compression) {
        for (IpcCodec codec : ServiceLoader.load(IpcCodec.class, IpcCodec.class.getClassLoader())) {
            if (codec.getCompression() == compression) {
                return codec;
            }
        }
        IpcCodec ours = switch (compression) {
            case LZ4_FRAME -> isThere(COMMONS_COMPRESS) && isThere(COMMONS_CODEC) ? new CommonsLz4Codec() : null;
            case ZSTD -> isThere(ZSTD_JNI) ? new ZstdJniCodec() : null;
        };
        if (ours == null) {
            throw new UnsupportedOperationException("buffers are compressed by " + compression + ", which needs "
                    + artifact(compression) + " on the class path");
        }
        return ours;
    }

    /** To be asked before anything refers to a codec's class: to link that, the JVM loads classes of its library. */
    private static boolean isThere(String libraryClass) {
        try {
            Class.forName(libraryClass, false, Codecs.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    private static String artifact(IpcCompression compression) {
        return switch (compression) {
            case LZ4_FRAME -> "org.apache.commons:commons-compress, with its commons-codec,";
            case ZSTD -> "com.github.luben:zstd-jni";
        };
    }
}

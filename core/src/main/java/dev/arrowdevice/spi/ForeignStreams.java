package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.Validation;
import dev.arrowdevice.internal.abi.CArrayStream;
import dev.arrowdevice.internal.abi.CDeviceArrayStream;
import dev.arrowdevice.internal.exchange.Requirements;
import dev.arrowdevice.internal.streams.ImportedStream;

/** Imports streams whose producers say more of an error than the stream interface has words for. */
public final class ForeignStreams {
    private ForeignStreams() {}

    /**
     * Imports the {@code ArrowArrayStream} at an address and asks it for its schema, which may block. The content of the
     * struct is consumed, also on failure; its memory stays the caller's.
     *
     * @param errors makes the exceptions of the producer's errors, that of the schema included
     * @throws IllegalArgumentException for a NULL address
     * @throws IllegalStateException if the struct has been released or moved
     */
    public static DeviceArrayStream importStream(long streamAddress, Validation validation, StreamErrors errors) {
        Requirements.requireAddress("importStream", "streamAddress", streamAddress);
        Requirements.requireLive("ArrowArrayStream", CArrayStream.release(streamAddress) != 0);
        return ImportedStream.move(streamAddress, false, validation, errors);
    }

    /** Imports the {@code ArrowDeviceArrayStream} at an address; see {@link #importStream}. */
    public static DeviceArrayStream importDeviceStream(long streamAddress, Validation validation, StreamErrors errors) {
        Requirements.requireAddress("importDeviceStream", "streamAddress", streamAddress);
        Requirements.requireLive("ArrowDeviceArrayStream", CDeviceArrayStream.release(streamAddress) != 0);
        return ImportedStream.move(streamAddress, true, validation, errors);
    }
}

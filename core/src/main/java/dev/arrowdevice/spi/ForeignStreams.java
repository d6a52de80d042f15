package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.Validation;
import dev.arrowdevice.internal.abi.CArrayStream;
import dev.arrowdevice.internal.abi.CDeviceArrayStream;
import dev.arrowdevice.internal.exchange.Requirements;
import dev.arrowdevice.internal.streams.ImportedStream;

/** Imports streams whose producers say more about an error than the stream interface can express. */
public final class ForeignStreams {
    private ForeignStreams() {}

    /**
     * Imports the {@code ArrowArrayStream} at an address and calls its {@code get_schema}, which may block. The content
     * of the struct is consumed, also on failure. Its memory remains the caller's.
     *
     * @param errors makes the exceptions for the producer's errors, also for those of {@code get_schema}
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

package dev.arrowdevice.spi;

import dev.arrowdevice.CArrayStreamStruct;
import dev.arrowdevice.CDeviceArrayStreamStruct;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.Validation;
import dev.arrowdevice.internal.exchange.Requirements;
import dev.arrowdevice.internal.streams.ImportedStream;

/** Imports streams whose producers say more about an error than the stream interface can express. */
public final class ForeignStreams {
    private ForeignStreams() {}

    /**
     * Imports an {@code ArrowArrayStream} and calls its {@code get_schema}, which may block. The content of the struct is
     * consumed, also on failure. Its memory remains the caller's.
     *
     * @param errors makes the exceptions for the producer's errors, also for those of {@code get_schema}
     * @throws IllegalStateException if the struct has been released or moved
     */
    public static DeviceArrayStream importStream(
            CArrayStreamStruct stream, Validation validation, StreamErrors errors) {
        Requirements.requireLive("ArrowArrayStream", stream.isLive());
        return ImportedStream.move(stream.getAddress(), false, validation, errors);
    }

    /** Imports an {@code ArrowDeviceArrayStream}; see {@link #importStream}. */
    public static DeviceArrayStream importDeviceStream(
            CDeviceArrayStreamStruct stream, Validation validation, StreamErrors errors) {
        Requirements.requireLive("ArrowDeviceArrayStream", stream.isLive());
        return ImportedStream.move(stream.getAddress(), true, validation, errors);
    }
}

package dev.arrowdevice.internal.streams;

import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.internal.abi.CArrayStream;
import dev.arrowdevice.internal.abi.CDeviceArrayStream;
import dev.arrowdevice.internal.abi.StreamUpcalls;
import dev.arrowdevice.internal.exchange.ArrayExports;
import dev.arrowdevice.spi.Verb;
import java.util.function.Supplier;

/** Exports streams to structs at addresses; see {@link dev.arrowdevice.ArrowExport}. */
public final class StreamExports {
    private StreamExports() {}

    /**
     * Fills an {@code ArrowArrayStream}. On failure it is marked released.
     *
     * @param moved moves the stream, and returns the one that the struct owns; called last, because after a failure
     *     before that the caller remains the owner
     */
    public static void fill(
            DeviceArrayStream stream, Verb verb, long target, Supplier<? extends DeviceArrayStream> moved) {
        CArrayStream.setRelease(target, 0);
        ArrayExports.requireCpu(verb, stream.getDeviceType());
        CArrayStream.setGetSchema(target, StreamUpcalls.GET_SCHEMA);
        CArrayStream.setGetNext(target, StreamUpcalls.GET_NEXT);
        CArrayStream.setGetLastError(target, StreamUpcalls.GET_LAST_ERROR);
        ExportedStream exported = new ExportedStream(moved.get(), false);
        CArrayStream.setPrivateData(target, exported.id());
        CArrayStream.setRelease(target, StreamUpcalls.RELEASE);
    }

    /** Fills an {@code ArrowDeviceArrayStream}; see {@link #fill}. */
    public static void fillDevice(DeviceArrayStream stream, long target, Supplier<? extends DeviceArrayStream> moved) {
        CDeviceArrayStream.setRelease(target, 0);
        CDeviceArrayStream.setDeviceType(target, stream.getDeviceType());
        CDeviceArrayStream.setGetSchema(target, StreamUpcalls.DEVICE_GET_SCHEMA);
        CDeviceArrayStream.setGetNext(target, StreamUpcalls.DEVICE_GET_NEXT);
        CDeviceArrayStream.setGetLastError(target, StreamUpcalls.DEVICE_GET_LAST_ERROR);
        ExportedStream exported = new ExportedStream(moved.get(), true);
        CDeviceArrayStream.setPrivateData(target, exported.id());
        CDeviceArrayStream.setRelease(target, StreamUpcalls.DEVICE_RELEASE);
    }
}

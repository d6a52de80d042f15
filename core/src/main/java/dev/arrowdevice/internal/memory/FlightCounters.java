package dev.arrowdevice.internal.memory;

import dev.arrowdevice.ArrowCounters;
import dev.arrowdevice.internal.diagnostics.NotOnAndroid;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/**
 * The {@link ArrowCounters} as a periodic event of Flight Recorder. So a recording does not make an exchange slower.
 */
@NotOnAndroid
@Name("dev.arrowdevice.Counters")
@Label("Counters")
@Description("What the process has exchanged so far, and the memory and objects of devices that it has")
@Category("Arrow Device")
@Period("10 s")
@StackTrace(false)
final class FlightCounters extends Event {
    @Label("Exported Arrays")
    long exportedArrays;

    @Label("Imported Arrays")
    long importedArrays;

    @Label("Exported Streams")
    long exportedStreams;

    @Label("Imported Streams")
    long importedStreams;

    @Label("Exported Schemas")
    long exportedSchemas;

    @Label("Unreleased Exports")
    long unreleasedExports;

    @Label("Unreleased Imports")
    long unreleasedImports;

    @Label("Unreleased Schemas")
    long unreleasedSchemas;

    @Label("Host Buffers")
    long hostBuffers;

    @Label("Host Bytes")
    @DataAmount
    long hostBytes;

    @Label("Used Host Bytes")
    @DataAmount
    long hostUsedBytes;

    @Label("Device Buffers")
    long deviceBuffers;

    @Label("Device Bytes")
    @DataAmount
    long deviceBytes;

    @Label("Device Queues")
    long deviceQueues;

    @Label("Device Events")
    long deviceEvents;

    @Label("Pending Releases")
    long pendingReleases;

    @Label("Leaks")
    long leaks;

    @Label("Late Failures")
    long lateFailures;

    /** Adds the periodic event. */
    static void take() {
        FlightCounters event = new FlightCounters();
        ArrowCounters now = ArrowCounters.now();
        event.exportedArrays = now.exportedArrays();
        event.importedArrays = now.importedArrays();
        event.exportedStreams = now.exportedStreams();
        event.importedStreams = now.importedStreams();
        event.exportedSchemas = now.exportedSchemas();
        event.unreleasedExports = now.unreleasedExports();
        event.unreleasedImports = now.unreleasedImports();
        event.unreleasedSchemas = now.unreleasedSchemas();
        event.hostBuffers = now.hostBuffers();
        event.hostBytes = now.hostBytes();
        event.hostUsedBytes = now.hostUsedBytes();
        event.deviceBuffers = now.deviceBuffers();
        event.deviceBytes = now.deviceBytes();
        event.deviceQueues = now.deviceQueues();
        event.deviceEvents = now.deviceEvents();
        event.pendingReleases = now.pendingReleases();
        event.leaks = now.leaks();
        event.lateFailures = now.lateFailures();
        event.commit();
    }
}

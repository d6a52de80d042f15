package dev.arrowdevice.internal.memory;

import dev.arrowdevice.internal.diagnostics.NotOnAndroid;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * Starts the periodic event {@link FlightCounters} with a recording. A class of its own, because loading a class of an
 * event loads a hundred classes of Flight Recorder.
 */
@NotOnAndroid
final class CountersOnRecord implements FlightRecorderListener {
    private CountersOnRecord() {}

    static void install() {
        FlightRecorder.addListener(new CountersOnRecord());
    }

    @Override
    public void recorderInitialized(FlightRecorder recorder) {
        FlightRecorder.addPeriodicEvent(FlightCounters.class, FlightCounters::take);
    }
}

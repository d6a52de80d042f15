package dev.arrowdevice.internal.memory;

import dev.arrowdevice.internal.diagnostics.NotOnAndroid;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * Has {@link FlightCounters} taken once somebody records. Apart from them, because a class of an event costs a hundred classes
 * of Flight Recorder when it is loaded.
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

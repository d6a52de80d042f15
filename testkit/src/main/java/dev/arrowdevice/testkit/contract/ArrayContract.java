package dev.arrowdevice.testkit.contract;

import java.util.List;
import java.util.function.Supplier;

/**
 * What arrays do on any device: they are copied to it and back, built on it, exchanged over the C interface with their
 * event, released in time, and survive failures. A runtime that passes the {@link DeviceContract} passes these cases
 * too. They are run in the same way.
 *
 * <p>This SDK is both producer and consumer, so the cases need no compiler on the machine that has the device. Nothing
 * but the C struct passes between them.
 */
public final class ArrayContract {
    private ArrayContract() {}

    /**
     * Returns all cases for a subject.
     *
     * @param subjects opens the subject: here, to find out what it can do, and once for each case
     */
    public static List<DeviceContract.Case> cases(Supplier<? extends DeviceSubject> subjects) {
        DeviceContract contract = new DeviceContract(subjects);
        ArrayCopyCases.addTo(contract);
        ArrayReleaseCases.addTo(contract);
        ArrayExportCases.addTo(contract);
        ArrayImportCases.addTo(contract);
        ArrayFaultCases.addTo(contract);
        return contract.cases();
    }
}

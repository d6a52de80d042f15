package dev.arrowdevice.testkit.contract;

import java.util.List;
import java.util.function.Supplier;

/**
 * What arrays do on any device: go there and back, are built there, cross the C interface with their event, are given back
 * in time, and survive failures. A runtime that keeps the {@link DeviceContract} passes these too; they are run in the same
 * way.
 *
 * <p>The producer and the consumer of what crosses the interface are both this SDK, so that the cases need no compiler on
 * the machine that has the device. Nothing but the struct passes between them.
 */
public final class ArrayContract {
    private ArrayContract() {}

    /**
     * All cases for a subject.
     *
     * @param subjects opens the subject: here, to ask what it can do, and once for each case
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

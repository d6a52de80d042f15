package dev.arrowdevice.interop;

import dev.arrowdevice.DelicateArrowApi;
import dev.arrowdevice.internal.abi.CDlpack;
import dev.arrowdevice.internal.exchange.Requirements;

/**
 * A {@code DLManagedTensorVersioned}, or the {@code DLManagedTensor} of the time before versions, in native memory. It is a
 * name for the memory and owns nothing: whoever has the struct calls its deleter, once, or passes it to somebody who does.
 * After that this must not be used any more. Unlike Arrow's structs, those of DLPack have no mark for that.
 *
 * <p>{@link DlpackTensor#exportVersioned} and {@link DlpackTensor#exportLegacy} make one, {@link DlpackTensor#importArray}
 * imports one.
 */
public final class DlpackStruct {
    private final long address;
    private final CDlpack kind;

    DlpackStruct(long address, CDlpack kind) {
        this.address = address;
        this.kind = kind;
    }

    /**
     * The {@code DLManagedTensorVersioned} at an address. Nothing checks that there is one; a wrong one reads and calls what
     * it should not.
     *
     * @throws IllegalArgumentException for the address 0
     * @throws UnsupportedOperationException on Java before 22
     */
    @DelicateArrowApi
    public static DlpackStruct versioned(long address) {
        Requirements.requireAddress("DlpackStruct.versioned", "address", address);
        return new DlpackStruct(address, CDlpack.VERSIONED);
    }

    /** The {@code DLManagedTensor} at an address. See {@link #versioned}. */
    @DelicateArrowApi
    public static DlpackStruct legacy(long address) {
        Requirements.requireAddress("DlpackStruct.legacy", "address", address);
        return new DlpackStruct(address, CDlpack.LEGACY);
    }

    /** The address of the struct, to pass to a foreign function. */
    public long getAddress() {
        return address;
    }

    /** Whether it is a {@code DLManagedTensorVersioned}. */
    public boolean isVersioned() {
        return kind.isVersioned();
    }

    /** The name of a Python capsule with such a struct that nobody has consumed. */
    public String getCapsuleName() {
        return kind.isVersioned() ? DlpackTensor.CAPSULE : DlpackTensor.LEGACY_CAPSULE;
    }

    /** Calls the deleter of a struct that nobody took, ours or a foreign one. A deleter that is NULL is not called. */
    public void delete() {
        CDlpack.delete(address, kind);
    }

    CDlpack kind() {
        return kind;
    }

    @Override
    public String toString() {
        return (kind.isVersioned() ? "DLManagedTensorVersioned" : "DLManagedTensor") + " at " + Strided.hex(address);
    }
}

package dev.arrowdevice.internal.abi;

import java.lang.invoke.MethodHandles;

/** The native addresses of the deleters of the DLPack tensors that we export; see {@link ArrayUpcalls}. */
public final class DlpackUpcalls {
    /** {@code DLManagedTensor.deleter}. */
    public static final long DELETE = ArrayUpcalls.stub(MethodHandles.lookup(), "delete", void.class, long.class);
    /** {@code DLManagedTensorVersioned.deleter}. */
    public static final long DELETE_VERSIONED =
            ArrayUpcalls.stub(MethodHandles.lookup(), "deleteVersioned", void.class, long.class);

    private DlpackUpcalls() {}

    private static void delete(long struct) {
        delete(struct, CDlpack.LEGACY);
    }

    private static void deleteVersioned(long struct) {
        delete(struct, CDlpack.VERSIONED);
    }

    private static void delete(long struct, CDlpack kind) {
        try {
            Exported.Tensor exported = OutstandingExports.TENSORS.get(kind.managerContext(struct));
            if (exported != null) {
                exported.delete(struct);
            }
        } catch (Throwable e) {
            ArrayUpcalls.report("DLManagedTensor.deleter", e);
        }
    }
}

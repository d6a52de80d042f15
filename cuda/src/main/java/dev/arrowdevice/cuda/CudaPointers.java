package dev.arrowdevice.cuda;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.spi.AddressRange;
import jcuda.driver.CUmemorytype;
import jcuda.driver.CUpointer_attribute;
import jcuda.driver.CUresult;
import org.jspecify.annotations.Nullable;

/** The attributes that CUDA knows of an address. */
final class CudaPointers {
    private static final int[] POINTER_ATTRIBUTES = {
        CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
        CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
        CUpointer_attribute.CU_POINTER_ATTRIBUTE_IS_MANAGED,
        CUpointer_attribute.CU_POINTER_ATTRIBUTE_CONTEXT
    };

    private static final int[] ALLOCATED_AS_A_WHOLE = {
        CUpointer_attribute.CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE
    };

    private final CudaApi api;
    private final int ordinal;
    private final CudaCalls calls;

    CudaPointers(CudaApi api, int ordinal, CudaCalls calls) {
        this.api = api;
        this.ordinal = ordinal;
        this.calls = calls;
    }

    /**
     * The device that an address belongs to. Pinned memory is {@code CUDA_HOST}, no matter who pinned or registered it.
     * Memory of this GPU in another context than the primary one is not this runtime's.
     */
    @Nullable
    Device deviceOf(long address, Device presumed) {
        if (!api.hasPointerAttributes()) {
            return presumed;
        }
        long[] values = new long[POINTER_ATTRIBUTES.length];
        int code = calls.inContext(() -> api.cuPointerGetAttributes(values, POINTER_ATTRIBUTES, address));
        // CUDA's manual names zeros and both of these codes for an address that CUDA does not know.
        if (code == CUresult.CUDA_ERROR_INVALID_VALUE || code == CUresult.CUDA_ERROR_INVALID_CONTEXT) {
            return null;
        }
        calls.check("cuPointerGetAttributes", code);
        int type = (int) values[0];
        int owner = (int) values[1];
        if (type == 0) {
            return null;
        }
        if (owner < 0) {
            return presumed; // Memory of no particular GPU, such as a NUMA node's.
        }
        if (values[2] != 0) {
            return new Device(DeviceType.CUDA_MANAGED, owner);
        }
        if (type == CUmemorytype.CU_MEMORYTYPE_HOST) {
            return new Device(DeviceType.CUDA_HOST, owner);
        }
        // Memory of pools, and memory mapped in pieces, has no context: 0.
        long context = values[3];
        boolean elsewhere = owner == ordinal && context != 0 && context != calls.primaryContext();
        return elsewhere ? null : new Device(DeviceType.CUDA, owner);
    }

    /**
     * The allocation of an address. CUDA's manual promises an answer for memory of {@code cuMemAlloc} only. For memory
     * that was mapped with {@code cuMemMap}, as PyTorch may do, the answer is one piece of it. Only memory of
     * {@code cuMemAlloc} can be passed to other processes as a whole.
     */
    @Nullable
    AddressRange allocationOf(long address) {
        if (!api.hasPointerAttributes()) {
            return null;
        }
        long[] whole = new long[1];
        long[] start = new long[1];
        long[] byteSize = new long[1];
        int code = calls.inContext(() -> {
            int refused = api.cuPointerGetAttributes(whole, ALLOCATED_AS_A_WHOLE, address);
            return refused != 0 || whole[0] == 0 ? refused : api.cuMemGetAddressRange(start, byteSize, address);
        });
        // If the driver refuses the question, the data is not to blame.
        AddressRange found = new AddressRange(start[0], byteSize[0]);
        return code == 0 && found.contains(address) ? found : null;
    }
}

package dev.arrowdevice.interop;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.internal.abi.CDlpack;
import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.DlpackUpcalls;
import dev.arrowdevice.internal.abi.Exported;
import dev.arrowdevice.internal.abi.Imports;
import dev.arrowdevice.internal.abi.OutstandingExports;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.abi.ShutdownReport;
import dev.arrowdevice.internal.memory.ForeignUse;
import dev.arrowdevice.internal.memory.Leaks;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.Move;
import dev.arrowdevice.spi.ReferenceCounted;
import dev.arrowdevice.spi.Verb;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** DLPack's structs in memory, both versions: reading, taking over, handing out. */
final class DlpackStructs {
    private static final int MAJOR = 1;
    /** The strides are never NULL in what we write, as 1.2 demands. */
    private static final int MINOR = 2;

    private static final int MAX_RANK = 64;

    private DlpackStructs() {}

    static DlpackTensor read(long address, CDlpack struct) {
        requireVersion(address, struct);
        int rank = struct.rank(address);
        if (rank < 0 || rank > MAX_RANK) {
            throw new IllegalArgumentException("ndim is " + rank + "; 0 to " + MAX_RANK + " are read");
        }
        long shape = struct.shape(address);
        long strides = struct.strides(address);
        if (shape == 0 && rank > 0) {
            throw new IllegalArgumentException("shape is NULL with ndim " + rank);
        }
        int deviceType = struct.deviceType(address);
        return new DlpackTensor(
                deviceType == DeviceType.CPU ? Device.CPU : new Device(deviceType, struct.deviceId(address)),
                struct.typeCode(address),
                struct.typeBits(address),
                struct.typeLanes(address),
                numbers(shape, rank),
                strides == 0 ? null : numbers(strides, rank), // Before 1.2 NULL was C-contiguous.
                struct.data(address),
                struct.byteOffset(address),
                struct.flags(address));
    }

    private static void requireVersion(long address, CDlpack struct) {
        if (struct.isVersioned() && struct.major(address) != MAJOR) {
            throw new IllegalArgumentException("DLPack version " + Integer.toUnsignedString(struct.major(address))
                    + "." + Integer.toUnsignedString(struct.minor(address)) + " has another layout than " + MAJOR
                    + ".x");
        }
    }

    private static List<Long> numbers(long address, int count) {
        List<Long> numbers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            numbers.add(RawMemory.getLong(address + 8L * i));
        }
        return numbers;
    }

    /** "The deleter … should be called when the tensor is no longer needed", which frees the struct as well. */
    static DeviceArray take(long address, CDlpack struct, String operation, ImportOptions options) {
        return ForeignOwner.take(
                new Taken(address, struct),
                operation,
                options,
                () -> read(address, struct).source(options));
    }

    /** A foreign tensor that is ours to delete. */
    private static final class Taken extends ReferenceCounted {
        private final long address;
        private final CDlpack struct;
        private final long number;

        Taken(long address, CDlpack struct) {
            this.address = address;
            this.struct = struct;
            try {
                this.number = Imports.ARRAYS.add(this);
            } catch (Throwable e) {
                CDlpack.delete(address, struct);
                throw e;
            }
        }

        @Override
        protected void free() {
            CDlpack.delete(address, struct);
            Imports.ARRAYS.remove(number);
        }
    }

    static DlpackStruct export(DeviceArray array, CDlpack struct, Verb verb, ExportOptions options) {
        if (!struct.isVersioned() && !options.writable) {
            throw new IllegalArgumentException(verb
                    + ": the legacy struct can't say that memory is read-only; ExportOptions.writable() lets the consumer"
                    + " write");
        }
        if (options.bitMask || options.mask != null) {
            throw new IllegalArgumentException(verb + ": DLPack has no masks");
        }
        DlpackTensor tensor = DlpackTensor.of(array, options);
        // Arrow's -1, "no intrinsic notion of a device identifier", is 0 in DLPack; __dlpack_device__ says the same.
        long id = tensor.device().isCpu() ? 0 : Math.max(0, tensor.device().id());
        if (id != (int) id) {
            throw new IllegalArgumentException(verb + ": DLPack has 32 bits for the id of " + tensor.device());
        }
        StridedExport.order(array.getDevice(), array.getReadyEvent(), options);
        // Before anything is registered: what makes the stub is a class whose loading can fail.
        long deleter = struct.isVersioned() ? DlpackUpcalls.DELETE_VERSIONED : DlpackUpcalls.DELETE;
        try (Move move = Move.begin(array, verb)) {
            int rank = tensor.shape().size();
            long byteSize = struct.size() + 16L * rank;
            long address = CHeap.allocate(byteSize);
            try {
                DlpackStruct made = new DlpackStruct(address, struct);
                RawMemory.zero(address, struct.size());
                write(address, struct, tensor, (int) id);
                struct.setDeleter(address, deleter);
                struct.setManagerContext(address, new Given(move.getOwner(), byteSize, array.getDevice()).id);
                move.complete();
                return made;
            } catch (Throwable e) {
                CHeap.free(address, byteSize);
                throw e;
            }
        }
    }

    private static void write(long address, CDlpack struct, DlpackTensor tensor, int deviceId) {
        int rank = tensor.shape().size();
        long shape = address + struct.size();
        long strides = shape + 8L * rank;
        List<Long> elementStrides = tensor.strides() == null ? List.of() : tensor.strides();
        for (int i = 0; i < rank; i++) {
            RawMemory.putLong(shape + 8L * i, tensor.shape().get(i));
            RawMemory.putLong(strides + 8L * i, elementStrides.get(i));
        }
        struct.setTensor(address, tensor.data(), tensor.device().type(), deviceId, rank, shape, strides);
        struct.setType(address, tensor.typeCode(), tensor.typeBits(), tensor.typeLanes());
        if (struct.isVersioned()) {
            struct.setHeader(address, MAJOR, MINOR, tensor.flags());
        }
    }

    /** An array in foreign hands, until the deleter is called. */
    private static final class Given implements Exported.Tensor {
        static {
            ShutdownReport.install();
        }

        private final ReferenceCounted owner;
        private final long byteSize;
        private final @Nullable DeviceRuntime device;
        private final @Nullable Throwable allocation = Leaks.allocationStack();
        private final long id;

        Given(ReferenceCounted owner, long byteSize, Device device) {
            this.owner = owner;
            this.byteSize = byteSize;
            this.device = ForeignUse.of(device);
            this.id = OutstandingExports.TENSORS.add(this);
        }

        @Override
        public @Nullable Throwable allocation() {
            return allocation;
        }

        @Override
        public void delete(long struct) {
            OutstandingExports.TENSORS.remove(id);
            CHeap.free(struct, byteSize);
            ForeignUse.end(device, owner);
        }
    }
}

package dev.arrowdevice.peers.arrowcpp;

import java.util.ArrayList;
import java.util.List;

/** An {@code arrow::ChunkedArray}: what C++ makes of a stream whose arrays are no batches. */
public final class CppChunkedArray extends CppObject {
    private static final CppFunction IMPORT = CppFunction.named("_ZN5arrow18ImportChunkedArrayEP16ArrowArrayStream");
    private static final CppFunction IMPORT_DEVICE = CppFunction.named(
            "_ZN5arrow24ImportDeviceChunkedArrayEP22ArrowDeviceArrayStreamRKSt8functionIFNS_6ResultISt10shared_ptrINS_13MemoryManagerEEEEilEE");
    private static final CppFunction EXPORT =
            CppFunction.named("_ZN5arrow18ExportChunkedArrayESt10shared_ptrINS_12ChunkedArrayEEP16ArrowArrayStream");
    private static final CppFunction EXPORT_DEVICE = CppFunction.named(
            "_ZN5arrow24ExportDeviceChunkedArrayESt10shared_ptrINS_12ChunkedArrayEENS_20DeviceAllocationTypeEP22ArrowDeviceArrayStream");
    private static final CppFunction MAKE = CppFunction.named(
            "_ZN5arrow12ChunkedArray4MakeESt6vectorISt10shared_ptrINS_5ArrayEESaIS4_EES2_INS_8DataTypeEE");
    private static final CppFunction VALIDATE_FULL = CppFunction.named("_ZNK5arrow12ChunkedArray12ValidateFullEv");

    private static final long CHUNKS = 0;
    private static final int CPU = 1;

    CppChunkedArray(long sharedPtr) {
        super(sharedPtr);
    }

    /** Chunks of one type; the arrays stay the caller's to close. */
    public static CppChunkedArray of(CppType type, List<CppArray> chunks) {
        try (CppScope scope = new CppScope()) {
            return new CppChunkedArray(scope.result(MAKE, scope.vector(chunks), scope.copy(type)));
        }
    }

    /**
     * Imports an {@code ArrowArrayStream} and reads it to its end.
     *
     * @throws CppException with the producer's message, if it fails
     */
    public static CppChunkedArray importFrom(long streamAddress) {
        try (CppScope scope = new CppScope()) {
            return new CppChunkedArray(scope.result(IMPORT, streamAddress));
        }
    }

    /**
     * Imports an {@code ArrowDeviceArrayStream} and reads it to its end.
     *
     * @throws CppException with the producer's message, if it fails
     */
    public static CppChunkedArray importDeviceFrom(long streamAddress) {
        try (CppScope scope = new CppScope()) {
            return new CppChunkedArray(scope.result(IMPORT_DEVICE, streamAddress, CppDevice.defaultMapper(scope)));
        }
    }

    /** Writes a stream of the chunks. */
    public void exportTo(long streamAddress) {
        try (CppScope scope = new CppScope()) {
            scope.status(EXPORT, scope.copy(this), streamAddress);
        }
    }

    /** Writes a device stream of the chunks. */
    public void exportDeviceTo(long streamAddress) {
        try (CppScope scope = new CppScope()) {
            scope.status(EXPORT_DEVICE, scope.copy(this), CPU, streamAddress);
        }
    }

    /**
     * Checks every byte that can be wrong.
     *
     * @throws CppException that says what is
     */
    public CppChunkedArray validateFull() {
        try (CppScope scope = new CppScope()) {
            scope.status(VALIDATE_FULL, address());
            return this;
        }
    }

    /** One more owner of each chunk. */
    public List<CppArray> chunks() {
        List<CppArray> chunks = new ArrayList<>();
        long end = CppMemory.getLong(address() + CHUNKS + Long.BYTES);
        for (long chunk = CppMemory.getLong(address() + CHUNKS); chunk < end; chunk += CppMemory.SHARED_PTR) {
            CppMemory.retain(CppMemory.getLong(chunk + Long.BYTES));
            chunks.add(new CppArray(chunk));
        }
        return chunks;
    }
}

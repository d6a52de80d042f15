package dev.arrowdevice.peers.arrowcpp;

import org.jspecify.annotations.Nullable;

/** Arrow C++ as producer of an async stream. */
public final class CppAsyncWriter {
    private static final CppFunction EXPORT = CppFunction.named(
            "_ZN5arrow28ExportAsyncRecordBatchReaderESt10shared_ptrINS_6SchemaEESt8functionIFNS_6FutureIS0_INS_11RecordBatchEEEEvEENS_20DeviceAllocationTypeEP29ArrowAsyncDeviceStreamHandler");

    private CppAsyncWriter() {}

    /**
     * Sends the generator's batches to a handler. The calling thread sends the ones that are ready at once, and waits
     * for the consumer's requests. The pool of the generator sends the later ones.
     *
     * @param schema null makes C++ fail before it has started
     * @param generator is used up
     * @return completes after C++ has called {@code release}
     */
    public static CppFuture export(
            @Nullable CppSchema schema, CppGenerator generator, int deviceType, long handlerAddress) {
        try (CppScope scope = new CppScope();
                generator) {
            long pointer = schema == null ? scope.nullPointer() : scope.copy(schema);
            return new CppFuture(EXPORT.returning(scope, pointer, generator.address(), deviceType, handlerAddress));
        }
    }
}

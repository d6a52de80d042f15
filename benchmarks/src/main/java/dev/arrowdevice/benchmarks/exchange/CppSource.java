package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.CArrayStruct;
import dev.arrowdevice.CSchemaStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.DeviceArray;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An array or a batch of Arrow C++ that is exported, and Arrow C++ as the consumer. See {@code cpp_exchange.c}. The
 * library is the one in the jar of arrow-dataset, on Linux.
 */
final class CppSource implements AutoCloseable {
    private static final SymbolLookup LIBRARY = load();

    private static final MethodHandle OPEN = CFunctions.function("cpp_source", 3);
    private static final MethodHandle CLOSE = CFunctions.action("cpp_source_close", 1);
    private static final MethodHandle EXPORT = CFunctions.function("cpp_export", 2);
    private static final MethodHandle CONSUME = CFunctions.function("cpp_consume", 2);
    private static final MethodHandle EXCHANGE = CFunctions.function("cpp_exchange", 2);
    private static final MethodHandle EXCHANGE_WITH_SCHEMA = CFunctions.function("cpp_exchange_with_schema", 2);

    /** In the order of {@code struct Functions}. A destructor of any {@code shared_ptr} does for all. */
    private static final String[] FOR_ARRAYS = {
        "_ZN5arrow11ExportArrayERKNS_5ArrayEP10ArrowArrayP11ArrowSchema",
        "_ZN5arrow11ImportArrayEP10ArrowArraySt10shared_ptrINS_8DataTypeEE",
        "_ZN5arrow11ImportArrayEP10ArrowArrayP11ArrowSchema",
        "_ZN5arrow10ImportTypeEP11ArrowSchema",
        "_ZNSt10shared_ptrIN5arrow21ExtensionTypeRegistryEED1Ev"
    };

    private static final String[] FOR_BATCHES = {
        "_ZN5arrow17ExportRecordBatchERKNS_11RecordBatchEP10ArrowArrayP11ArrowSchema",
        "_ZN5arrow17ImportRecordBatchEP10ArrowArraySt10shared_ptrINS_6SchemaEE",
        "_ZN5arrow17ImportRecordBatchEP10ArrowArrayP11ArrowSchema",
        "_ZN5arrow12ImportSchemaEP11ArrowSchema",
        "_ZNSt10shared_ptrIN5arrow21ExtensionTypeRegistryEED1Ev"
    };

    private final long address;

    private CppSource(long address) {
        this.address = address;
    }

    /** Moves an array into the hands of Arrow C++. */
    static CppSource of(DeviceArray array, boolean batch) {
        try (CArrayStruct struct = CStruct.array();
                CSchemaStruct schema = CStruct.schema();
                Arena arena = Arena.ofConfined()) {
            String[] symbols = batch ? FOR_BATCHES : FOR_ARRAYS;
            long[] functions = new long[symbols.length];
            for (int i = 0; i < symbols.length; i++) {
                functions[i] = LIBRARY.find(symbols[i]).orElseThrow().address();
            }
            ArrowExport.exportArray(array, struct, schema);
            long table = arena.allocateFrom(ValueLayout.JAVA_LONG, functions).address();
            long address = (long) OPEN.invokeExact(table, struct.getAddress(), schema.getAddress());
            if (address == 0) {
                throw new IllegalStateException("Arrow C++ refuses the array");
            }
            return new CppSource(address);
        } catch (Throwable e) {
            throw CSource.unexpected(e);
        }
    }

    /** Fills an {@code ArrowArray}. */
    void export(long array) {
        try {
            requireAll((long) EXPORT.invokeExact(address, array), 1);
        } catch (Throwable e) {
            throw CSource.unexpected(e);
        }
    }

    /** Imports an {@code ArrowArray} of the source's type and destroys it. */
    void consume(long array) {
        try {
            requireAll((long) CONSUME.invokeExact(address, array), 1);
        } catch (Throwable e) {
            throw CSource.unexpected(e);
        }
    }

    /** So many times {@link #export} and {@link #consume}, in a loop in C. */
    void exchange(int count) {
        try {
            requireAll((long) EXCHANGE.invokeExact(address, (long) count), count);
        } catch (Throwable e) {
            throw CSource.unexpected(e);
        }
    }

    /** The same, with a schema each time. */
    void exchangeWithSchema(int count) {
        try {
            requireAll((long) EXCHANGE_WITH_SCHEMA.invokeExact(address, (long) count), count);
        } catch (Throwable e) {
            throw CSource.unexpected(e);
        }
    }

    @Override
    public void close() {
        try {
            CLOSE.invokeExact(address);
        } catch (Throwable e) {
            throw CSource.unexpected(e);
        }
    }

    private static void requireAll(long good, long count) {
        if (good != count) {
            throw new IllegalStateException("Arrow C++ refused the exchange " + good + " of " + count);
        }
    }

    @SuppressWarnings("restricted")
    private static SymbolLookup load() {
        String folder = System.getProperty("os.arch").equals("aarch64") ? "aarch_64" : "x86_64";
        String resource = "arrow_dataset_jni/" + folder + "/libarrow_dataset_jni.so";
        try (InputStream packed = CppSource.class.getClassLoader().getResourceAsStream(resource)) {
            if (packed == null) {
                throw new IllegalStateException("no " + resource + " on the class path");
            }
            Path library = Files.createTempFile("arrow-cpp", ".so");
            try {
                Files.write(library, packed.readAllBytes());
                return SymbolLookup.libraryLookup(library, Arena.global());
            } finally {
                // Once mapped, the library needs its file no longer.
                Files.delete(library);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.arrowdevice.samples.duckdb;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The functions of {@code duckdb_v2.h} that the binding calls, each named like its symbol without {@code duckdb_v2_}.
 *
 * <p>Every one of them returns an error code. A signature has one letter per parameter: {@code p} a pointer or handle,
 * {@code n} a 64-bit number, {@code i} an {@code int}, {@code b} a {@code bool}, and a final {@code e} for the slot
 * that receives details of an error, which {@link #call} supplies itself.
 */
enum DuckDbFunction {
    LIBRARY_VERSION("pe"),
    ENVIRONMENT_CREATE("pe"),
    INSTANCE_CREATE("ppe"),
    INSTANCE_ATTACH("ppppbe"),
    INSTANCE_DESTROY("p"),
    CONNECTION_CREATE("ppe"),
    CONNECTION_GET_FACTORY("ppe"),
    CONNECTION_REGISTER_TABLE_FUNCTION("ppe"),
    CONNECTION_INTERRUPT("pe"),
    CONNECTION_DESTROY("p"),

    PARSE_SQL("pppe"),
    STATEMENT_ITERATOR_NEXT("ppe"),
    STATEMENT_ITERATOR_DESTROY("p"),
    SQL_STATEMENT_DESTROY("p"),
    STATEMENT_EXECUTE_ARROW("ppppnnpe"),
    ARROW_RESULT_DRAIN("ppe"),
    ARROW_RESULT_TO_ARROW_C_STREAM("ppe"),
    ARROW_RESULT_DESTROY("p"),

    FACTORY_CREATE_TYPE_FROM_ID("pippnpe"),
    LOGICAL_TYPE_DESTROY("p"),
    TABLE_FUNCTION_CREATE("ppe"),
    TABLE_FUNCTION_GET_SIGNATURE("ppe"),
    FUNCTION_SIGNATURE_ADD_PARAMETER("ppppie"),
    TABLE_FUNCTION_SET_NAME("ppe"),
    TABLE_FUNCTION_SET_BIND_CALLBACK("ppe"),
    TABLE_FUNCTION_SET_INIT_GLOBAL_CALLBACK("ppe"),
    TABLE_FUNCTION_SET_EXEC_CALLBACK("ppe"),
    TABLE_FUNCTION_DESTROY("p"),

    FUNCTION_BIND_GET_ARG_VALUE("pnpe"),
    VALUE_GET_UBIGINT("ppe"),
    VALUE_DESTROY("p"),
    TABLE_FUNCTION_BIND_ADD_RESULT_COLUMN("pppe"),
    FUNCTION_BIND_SET_BIND_DATA("ppe"),
    TABLE_FUNCTION_INIT_GLOBAL_GET_BIND_DATA("ppe"),
    TABLE_FUNCTION_INIT_GLOBAL_SET_GLOBAL_STATE("ppe"),
    TABLE_FUNCTION_EXEC_GET_GLOBAL_STATE("ppe"),
    TABLE_FUNCTION_EXEC_GET_OUTPUT_CHUNK("ppe"),

    ARROW_IMPORTER_CREATE("ppnpe"),
    ARROW_IMPORTER_GET_SCHEMA("ppe"),
    ARROW_IMPORTER_APPEND("ppbbe"),
    ARROW_IMPORTER_NEXT_CHUNK("ppe"),
    ARROW_IMPORTER_DESTROY("p"),
    SCHEMA_GET_COUNT("ppe"),
    SCHEMA_GET_FIELD("pnppe"),
    SCHEMA_DESTROY("p"),

    DATA_CHUNK_GET_CAPACITY("ppe"),
    DATA_CHUNK_GET_SIZE("ppe"),
    DATA_CHUNK_GET_VECTOR_COUNT("ppe"),
    DATA_CHUNK_GET_VECTOR("pnpe"),
    DATA_CHUNK_DESTROY("p"),
    VECTOR_REFERENCE("ppe"),
    VECTOR_SET_SIZE("pne"),

    ERROR_INFO_GET_TEXT("pp"),
    ERROR_INFO_SET_CODE("pi"),
    ERROR_INFO_SET_TEXT("pp"),
    ERROR_INFO_DESTROY("p");

    private static final int SUCCESS = 0;
    private static final long NO_DETAILS = 0;

    private final String signature;
    private volatile @Nullable MethodHandle handle;

    DuckDbFunction(String signature) {
        this.signature = signature;
    }

    /**
     * Calls the function.
     *
     * @param arguments the parameters in order without the error slot: addresses and numbers as they are, {@code bool}
     * as 0 or 1
     * @throws DuckDbException with DuckDB's message when the function reports an error
     */
    void call(long... arguments) {
        boolean details = signature.endsWith("e");
        if (!details) {
            check(invoke(arguments), NO_DETAILS);
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment slot = arena.allocate(ValueLayout.JAVA_LONG);
            long[] withSlot = Arrays.copyOf(arguments, arguments.length + 1);
            withSlot[arguments.length] = slot.address();
            int code = invoke(withSlot);
            check(code, slot.get(ValueLayout.JAVA_LONG, 0));
        }
    }

    /** Calls a function whose only parameter is the address of a handle, and does nothing for a handle of 0. */
    void destroy(long nativeHandle) {
        if (nativeHandle == 0) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            call(arena.allocateFrom(ValueLayout.JAVA_LONG, nativeHandle).address());
        }
    }

    private void check(int code, long errorInfo) {
        try {
            if (code != SUCCESS) {
                throw new DuckDbException(
                        errorInfo == NO_DETAILS ? this + " failed with code " + code : text(errorInfo));
            }
        } finally {
            ERROR_INFO_DESTROY.destroy(errorInfo);
        }
    }

    private static String text(long errorInfo) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment view = NativeText.emptyView(arena);
            ERROR_INFO_GET_TEXT.call(errorInfo, view.address());
            return NativeText.read(view);
        }
    }

    private int invoke(long[] arguments) {
        try {
            return (int) handle().invokeExact(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("a downcall throws no checked exception", e);
        }
    }

    private MethodHandle handle() {
        MethodHandle bound = handle;
        if (bound == null) {
            bound = bind();
            handle = bound;
        }
        return bound;
    }

    @SuppressWarnings("restricted") // a downcall: this binding is what the flag --enable-native-access is for
    private MethodHandle bind() {
        String symbol = "duckdb_v2_" + name().toLowerCase(Locale.ROOT);
        SymbolLookup library = DuckDbLibrary.symbols();
        MemorySegment function = library.find(symbol)
                .orElseThrow(() -> new DuckDbException("this DuckDB library has no function " + symbol));
        MemoryLayout[] parameters =
                signature.chars().mapToObj(DuckDbFunction::layout).toArray(MemoryLayout[]::new);
        MethodHandle exact =
                Linker.nativeLinker().downcallHandle(function, FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters));
        MethodType allLong = MethodType.methodType(int.class, Collections.nCopies(parameters.length, long.class));
        return MethodHandles.explicitCastArguments(exact, allLong).asSpreader(long[].class, parameters.length);
    }

    private static MemoryLayout layout(int letter) {
        return switch (letter) {
            case 'p', 'e', 'n' -> ValueLayout.JAVA_LONG;
            case 'i' -> ValueLayout.JAVA_INT;
            case 'b' -> ValueLayout.JAVA_BOOLEAN;
            default -> throw new IllegalArgumentException("no parameter is of kind " + (char) letter);
        };
    }
}

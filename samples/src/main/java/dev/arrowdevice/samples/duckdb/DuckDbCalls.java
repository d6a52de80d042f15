package dev.arrowdevice.samples.duckdb;

import dev.arrowdevice.spi.NativeAllocation;
import java.util.function.LongToIntFunction;

/** Calls of {@link DuckDbApi}, whose errors become exceptions with DuckDB's message. */
final class DuckDbCalls {
    private static final int SUCCESS = 0;
    private static final long NONE = 0;

    private DuckDbCalls() {}

    /** A call with the slot for details of an error. */
    interface Call {
        int call(DuckDbApi api, long error);
    }

    /** A call that also writes a result. */
    interface OutCall {
        int call(DuckDbApi api, long out, long error);
    }

    /**
     * Makes a call.
     *
     * @throws DuckDbException if it reports an error
     */
    static void run(Call call) {
        DuckDbApi api = DuckDbLibrary.api();
        try (NativeAllocation error = NativeAllocation.allocate(Long.BYTES)) {
            check(call.call(api, error.getAddress()), error.getLong(0));
        }
    }

    /**
     * Makes a call.
     *
     * @return the handle or number that it writes
     * @throws DuckDbException if it reports an error
     */
    static long out(OutCall call) {
        try (NativeAllocation out = NativeAllocation.allocate(Long.BYTES)) {
            run((api, error) -> call.call(api, out.getAddress(), error));
            return out.getLong(0);
        }
    }

    /**
     * Calls a function that destroys a handle; not for a handle of 0.
     *
     * @throws DuckDbException if it reports an error
     */
    static void destroy(long handle, Destroyer destroyer) {
        if (handle != NONE) {
            DuckDbApi api = DuckDbLibrary.api();
            withAddress(handle, address -> destroyer.destroy(api, address));
        }
    }

    /** A function that destroys the handle at an address. */
    interface Destroyer {
        int destroy(DuckDbApi api, long handle);
    }

    private static void withAddress(long handle, LongToIntFunction call) {
        try (NativeAllocation slot = NativeAllocation.ofLongs(handle)) {
            check(call.applyAsInt(slot.getAddress()), NONE);
        }
    }

    private static void check(int code, long errorInfo) {
        try {
            if (code != SUCCESS) {
                throw new DuckDbException(
                        errorInfo == NONE ? "a call of DuckDB failed with code " + code : text(errorInfo));
            }
        } finally {
            destroy(errorInfo, DuckDbApi::duckdb_v2_error_info_destroy);
        }
    }

    private static String text(long errorInfo) {
        try (NativeAllocation view = NativeText.emptyView()) {
            check(DuckDbLibrary.api().duckdb_v2_error_info_get_text(errorInfo, view.getAddress()), NONE);
            return NativeText.read(view);
        }
    }
}

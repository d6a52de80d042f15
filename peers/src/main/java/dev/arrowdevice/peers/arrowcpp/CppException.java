package dev.arrowdevice.peers.arrowcpp;

import java.nio.charset.StandardCharsets;

/** A status of Arrow C++ other than OK. */
public final class CppException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final CppFunction TO_STRING = CppFunction.named("_ZNK5arrow6Status8ToStringEv");
    private static final CppFunction DELETE_STATE = CppFunction.named("_ZN5arrow6Status11DeleteStateEv");

    /** The state of a status: code, whether it is a constant, message, shared_ptr to a detail. */
    private static final long IS_CONSTANT = 1;

    private static final long DETAIL = 16;

    private static final int DETAIL_TYPE_ID = 2;
    private static final String ASYNC_ERROR = "AsyncErrorDetail";
    /** An {@code AsyncErrorDetail}: its table, code, message, metadata. */
    private static final long ASYNC_CODE = 8;

    private static final long ASYNC_METADATA = 24;

    private final int code;
    private final int errno;
    private final String metadata;

    private CppException(int code, String message, int errno, String metadata) {
        super(message);
        this.code = code;
        this.errno = errno;
        this.metadata = metadata;
    }

    /** The {@code arrow::StatusCode}: 1 out of memory, 4 invalid, 5 I/O error, 8 cancelled, 9 unknown, 10 not implemented. */
    public int code() {
        return code;
    }

    /** The code that a producer gave to {@code on_error}; 0 for any other failure. */
    public int errno() {
        return errno;
    }

    /** The metadata of {@code on_error}, as far as Arrow C++ has kept it. */
    public String metadata() {
        return metadata;
    }

    /** Throws what the {@code Status} at that address says, and destroys it; returns if it is OK. */
    static void check(CppScope scope, long status) {
        try {
            checkShared(scope, status);
        } finally {
            long state = CppMemory.getLong(status);
            if (state != 0 && CppMemory.getByte(state + IS_CONSTANT) == 0) {
                DELETE_STATE.call(status);
            }
        }
    }

    /** Throws what the {@code Status} at that address says, which stays with its owner; returns if it is OK. */
    static void checkShared(CppScope scope, long status) {
        long state = CppMemory.getLong(status);
        if (state == 0) {
            return;
        }
        int code = CppMemory.getByte(state);
        String message = CppMemory.takeString(TO_STRING.returning(scope, status));
        long detail = CppMemory.getLong(state + DETAIL);
        if (detail == 0 || !typeId(detail).equals(ASYNC_ERROR)) {
            throw new CppException(code, message, 0, "");
        }
        String metadata = CppMemory.getString(detail + ASYNC_METADATA);
        throw new CppException(code, message, CppMemory.getInt(detail + ASYNC_CODE), metadata);
    }

    private static String typeId(long detail) {
        long characters = CppFunction.virtual(detail, DETAIL_TYPE_ID).call(detail);
        byte[] start = CppMemory.bytes(characters, ASYNC_ERROR.length());
        return new String(start, StandardCharsets.UTF_8);
    }
}

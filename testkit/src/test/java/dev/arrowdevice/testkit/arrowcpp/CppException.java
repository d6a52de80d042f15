package dev.arrowdevice.testkit.arrowcpp;

/** A status of Arrow C++ other than OK. */
public final class CppException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final CppFunction TO_STRING = CppFunction.named("_ZNK5arrow6Status8ToStringEv");
    private static final CppFunction DELETE_STATE = CppFunction.named("_ZN5arrow6Status11DeleteStateEv");

    private final int code;

    private CppException(int code, String message) {
        super(message);
        this.code = code;
    }

    /** The {@code arrow::StatusCode}: 1 out of memory, 4 invalid, 5 I/O error, 10 not implemented. */
    public int code() {
        return code;
    }

    /** Throws what the {@code Status} at that address says, and destroys it; returns if it is OK. */
    static void check(CppScope scope, long status) {
        long state = CppMemory.getLong(status);
        if (state == 0) {
            return;
        }
        int code = CppMemory.getByte(state);
        String message = CppMemory.takeString(TO_STRING.returning(scope, status));
        boolean constant = CppMemory.getByte(state + 1) != 0;
        if (!constant) {
            DELETE_STATE.call(status);
        }
        throw new CppException(code, message);
    }
}

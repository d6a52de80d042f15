package dev.arrowdevice.adbc.internal.abi;

import dev.arrowdevice.adbc.AdbcErrorDetail;
import dev.arrowdevice.adbc.AdbcException;
import dev.arrowdevice.adbc.AdbcStatus;
import dev.arrowdevice.spi.NativeAllocation;
import dev.arrowdevice.spi.NativeMemory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An {@code AdbcError} for one call. It begins zeroed, because a driver may append to what stands in it, and is released
 * at the end, because a call that fails leaves memory in it.
 */
final class ErrorStruct implements AutoCloseable {
    private static final long VENDOR_CODE = 8;
    private static final long SQL_STATE = 12;
    private static final int SQL_STATE_SIZE = 5;
    private static final long RELEASE = 24;
    private static final long PRIVATE_DATA = 32;
    private static final long PRIVATE_DRIVER = 40;
    private static final long SIZE = 48;

    /** {@code ADBC_ERROR_VENDOR_CODE_PRIVATE_DATA}: the caller knows the members of ADBC 1.1, and so does the driver. */
    private static final int HAS_PRIVATE_DATA = Integer.MIN_VALUE;

    private static final int LONGEST_TEXT = 1 << 20;
    /** A driver says how many details and bytes there are; we believe no more than this. */
    private static final int MOST_DETAILS = 1_000;

    private static final int LONGEST_DETAIL = 1 << 24;

    private final NativeAllocation memory = NativeAllocation.allocate(SIZE);

    ErrorStruct(NativeDriver driver) {
        memory.putInt(VENDOR_CODE, HAS_PRIVATE_DATA);
        memory.putLong(PRIVATE_DRIVER, driver.getStruct());
    }

    long getAddress() {
        return memory.getAddress();
    }

    /** The exception for a call that failed. */
    AdbcException exception(NativeDriver driver, String function, AdbcStatus status) {
        return exception(driver, function, status, getAddress(), null);
    }

    /** The exception for the {@code AdbcError} at an address. */
    static AdbcException exception(
            NativeDriver driver, String function, AdbcStatus status, long error, @Nullable Throwable cause) {
        long text = NativeMemory.getLong(error);
        String said = text == 0 ? "the driver says no more" : NativeMemory.getString(text, LONGEST_TEXT);
        int vendorCode = NativeMemory.getInt(error + VENDOR_CODE);
        return new AdbcException(
                status,
                "[" + function + "][" + status + "] " + driver.getSecrets().hide(said),
                vendorCode == HAS_PRIVATE_DATA || vendorCode == 0 ? null : vendorCode,
                sqlState(error),
                vendorCode == HAS_PRIVATE_DATA && NativeMemory.getLong(error + PRIVATE_DATA) != 0
                        ? details(driver, error)
                        : List.of(),
                cause);
    }

    private static @Nullable String sqlState(long error) {
        byte[] state = NativeMemory.getBytes(error + SQL_STATE, SQL_STATE_SIZE);
        return state[0] == 0 ? null : new String(state, StandardCharsets.US_ASCII).replace("\0", "");
    }

    private static List<AdbcErrorDetail> details(NativeDriver driver, long error) {
        List<AdbcErrorDetail> details = new ArrayList<>();
        if (!driver.has("ErrorGetDetailCount") || !driver.has("ErrorGetDetail")) {
            return details;
        }
        int count = Math.min(driver.getFunctions().ErrorGetDetailCount(error), MOST_DETAILS);
        try (NativeAllocation detail = NativeAllocation.allocate(3L * Long.BYTES)) {
            for (int i = 0; i < count; i++) {
                driver.getFunctions().ErrorGetDetail(detail.getAddress(), error, i);
                long key = detail.getLong(0);
                long value = detail.getLong(Long.BYTES);
                if (key != 0 && value != 0) {
                    int size = (int) Math.min(detail.getLong(2L * Long.BYTES), LONGEST_DETAIL);
                    details.add(new AdbcErrorDetail(
                            NativeMemory.getString(key, LONGEST_TEXT),
                            // A detail may quote the message, so it may have the same secrets.
                            driver.getSecrets().hide(NativeMemory.getBytes(value, Math.max(size, 0)))));
                }
            }
        }
        return details;
    }

    @Override
    public void close() {
        long release = memory.getLong(RELEASE);
        if (release != 0) {
            Callbacks.CALLS.release(release, getAddress());
        }
        memory.close();
    }
}

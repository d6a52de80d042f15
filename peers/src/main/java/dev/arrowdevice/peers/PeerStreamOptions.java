package dev.arrowdevice.peers;

/**
 * What a stream of the C peer does.
 *
 * @param batches number of batches before the end
 * @param errorAfter {@code get_next} fails once this many batches are out; -1: never
 * @param errorCode what the failing callback returns
 * @param message what {@code get_last_error} says after a failure; empty: NULL
 * @param schemaFails {@code get_schema} fails
 * @param deviceType of a device stream and its batches
 * @param soiledEnd a device stream marks its end by {@code array.release} alone and leaves nonsense in all other
 *     members, as the specification allows
 */
public record PeerStreamOptions(
        int batches,
        int errorAfter,
        int errorCode,
        String message,
        boolean schemaFails,
        int deviceType,
        boolean soiledEnd) {
    private static final int CPU = 1;
    private static final long SCHEMA_FAILS = 1;
    private static final long NO_MESSAGE = 2;
    private static final long SOILS_END = 4;

    /**
     * A stream on the CPU that ends well.
     *
     * @param count number of batches
     */
    public static PeerStreamOptions batches(int count) {
        return new PeerStreamOptions(count, -1, 0, "", false, CPU, false);
    }

    /**
     * The same, failing in {@code get_next}.
     *
     * @param after number of batches that still come
     * @param code errno value
     * @param text of {@code get_last_error}; empty: NULL
     */
    public PeerStreamOptions failing(int after, int code, String text) {
        return new PeerStreamOptions(batches, after, code, text, schemaFails, deviceType, soiledEnd);
    }

    /**
     * The same, failing in {@code get_schema}.
     *
     * @param code errno value
     * @param text of {@code get_last_error}; empty: NULL
     */
    public PeerStreamOptions failingSchema(int code, String text) {
        return new PeerStreamOptions(batches, errorAfter, code, text, true, deviceType, soiledEnd);
    }

    /** The same with a soiled end. */
    public PeerStreamOptions withSoiledEnd() {
        return new PeerStreamOptions(batches, errorAfter, errorCode, message, schemaFails, deviceType, true);
    }

    /**
     * The same, claiming to be on another device.
     *
     * @param type an {@code ArrowDeviceType}
     */
    public PeerStreamOptions onDevice(int type) {
        return new PeerStreamOptions(batches, errorAfter, errorCode, message, schemaFails, type, soiledEnd);
    }

    /** The members of the C struct {@code PeerStreamOptions}. */
    long[] toStruct() {
        long flags =
                (schemaFails ? SCHEMA_FAILS : 0) | (message.isEmpty() ? NO_MESSAGE : 0) | (soiledEnd ? SOILS_END : 0);
        return new long[] {batches, errorAfter, errorCode, deviceType, flags};
    }
}

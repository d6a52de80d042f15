package dev.arrowdevice.adbc.internal.abi;

import dev.arrowdevice.spi.NativeFunctions;
import java.lang.invoke.MethodHandles;

/** Functions that are known by their addresses only. */
interface Callbacks {
    /** The calls. */
    Callbacks CALLS = NativeFunctions.byAddress(MethodHandles.lookup(), Callbacks.class);

    /** {@code AdbcStatusCode AdbcDriverInit(int version, void* driver, AdbcError* error)}. */
    byte init(long function, int version, long driver, long error);

    /** The {@code release} of {@code AdbcError} and {@code AdbcPartitions}. */
    void release(long function, long struct);
}

package dev.arrowdevice.spark

import org.apache.spark.sql.connector.write.LogicalWriteInfo
import org.apache.spark.sql.connector.write.WriteBuilder

// Nothing here refers to a class of ADBC before it is known to be there.

internal fun adbcOrigin(options: SourceOptions): Origin {
    requireAdbc()
    return AdbcOrigin.of(options)
}

internal fun adbcWrite(
    info: LogicalWriteInfo,
    options: SourceOptions,
): WriteBuilder {
    requireAdbc()
    options.requireRedacted()
    return AdbcWriteBuilder(info, options)
}

private fun requireAdbc() {
    val java = Runtime.version().feature()
    if (java < JAVA_WITH_FFM) {
        throw UnsupportedOperationException(
            "the option driver: ADBC calls native drivers, for which Java 22 or newer is needed, and this " +
                "is Java $java. Start Spark's driver and executors on a newer Java; Arrow IPC files and classes " +
                "of streams work on this one",
        )
    }
    try {
        Class.forName("dev.arrowdevice.adbc.AdbcDriver", false, Origin::class.java.classLoader)
    } catch (e: ClassNotFoundException) {
        throw UnsupportedOperationException(
            "the option driver: arrow-device-adbc is not on the class path; add it to --packages or --jars",
            e,
        )
    }
}

private const val JAVA_WITH_FFM = 22

package dev.arrowdevice.adbc

import java.nio.file.Path

/**
 * Finds a driver, and opens a database of it. The database closes the driver.
 *
 * ```kotlin
 * import dev.arrowdevice.adbc.adbc
 * import dev.arrowdevice.adbc.query
 *
 * adbc("sqlite") { uri = "file:orders.db" }.use { database ->
 *     database.connect().use { connection ->
 *         connection.query("SELECT * FROM orders").collect { batch -> println(batch) }
 *     }
 * }
 * ```
 *
 * @param driver the name of the driver, or the path of its library or manifest; see [AdbcDriver.find]
 * @param entryPoint the function that initialises it; null for that of the manifest, or the usual names
 * @param folders where to look first
 * @throws AdbcException if the driver is not found or refuses an option
 */
public fun adbc(
    driver: String,
    entryPoint: String? = null,
    folders: List<Path> = emptyList(),
    options: AdbcOptionsScope.() -> Unit = {},
): AdbcDatabase {
    val loaded = AdbcDriver.find(driver, entryPoint, folders)
    try {
        return loaded.open(AdbcOptionsScope().apply(options).options, true)
    } catch (e: Throwable) {
        runCatching(loaded::close).onFailure(e::addSuppressed)
        throw e
    }
}

/** Connects, with options. This may block. */
public fun AdbcDatabase.connect(options: AdbcOptionsScope.() -> Unit): AdbcConnection =
    connect(AdbcOptionsScope().apply(options).options)

/** The options of a database or a connection. */
public class AdbcOptionsScope internal constructor() {
    internal val options = AdbcOptions()

    /** Where the database is. */
    public var uri: String? by named(AdbcOption.URI)

    /** The name of the user. */
    public var username: String? by named(AdbcOption.USERNAME)

    /** The password of the user; in no message. */
    public var password: String? by named(AdbcOption.PASSWORD)

    /** Sets an option that the specification has a name for. */
    public fun <T : Any> option(
        option: AdbcOption<T>,
        value: T,
    ) {
        options.set(option, value)
    }

    /** Sets an option of the driver to a text. */
    public fun option(
        key: String,
        value: String,
    ) {
        options.set(key, value)
    }

    /** Sets an option of a driver of ADBC 1.1 to a number. */
    public fun option(
        key: String,
        value: Long,
    ) {
        options.set(key, value)
    }

    /** Sets an option of a driver of ADBC 1.1 to a number. */
    public fun option(
        key: String,
        value: Double,
    ) {
        options.set(key, value)
    }

    /** Sets an option of a driver of ADBC 1.1 to bytes. */
    public fun option(
        key: String,
        value: ByteArray,
    ) {
        options.set(key, value)
    }

    private fun named(option: AdbcOption<String>) =
        kotlin.properties.Delegates.observable<String?>(null) { _, _, value -> value?.let { options.set(option, it) } }
}

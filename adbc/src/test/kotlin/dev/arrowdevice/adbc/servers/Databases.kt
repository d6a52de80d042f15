package dev.arrowdevice.adbc.servers

import dev.arrowdevice.adbc.AdbcDatabase
import dev.arrowdevice.adbc.AdbcOptionsScope
import dev.arrowdevice.adbc.adbc
import java.nio.file.Files
import java.nio.file.Path

/** The real drivers that the tests run on. */
internal object Databases {
    /** Where `adbc/drivers` installs them. */
    private val folder: Path =
        Path
            .of(
                System.getenv("ARROW_DEVICE_ADBC")
                    ?: "${System.getenv(
                        "XDG_CACHE_HOME",
                    ) ?: "${System.getProperty("user.home")}/.cache"}/arrow-device/adbc",
            ).resolve("drivers")

    /** Why a driver can't be tested, null if it can. */
    fun obstacle(driver: String): String? =
        if (Files.exists(manifest(driver))) {
            null
        } else {
            "the ADBC driver $driver is not installed: adbc/drivers installs it"
        }

    /** The file that says where a driver is. */
    fun manifest(driver: String): Path = folder.resolve("$driver.toml")

    fun open(
        driver: String,
        options: AdbcOptionsScope.() -> Unit = {},
    ): AdbcDatabase = adbc(driver, folders = listOf(folder), options = options)
}

package dev.arrowdevice.adbc

import dev.arrowdevice.adbc.internal.search.DriverLibrary
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.lang.invoke.MethodHandles
import java.lang.invoke.MethodType
import java.lang.reflect.InvocationTargetException
import java.nio.file.Files
import java.nio.file.Path
import java.util.function.Function

/** Where a driver is looked for: paths, manifests, the folders and variables of ADBC's driver manager, jars. */
class DriverSearchTest :
    FunSpec({
        val root = tempdir().toPath()
        val home = Files.createDirectories(root.resolve("home"))
        val platform = hidden("Platform", arrayOf(String::class.java, String::class.java), "Linux", "amd64")

        fun find(
            driver: String,
            environment: Map<String, String> = mapOf(),
            folders: List<Path> = listOf(),
            entryPoint: String? = null,
            on: Any = platform,
        ): DriverLibrary {
            val search =
                hidden(
                    "DriverSearch",
                    arrayOf(on.javaClass, Function::class.java, Path::class.java, List::class.java),
                    on,
                    Function<String, String?> { environment[it] },
                    home,
                    folders,
                )
            val method = search.javaClass.getDeclaredMethod("find", String::class.java, String::class.java)
            method.isAccessible = true
            try {
                return method.invoke(search, driver, entryPoint) as DriverLibrary
            } catch (e: InvocationTargetException) {
                throw e.targetException
            }
        }

        fun manifest(
            file: Path,
            text: String,
        ): Path = Files.writeString(Files.createDirectories(file.parent).resolve(file.fileName), text)

        test("a path is a library, whose name says the entry point") {
            val found = find(PeerDriver.file.toString())
            found.library.name shouldBe PeerDriver.file.toString()
            found.entryPoints shouldBe listOf("AdbcpeerInit", "AdbcDriverInit")
        }

        for ((file, entryPoint) in listOf(
            "/x/libadbc_driver_sqlite.so" to "AdbcDriverSqliteInit",
            "libadbc_driver_sqlite.so.113.0.0" to "AdbcDriverSqliteInit",
            "C:\\x\\adbc_driver_flight-sql.dll" to "AdbcDriverFlightSqlInit",
            "proprietary_engine.dll" to "AdbcProprietaryEngineInit",
            "libduckdb.dylib" to "duckdb_adbc_init",
        )) {
            test("the entry point of $file is $entryPoint") {
                val method =
                    Class
                        .forName("$SEARCH.EntryPoints")
                        .getDeclaredMethod("of", String::class.java)
                        .apply { isAccessible = true }
                (method.invoke(null, file) as List<*>).first() shouldBe entryPoint
            }
        }

        test("a manifest names the library, for all platforms or one, and the entry point") {
            val drivers = root.resolve("one")
            manifest(
                drivers.resolve("peer.toml"),
                """
                manifest_version = 1
                name = "A peer"
                [ADBC]
                version = "1.1.0"
                [Driver]
                entrypoint = "AdbcpeerInit"
                [Driver.shared]
                linux_arm64 = "/nowhere.so"
                linux_amd64 = "${PeerDriver.file}"
                linux_amd64_musl = "${PeerDriver.file}"
                """.trimIndent(),
            )
            val found = find("peer", mapOf("ADBC_DRIVER_PATH" to "/nothing:$drivers"))
            found.library.name shouldBe PeerDriver.file.toString()
            found.entryPoints shouldBe listOf("AdbcpeerInit")
            find("peer", folders = listOf(drivers), entryPoint = "Mine").entryPoints shouldBe listOf("Mine")
            find(drivers.resolve("peer.toml").toString()).entryPoints shouldBe listOf("AdbcpeerInit")
        }

        test("the library of a manifest may be beside it") {
            val drivers = Files.createDirectories(root.resolve("beside"))
            Files.copy(PeerDriver.file, drivers.resolve("libthis.so"))
            manifest(drivers.resolve("this.toml"), "[Driver]\nshared = 'libthis.so'")
            find("this", folders = listOf(drivers)).library.name shouldBe drivers.resolve("libthis.so").toString()
        }

        test("the folders are those of ADBC, in its order") {
            val environment =
                mapOf(
                    "ADBC_DRIVER_PATH" to "${root.resolve("a")}:${root.resolve("b")}",
                    "VIRTUAL_ENV" to "${root.resolve("venv")}",
                    "CONDA_PREFIX" to "${root.resolve("conda")}",
                )
            val missing = shouldThrow<AdbcException> { find("nodriver", environment, listOf(root.resolve("first"))) }
            missing.status shouldBe AdbcStatus.NOT_FOUND
            val places =
                listOf(
                    "$root/first/nodriver.toml",
                    "$root/a/nodriver.toml",
                    "$root/a/libnodriver.so",
                    "$root/a/libadbc_driver_nodriver.so",
                    "$root/b/nodriver.toml",
                    "$root/venv/etc/adbc/drivers/nodriver.toml",
                    "$root/conda/etc/adbc/drivers/nodriver.toml",
                    "$home/.config/adbc/drivers/nodriver.toml",
                    ", /etc/adbc/drivers/nodriver.toml",
                    "libadbc_driver_nodriver.so where the system's loader looks",
                )
            places.map { missing.message!!.indexOf(it) } shouldBe
                places.map { missing.message!!.indexOf(it) }.filter { it >= 0 }.sorted()
            missing.message shouldStartWith
                "there is no ADBC driver nodriver. Pass the path of its library, or name its folder by ADBC_DRIVER_PATH. Looked for"
        }

        test("what is there instead is named") {
            val drivers = root.resolve("other")
            manifest(drivers.resolve("postgres.toml"), "[Driver]\nshared = '/x.so'")
            shouldThrow<AdbcException> { find("postgre", folders = listOf(drivers)) }.message shouldContain
                "$drivers has postgres.toml"
        }

        for ((what, text, message) in listOf(
            Triple("of a later version", "manifest_version = 2", "has manifest_version 2; version 1 is known"),
            Triple("for other platforms", "[Driver.shared]\nmacos_arm64 = '/x'", "has no library for linux_amd64"),
            Triple("without a library", "name = 'x'", "it needs Driver.shared"),
            Triple("that is no TOML", "[Driver\nshared", "is not valid TOML"),
            Triple("of a library that is not there", "[Driver]\nshared = '/not/there.so'", "does not exist"),
        )) {
            test("a manifest $what is refused by its name") {
                val drivers = root.resolve(what.replace(' ', '-'))
                val file = manifest(drivers.resolve("bad.toml"), text)
                val refusal = shouldThrow<AdbcException> { find("bad", folders = listOf(drivers)) }
                refusal.message shouldContain message
                refusal.message shouldContain file.toString()
            }
        }

        test("a library for another processor is refused by its processor") {
            val library = root.resolve("libarm.so")
            val header = ByteArray(64)
            byteArrayOf(0x7f, 'E'.code.toByte(), 'L'.code.toByte(), 'F'.code.toByte(), 2, 1).copyInto(header)
            header[18] = 0xb7.toByte()
            Files.write(library, header)
            shouldThrow<AdbcException> { find(library.toString()) }.message shouldContain
                "it is made for arm64, and this JVM runs on amd64"
        }

        test("a file that is no library is refused") {
            val library = Files.writeString(root.resolve("libtext.so"), "hello")
            shouldThrow<AdbcException> { find(library.toString()) }.message shouldContain "does not load"
        }

        test("DuckDB's driver is in a jar on the class path, and is unpacked once") {
            val first = find("duckdb")
            first.entryPoints.first() shouldBe "duckdb_adbc_init"
            (find("duckdb").library === first.library) shouldBe true
            Files.exists(Path.of(first.library.name)) shouldBe false
        }

        test("a jar for another platform is looked for by its name") {
            val mac = hidden("Platform", arrayOf(String::class.java, String::class.java), "SunOS", "sparc")
            shouldThrow<AdbcException> { find("duckdb", on = mac) }.message shouldContain
                "libduckdb_java.so_sunos_sparc in the jars of the class path"
        }

        test("a driver in a jar that does not load is refused as any other") {
            val risc = hidden("Platform", arrayOf(String::class.java, String::class.java), "Linux", "riscv64")
            val resource =
                Files
                    .writeString(
                        root.resolve("libduckdb_java.so_linux_riscv64"),
                        "no library",
                    ).toUri()
                    .toURL()
            val thread = Thread.currentThread()
            val before = thread.contextClassLoader
            thread.contextClassLoader =
                object : ClassLoader(before) {
                    override fun getResource(name: String) =
                        if (resource.path.endsWith("/$name")) resource else super.getResource(name)
                }
            try {
                val refusal = shouldThrow<AdbcException> { find("duckdb", on = risc) }
                refusal.status shouldBe AdbcStatus.INVALID_ARGUMENT
                refusal.message shouldContain
                    "libduckdb_java.so_linux_riscv64 in the jars of the class path does not load"
            } finally {
                thread.contextClassLoader = before
            }
        }
    })

private const val SEARCH = "dev.arrowdevice.adbc.internal.search"

/** Calls a constructor of the room that users don't see. */
private fun hidden(
    name: String,
    types: Array<Class<*>>,
    vararg arguments: Any?,
): Any {
    val type = Class.forName("$SEARCH.$name")
    return MethodHandles
        .privateLookupIn(type, MethodHandles.lookup())
        .findConstructor(type, MethodType.methodType(Void.TYPE, types))
        .invokeWithArguments(*arguments)
}

package dev.arrowdevice.samples.duckdb

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.lang.foreign.Arena
import java.lang.foreign.MemorySegment
import java.lang.foreign.ValueLayout
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries

/** The binding alone, without the SDK: the test calls the functions of its streams. */
class DuckDbTest :
    FunSpec({
        test("a result is a stream with a schema, arrays, and an end that is reported repeatedly") {
            inMemory { connection, structs ->
                connection.query("SELECT range AS i, range::VARCHAR AS s FROM range(200000)", structs.stream)
                ArrowStream.getSchema(structs.stream, structs.schema)
                structs.formatOf(structs.schema) shouldBe "+s"
                structs.childNames() shouldBe listOf("i", "s")
                ArrowStream.releaseSchema(structs.schema)

                structs.readLengths() shouldBe listOf(131_072L, 68_928L)
                repeat(2) {
                    ArrowStream.getNext(structs.stream, structs.array)
                    ArrowStream.isArrayReleased(structs.array) shouldBe true
                }
                ArrowStream.release(structs.stream)
                ArrowStream.isReleased(structs.stream) shouldBe true
            }
        }

        test("a stream goes on after its connection and its database were closed, and its array after the stream") {
            Structs().use { structs ->
                DuckDb.openInMemory().use { database ->
                    database.connect().use { it.query("SELECT 42::BIGINT AS answer FROM range(3)", structs.stream) }
                }
                ArrowStream.getNext(structs.stream, structs.array)
                ArrowStream.release(structs.stream)
                structs.firstLongOfChild(0) shouldBe 42
                ArrowStream.releaseArray(structs.array)
            }
        }

        test("a registered stream is a view, under any name, that one statement can read") {
            DuckDb.openInMemory().use { database ->
                withTwo(database) { producer, consumer, structs ->
                    producer.query("SELECT range AS i FROM range(300000)", structs.stream)
                    consumer.register("the \"numbers\"", structs.stream).use {
                        ArrowStream.isReleased(structs.stream) shouldBe true
                        consumer.long("SELECT sum(i)::BIGINT FROM \"the \"\"numbers\"\"\"", structs) shouldBe
                            44_999_850_000
                        val again = shouldThrow<DuckDbException> { consumer.execute("FROM \"the \"\"numbers\"\"\"") }
                        again.message shouldContain "\"the \"numbers\"\" has been read already"
                    }
                    val gone = shouldThrow<DuckDbException> { consumer.execute("FROM \"the \"\"numbers\"\"\"") }
                    gone.message shouldContain "does not exist"
                }
            }
        }

        test("joining a stream with itself is refused, and works with its rows in a table") {
            DuckDb.openInMemory().use { database ->
                withTwo(database) { producer, consumer, structs ->
                    producer.query("SELECT range AS i FROM range(10)", structs.stream)
                    consumer.register("s", structs.stream).use {
                        shouldThrow<DuckDbException> { consumer.execute("SELECT * FROM s a JOIN s b USING (i)") }
                            .message shouldContain "a C stream is read once"
                    }
                    producer.query("SELECT range AS i FROM range(10)", structs.stream)
                    consumer.register("s", structs.stream).use {
                        consumer.execute("CREATE TABLE t AS FROM s") shouldBe 10
                        consumer.long("SELECT count(*) FROM t a JOIN t b USING (i)", structs) shouldBe 10
                    }
                }
            }
        }

        test("DuckDB's error text is the message of the exception") {
            inMemory { connection, structs ->
                shouldThrow<DuckDbException> { connection.execute("SELEC 1") }.message shouldStartWith
                    "Parser Error: syntax error"
                shouldThrow<DuckDbException> { connection.query("SELECT nope", structs.stream) }
                    .message shouldContain "Referenced column \"nope\""
                ArrowStream.isReleased(structs.stream) shouldBe true
                shouldThrow<IllegalArgumentException> { connection.query("SELECT 1; SELECT 2", structs.stream) }
                    .message shouldContain "one statement"
                shouldThrow<IllegalArgumentException> { connection.query(" ", structs.stream) }
                connection.long("SELECT 7::BIGINT", structs) shouldBe 7
            }
        }

        test("an error while the statement runs is thrown by its stream") {
            inMemory { connection, structs ->
                connection.query("SELECT error('no more of this')", structs.stream)
                shouldThrow<DuckDbException> { ArrowStream.getNext(structs.stream, structs.array) }
                    .message shouldContain "errno 5: Invalid Input Error: no more of this"
                ArrowStream.release(structs.stream)
            }
        }

        test("execute runs every statement and counts the rows of the last") {
            inMemory { connection, structs ->
                connection.execute("") shouldBe 0
                connection.execute("CREATE TABLE t AS FROM range(10); UPDATE t SET range = 0 WHERE range > 3") shouldBe
                    6
                connection.long("SELECT count(*) FROM t WHERE range = 0", structs) shouldBe 7
            }
        }

        test("a connection with an unread result throws, and works again once the stream is released") {
            inMemory { connection, structs ->
                connection.query("FROM range(10000000)", structs.stream)
                shouldThrow<DuckDbException> { connection.execute("SELECT 1") }
                ArrowStream.release(structs.stream)
                connection.execute("SELECT 1") shouldBe 0
            }
        }

        test("a stream that was released cannot be registered, a closed connection does nothing more") {
            DuckDb.openInMemory().use { database ->
                val connection = database.connect()
                Structs().use { structs ->
                    shouldThrow<IllegalArgumentException> { connection.register("s", structs.stream) }
                        .message shouldContain "has been released"
                }
                repeat(2) { connection.close() }
                connection.interrupt()
                shouldThrow<IllegalStateException> { connection.execute("SELECT 1") }.message shouldContain "closed"
            }
        }

        test("a database in a file keeps its tables") {
            val folder = Files.createTempDirectory("duckdb-test")
            val file = folder.resolve("kept.db")
            DuckDb.open(file).use { database ->
                database.connect().use { it.execute("CREATE TABLE t AS SELECT 5::BIGINT AS i") }
            }
            DuckDb.open(file).use { database ->
                database.connect().use { connection ->
                    Structs().use { connection.long("SELECT i FROM t", it) shouldBe 5 }
                }
                shouldThrow<DuckDbException> { DuckDb.open(file) }.message shouldContain "kept"
            }
            shouldThrow<IllegalStateException> { DuckDb.open(file).apply { close() }.connect() }
            folder.toFile().deleteRecursively() shouldBe true
        }

        test("the library is found under the platform's name, and its unpacked copy does not stay") {
            DuckDbLibrary.entryName("Linux", "amd64") shouldBe "libduckdb_java.so_linux_amd64"
            DuckDbLibrary.entryName("Linux", "aarch64") shouldBe "libduckdb_java.so_linux_arm64"
            DuckDbLibrary.entryName("Mac OS X", "aarch64") shouldBe "libduckdb_java.so_macos_arm64"
            DuckDbLibrary.entryName("Windows 11", "x86_64") shouldBe "libduckdb_java.so_windows_amd64"
            DuckDb.openInMemory().close()
            if (!System.getProperty("os.name").startsWith("Windows")) {
                val temp = Path.of(System.getProperty("java.io.tmpdir"))
                temp.listDirectoryEntries("arrow-device-duckdb-${ProcessHandle.current().pid()}-*").shouldBeEmpty()
            }
        }
    })

private fun inMemory(use: (DuckDbConnection, Structs) -> Unit) {
    DuckDb.openInMemory().use { database ->
        database.connect().use { connection -> Structs().use { structs -> use(connection, structs) } }
    }
}

private fun withTwo(
    database: DuckDb,
    use: (DuckDbConnection, DuckDbConnection, Structs) -> Unit,
) {
    database.connect().use { first ->
        database.connect().use { second -> Structs().use { structs -> use(first, second, structs) } }
    }
}

/** The first value of a statement's first column, a bigint. */
private fun DuckDbConnection.long(
    sql: String,
    structs: Structs,
): Long {
    query(sql, structs.stream)
    ArrowStream.getNext(structs.stream, structs.array)
    return structs.firstLongOfChild(0).also {
        ArrowStream.releaseArray(structs.array)
        ArrowStream.release(structs.stream)
    }
}

/** Memory of the three C structs of a stream. */
private class Structs : AutoCloseable {
    private val arena = Arena.ofConfined()
    val stream = arena.allocate(ArrowStream.SIZE, 8).address()
    val schema = arena.allocate(ArrowStream.SCHEMA_SIZE, 8).address()
    val array = arena.allocate(ArrowStream.ARRAY_SIZE, 8).address()

    fun formatOf(schema: Long): String = text(long(schema))

    fun childNames(): List<String> =
        (0 until long(schema + 32)).map { text(long(long(long(schema + 40) + 8 * it) + 8)) }

    fun readLengths(): List<Long> =
        generateSequence {
            ArrowStream.getNext(stream, array)
            if (ArrowStream.isArrayReleased(array)) null else long(array).also { ArrowStream.releaseArray(array) }
        }.toList()

    fun firstLongOfChild(index: Int): Long = long(long(long(long(long(array + 48) + 8 * index) + 40) + 8))

    private fun long(address: Long): Long =
        MemorySegment.ofAddress(address).reinterpret(8).get(ValueLayout.JAVA_LONG_UNALIGNED, 0)

    private fun text(address: Long): String = MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE).getString(0)

    override fun close() = arena.close()
}

package dev.arrowdevice.spark

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.Schema
import dev.arrowdevice.builder.RecordBatchBuilder
import dev.arrowdevice.ipc.ArrowFile
import dev.arrowdevice.ipc.ArrowFileWriter
import dev.arrowdevice.ipc.ArrowStreamWriter
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

private val schema = Schema.of(Field.notNull("n", ArrowType.INT64), Field.nullable("text", ArrowType.UTF8))

private fun write(
    file: Path,
    numbers: LongRange,
    batchRows: Int = 10,
) = ArrowFileWriter.open(file, schema).use { writer ->
    RecordBatchBuilder.of(schema).use { builder ->
        numbers.chunked(batchRows).forEach { rows ->
            rows.forEach { builder.appendRow(it, "row $it") }
            builder.finish().use(writer::write)
        }
    }
    writer.finish()
}

private fun numbers(path: Path): List<Long> =
    reader("path" to "$path")
        .load()
        .rows()
        .map { it.getLong(0) }
        .sorted()

class IpcTest :
    FunSpec({
        test("a folder of files is one table, whose size Spark knows without reading it") {
            inFolder { folder ->
                write(folder.resolve("a.arrow"), 0L..24)
                write(folder.resolve("b.arrow"), 25L..49)
                Files.writeString(folder.resolve("_SUCCESS"), "")
                Files.writeString(folder.resolve(".a.crc"), "none of ours")
                numbers(folder) shouldBe (0L..49).toList()
                val table = reader("path" to "$folder").load()
                table
                    .queryExecution()
                    .optimizedPlan()
                    .stats()
                    .rowCount()
                    .get()
                    .toString() shouldBe "50"
                table
                    .where("n >= 45")
                    .select("text")
                    .rows()
                    .map { it.getString(0) }
                    .sorted() shouldBe
                    (45..49).map { "row $it" }
                table.count() shouldBe 50
            }
        }

        test("a stream in a file is read too") {
            inFolder { folder ->
                val file = folder.resolve("stream.arrows")
                Files.newOutputStream(file).use { out ->
                    ArrowStreamWriter.open(out, schema).use { writer ->
                        RecordBatchBuilder.of(schema).use { builder ->
                            builder.appendRow(7L, null)
                            builder.finish().use(writer::write)
                        }
                        writer.finish()
                    }
                }
                numbers(file) shouldBe listOf(7L)
            }
        }

        test("append adds files, overwrite replaces them, and both leave nothing temporary") {
            inFolder { folder ->
                val out = folder.resolve("out")
                val rows =
                    spark
                        .range(100)
                        .toDF("n")
                        .selectExpr("n", "concat('row ', n) as text")
                        .repartition(3)

                fun save(mode: String) =
                    rows
                        .write()
                        .format("arrow-device")
                        .mode(mode)
                        .option("compression", "lz4")
                        .save("$out")
                save("append")
                save("append")
                numbers(out) shouldBe (0L..99).flatMap { listOf(it, it) }
                out.listDirectoryEntries("part-*").size shouldBe 6
                save("overwrite")
                numbers(out) shouldBe (0L..99).toList()
                out.listDirectoryEntries().map { it.name }.filterNot { it.startsWith("part-") } shouldContainExactly
                    listOf("_SUCCESS")
                ArrowFile.open(out.listDirectoryEntries("part-*").first()).use {
                    it.schema.names() shouldBe
                        listOf("n", "text")
                }
            }
        }

        test("a table without rows is written with its columns") {
            inFolder { folder ->
                spark
                    .range(0)
                    .toDF("n")
                    .write()
                    .format("arrow-device")
                    .mode("append")
                    .save("${folder.resolve("none")}")
                reader("path" to "${folder.resolve("none")}").load().let {
                    it.columns().toList() shouldBe listOf("n")
                    it.count() shouldBe 0L
                }
            }
        }

        test("a job that fails leaves the folder as it was") {
            inFolder { folder ->
                val out = folder.resolve("out")
                spark
                    .range(10)
                    .toDF("n")
                    .write()
                    .format("arrow-device")
                    .mode("append")
                    .save("$out")
                val before = out.listDirectoryEntries().toSet()
                val failing = spark.range(0, 1000, 1, 2).selectExpr("if(id = 999, raise_error('enough'), id) as n")
                val failure =
                    shouldThrow<Exception> {
                        failing
                            .write()
                            .format(
                                "arrow-device",
                            ).option("batch.rows", "100")
                            .mode("overwrite")
                            .save("$out")
                    }
                failure.messages() shouldContain "enough"
                out.listDirectoryEntries().toSet() shouldBe before
            }
        }

        test("files with and without nulls are one table") {
            inFolder { folder ->
                fun append(sql: String) =
                    spark
                        .sql(sql)
                        .write()
                        .format("arrow-device")
                        .mode("append")
                        .save("$folder")
                append("SELECT 1L AS n, array(named_struct('x', 1)) AS a, map('k', 1) AS m")
                append(
                    "SELECT CAST(NULL AS BIGINT) AS n, array(NULL, named_struct('x', CAST(NULL AS INT))) AS a, " +
                        "map('k', CAST(NULL AS INT)) AS m",
                )
                for (run in 0..1) {
                    reader("path" to "$folder")
                        .load()
                        .selectExpr("to_json(struct(*), map('ignoreNullFields', 'false'))")
                        .rows()
                        .map { it.getString(0) }
                        .toSet() shouldBe
                        setOf(
                            """{"n":1,"a":[{"x":1}],"m":{"k":1}}""",
                            """{"n":null,"a":[null,{"x":null}],"m":{"k":null}}""",
                        )
                    append("SELECT 1L AS n, array(named_struct('x', 1)) AS a, map('k', 1) AS m")
                }
            }
        }

        test("columns of one name, which Spark could not tell apart, are refused") {
            inFolder { folder ->
                val twice = Schema.of(Field.notNull("n", ArrowType.INT64), Field.notNull("n", ArrowType.INT64))
                ArrowFileWriter.open(folder.resolve("twice.arrow"), twice).use { writer ->
                    RecordBatchBuilder.of(twice).use { builder ->
                        builder.appendRow(1L, 2L)
                        builder.finish().use(writer::write)
                    }
                    writer.finish()
                }
                shouldThrow<Exception> { reader("path" to "$folder").load().rows() }.messages() shouldContain
                    "several columns with the name \"n\""
            }
        }

        test("a job that can't be completed leaves the rows as they were") {
            inFolder { folder ->
                write(folder.resolve("a.arrow"), 0L..9)
                Files.createDirectory(folder.resolve("_SUCCESS"))
                for (mode in listOf("append", "overwrite")) {
                    shouldThrow<Exception> {
                        spark
                            .range(100)
                            .selectExpr("id AS n", "'' AS text")
                            .write()
                            .format("arrow-device")
                            .mode(mode)
                            .save("$folder")
                    }
                    folder.listDirectoryEntries().map { it.name }.sorted() shouldBe listOf("_SUCCESS", "a.arrow")
                    numbers(folder) shouldBe (0L..9).toList()
                }
            }
        }

        test("what is not there, damaged, or of other columns is an error that says so") {
            inFolder { folder ->
                shouldThrow<Exception> { numbers(folder.resolve("none")) }.messages() shouldContain "where nothing is"
                shouldThrow<Exception> { numbers(folder) }.messages() shouldContain "a folder without files"
                shouldThrow<Exception> { numbers(Path.of("s3:/x")) }.messages() shouldContain "not over s3"
                write(folder.resolve("a.arrow"), 0L..9)
                Files.writeString(folder.resolve("b.arrow"), "ARROW1\u0000\u0000and then something else")
                shouldThrow<Exception> { numbers(folder) }
                Files.delete(folder.resolve("b.arrow"))
                spark
                    .range(3)
                    .toDF("other")
                    .write()
                    .format("arrow-device")
                    .mode("append")
                    .save("$folder")
                shouldThrow<Exception> { numbers(folder) }.messages() shouldContain "other columns"
                shouldThrow<Exception> {
                    reader("path" to "${folder.resolve("a.arrow")}").schema("n BIGINT, x INT").load().rows()
                }.messages() shouldContain "no column \"x\""
                shouldThrow<Exception> { reader("path" to "$folder", "pathh" to "x").load() }.messages() shouldContain
                    "no option pathh"
            }
        }
    })

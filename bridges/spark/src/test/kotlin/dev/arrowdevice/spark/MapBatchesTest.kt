package dev.arrowdevice.spark

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.Schema
import dev.arrowdevice.builder.RecordBatchBuilder
import dev.arrowdevice.ipc.ArrowFile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import java.util.TimeZone
import java.util.UUID

class MapBatchesTest :
    FunSpec({
        test("a function replaces the rows of each batch by as many as it likes") {
            inFolder {
                val numbers = spark.range(0, 1000, 1, 3).toDF("n")
                numbers
                    .mapBatches { batch -> batch }
                    .rows()
                    .map { it.getLong(0) }
                    .sorted() shouldBe (0L..999).toList()
                numbers.mapBatches { batch -> batch.slice(0, 1) }.count() shouldBe 3L
                numbers.mapBatches { batch -> batch.slice(0, 0) }.count() shouldBe 0L
            }
        }

        test("the result may have other columns") {
            inFolder {
                val result = Schema.of(Field.notNull("rows", ArrowType.INT64), Field.nullable("last", ArrowType.UTF8))
                val sums =
                    spark.range(0, 10, 1, 2).toDF("n").mapBatches(result) { batch ->
                        val schema =
                            Schema.of(
                                Field.notNull("rows", ArrowType.INT64),
                                Field.nullable("last", ArrowType.UTF8),
                            )
                        RecordBatchBuilder.of(schema).use {
                            it.appendRow(batch.rowCount, "row ${batch.column(0).getLong(batch.rowCount - 1)}")
                            it.finish()
                        }
                    }
                sums.rows().map { it.toString() }.sorted() shouldBe listOf("[5,row 4]", "[5,row 9]")
            }
        }

        test("a result of other columns than were said, and a function that fails, end the query and leave nothing") {
            inFolder {
                val numbers = spark.range(10).toDF("n")
                shouldThrow<Exception> {
                    numbers.mapBatches { batch -> batch.rename("n", "other") }.rows()
                }.messages() shouldContain "pass the schema of its batches"
                shouldThrow<Exception> {
                    numbers
                        .mapBatches {
                            error(
                                "the kernel failed",
                            )
                        }.rows()
                }.messages() shouldContain
                    "the kernel failed"
                // A task that stops in the middle of a batch.
                numbers
                    .mapBatches { it.slice(0, 5) }
                    .limit(1)
                    .rows()
                    .size shouldBe 1
            }
        }

        test("types of which Arrow has one and Spark has many stay as they are") {
            inFolder {
                val rows =
                    spark.sql(
                        "SELECT INTERVAL '3' DAY AS d, INTERVAL '2' YEAR AS y, 'x' COLLATE UTF8_LCASE AS t",
                    )
                val same = rows.mapBatches { it }
                same.rows() shouldBe rows.rows()
            }
        }

        test("UUIDs are the bytes of their storage, as they are in files") {
            inFolder {
                val result = Schema.of(Field.notNull("u", ArrowType.uuid()))
                val uuids =
                    spark.range(0, 1, 1, 1).toDF("n").mapBatches(result) {
                        RecordBatchBuilder.of(Schema.of(Field.notNull("u", ArrowType.uuid()))).use {
                            it.appendRow(UUID(1, -2))
                            it.finish()
                        }
                    }
                uuids.selectExpr("hex(u)").rows().map { it.getString(0) } shouldBe
                    listOf("0000000000000001FFFFFFFFFFFFFFFE")
            }
        }

        test("a batch of long texts or lists has fewer rows") {
            inFolder { folder ->
                val long = listOf("repeat('x', 1000000)", "array_repeat(1L, 1000000)", "map('k', repeat('x', 1000000))")
                for (value in long) {
                    val rows = spark.range(0, 100, 1, 1).selectExpr("$value AS v")
                    (rows.mapBatches { it.slice(0, 1) }.count() > 1) shouldBe true
                    val out = folder.resolve("${value.hashCode()}")
                    rows
                        .write()
                        .format("arrow-device")
                        .mode("append")
                        .save("$out")
                    val file = Files.list(out).use { files -> files.filter(IpcOrigin::isData).toList().single() }
                    ArrowFile.open(file).use { (it.batchCount > 1) shouldBe true }
                }
            }
        }

        test("old timestamps stay the same in every zone") {
            inFolder {
                val zone = TimeZone.getDefault()
                try {
                    for (id in listOf("America/Los_Angeles", "Europe/Amsterdam", "Asia/Kolkata", "UTC")) {
                        TimeZone.setDefault(TimeZone.getTimeZone(id))
                        val seconds =
                            listOf(-20_000_000_000, -10_000_000_000, -3_786_825_600, -2_500_000_000, -2_208_988_801, 0)
                        val numbers = seconds.joinToString { "${it}L" }
                        val old =
                            spark.sql(
                                "SELECT timestamp_seconds(s) AS t FROM (SELECT explode(array($numbers)) AS s)",
                            )
                        val same = old.mapBatches { batch -> batch }.selectExpr("unix_seconds(t)")
                        same.rows().map { it.getLong(0) }.sorted() shouldBe seconds
                    }
                } finally {
                    TimeZone.setDefault(zone)
                }
            }
        }

        test("batches have as many rows as the session says, and count against its limit") {
            inFolder {
                spark.conf().set("spark.datasource.arrow-device.batch.rows", "100")
                spark.conf().set("spark.datasource.arrow-device.memory.limit", "64k")
                try {
                    val numbers = spark.range(0, 1000, 1, 1).toDF("n")
                    numbers.mapBatches { it.slice(0, 1) }.count() shouldBe 10L
                    // 16 kB, which the input and the result share.
                    spark.conf().set("spark.datasource.arrow-device.batch.rows", "2048")
                    spark.conf().set("spark.datasource.arrow-device.memory.limit", "30k")
                    spark
                        .range(0, 2048, 1, 1)
                        .toDF("n")
                        .mapBatches { it }
                        .count() shouldBe 2048L
                    spark.conf().set("spark.datasource.arrow-device.batch.rows", "100000")
                    val many = spark.range(0, 100_000, 1, 1).toDF("n").mapBatches { it }
                    shouldThrow<Exception> { many.rows() }.messages() shouldContain "option memory.limit"
                } finally {
                    spark.conf().unset("spark.datasource.arrow-device.batch.rows")
                    spark.conf().unset("spark.datasource.arrow-device.memory.limit")
                }
            }
        }

        test("Java calls it as a static method") {
            inFolder { JavaMapBatches.lengths(spark) shouldBe listOf(1L, 2L, 3L) }
        }
    })

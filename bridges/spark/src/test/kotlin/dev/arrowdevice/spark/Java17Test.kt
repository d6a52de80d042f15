package dev.arrowdevice.spark

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.string.shouldContain

/** Runs on Java 17 only. */
class Java17Test :
    FunSpec({
        test("databases are refused when they are planned, with the reason") {
            inFolder {
                Runtime.version().feature() shouldBeLessThan 22
                val options = arrayOf("driver" to "sqlite", "url" to ":memory:", "dbtable" to "t")
                shouldThrow<UnsupportedOperationException> { reader(*options).load() }.message shouldContain
                    "Java 22 or newer is needed, and this is Java 17"
                shouldThrow<UnsupportedOperationException> {
                    spark
                        .range(1)
                        .write()
                        .format("arrow-device")
                        .options(mapOf(*options))
                        .mode("append")
                        .save()
                }.message shouldContain "Java 22 or newer"
            }
        }
    })

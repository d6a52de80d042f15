package dev.arrowdevice.samples.http

import dev.arrowdevice.samples.DATA
import dev.arrowdevice.samples.EverythingReleased
import dev.arrowdevice.samples.SampleProcess
import dev.arrowdevice.samples.inSql
import dev.arrowdevice.samples.tableOf
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import kotlinx.coroutines.flow.take
import java.io.IOException
import java.io.UncheckedIOException
import java.net.URI
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.absolutePathString
import kotlin.io.path.exists

private const val MAIN = "http.HttpServiceMain"
private const val INTERRUPTED = 130
private const val FLIGHTS = 336_776L

/** 24,000 batches, more than any socket has room for. */
private const val MANY = 50_000_000L

class HttpServiceTest :
    FunSpec({
        extension(EverythingReleased)

        test("the client has the result that SQL computes, and both processes have released everything") {
            SampleProcess(MAIN, "$DATA", "$FLIGHTS").use { sample ->
                val (code, lines) = sample.await()
                withClue(sample.errors()) { code shouldBe 0 }
                lines.tableOf("hour") shouldBe inSql(LATE_BY_HOUR)
                lines[lines.size - 3] shouldMatch Regex("""336,776 rows in \d+ batches, [\d,]+ bytes, in .*s""")
                lines[lines.size - 2] shouldMatch
                    Regex("""server: \d+ batches, \d+ arrays exchanged with DuckDB, 0 unreleased""")
                lines.last() shouldBe "client: 0 unreleased"
                sample.errors() shouldContain "100%"
            }
        }

        test("Ctrl-C in the middle stops both processes, and everything is released") {
            SampleProcess(MAIN, "$DATA", "400000000").use { sample ->
                sample.awaitProgress(Regex(""" [1-9]\d?%"""))
                sample.interrupt()
                val (code, lines) = sample.await()
                withClue(sample.errors()) { code shouldBe INTERRUPTED }
                lines.first() shouldMatch Regex("""stopped after [\d,]+ rows""")
                lines[1] shouldMatch Regex("""server: \d+ batches, \d+ arrays exchanged with DuckDB, 0 unreleased""")
                lines.last() shouldBe "client: 0 unreleased"
            }
        }

        test("a client on Java 17 reads it without any option").config(
            enabledOrReasonIf = { if (JAVA_17.exists()) Enabled.enabled else Enabled.disabled("there is no JDK 17") },
        ) {
            FlightServer(DATA).use { server ->
                SampleProcess("http.FlightClientMain", "${server.address}", "$FLIGHTS", java = JAVA_17).use { client ->
                    val (code, lines) = client.await()
                    withClue(client.errors()) { code shouldBe 0 }
                    lines.tableOf("hour") shouldBe inSql(LATE_BY_HOUR)
                    lines[lines.size - 2] shouldMatch Regex("""\d+ batches, [\d,]+ bytes, on Java 17""")
                    lines.last() shouldBe "client: 0 unreleased"
                    client.errors() shouldBe ""
                }
            }
        }

        test("pyarrow reads it behind curl").config(
            enabledOrReasonIf = { Python.whyNot?.let(Enabled::disabled) ?: Enabled.enabled },
        ) {
            val delays = inSql("SELECT sum(dep_delay)::BIGINT FROM flights").single().single()
            FlightServer(DATA).use { server ->
                Python.run("curl -sS '${server.address}?rows=$FLIGHTS' | python3 -c '$READ_BY_PYARROW'") shouldBe
                    (0 to "$FLIGHTS $delays")
            }
        }

        test("a client that has enough holds the server back, which stops and releases") {
            FlightServer(DATA).use { server ->
                var rows = 0L
                FlightClient(server.address).flights(MANY).take(1).collect { rows += it.rowCount }
                server.close() // Waits for the answer.
                rows shouldBe 2048
                server.batchesWritten shouldBeLessThan 10_000
            }
        }

        test("a server that ends in the middle is a failure for the client, never a shorter result") {
            FlightServer(DATA).use { server ->
                val failure =
                    shouldThrow<UncheckedIOException> {
                        FlightClient(server.address).flights(MANY).collect { server.close() }
                    }
                withClue(failure) { server.batchesWritten shouldBeLessThan 10_000 }
            }
        }

        test("two clients at once have their own answers") {
            FlightServer(DATA).use { server ->
                val slow = FlightClient(server.address)
                var inBetween = ""
                slow.flights(MANY).take(1).collect { inBetween = FlightClient(server.address).delays(1000) }
                inBetween shouldContain "hour"
            }
        }

        val wrong =
            listOf(
                "rows=none",
                "rows=0",
                "rows=-1",
                "limit=1",
                "5",
                "rows=${Long.MAX_VALUE}",
                "rows=1;DROP VIEW flights",
            )
        for (query in wrong) {
            test("a request with $query is refused, and says how to ask") {
                FlightServer(DATA).use { server ->
                    val connection =
                        URI(
                            "http",
                            server.address.authority,
                            "/flights",
                            query,
                            null,
                        ).toURL().openConnection()
                    shouldThrow<IOException> { connection.getInputStream() }.message shouldContain "400"
                }
            }
        }

        test("the client says what a server says that refuses") {
            FlightServer(DATA).use { server ->
                shouldThrow<IOException> { FlightClient(server.address).delays(0) }.message shouldBe
                    "${server.address} answers 400: GET /flights?rows=N, with a number from 1 to 1000000000"
            }
        }

        test("arguments that are no number are refused with a message") {
            for ((arguments, message) in mapOf(
                listOf("many") to "\"many\" is no number of rows, such as 1000000",
                listOf("serve", "http") to "\"http\" is no port, such as 8080",
            )) {
                SampleProcess(MAIN, "$DATA", *arguments.toTypedArray()).use { sample ->
                    sample.await() shouldBe (2 to listOf(""))
                    sample.errors().trim() shouldBe message
                }
            }
        }
    })

private val JAVA_17: Path = Path.of(System.getProperty("jdk17.home", ""), "bin", "java")

private const val LATE_BY_HOUR = """
    SELECT sched_dep_time // 100 AS hour, count(*), count(*) - count(dep_delay), median(dep_delay),
           round(100 * avg((dep_delay > 30)::INT), 1)
    FROM flights
    GROUP BY hour
    ORDER BY hour
"""

private const val READ_BY_PYARROW =
    "import sys, pyarrow.ipc, pyarrow.compute as c; t = pyarrow.ipc.open_stream(sys.stdin.buffer).read_all(); " +
        "print(t.num_rows, c.sum(t[1]))"

/** The Python environment of `bridges/python`, if it is installed. */
private object Python {
    private val environment =
        Path.of(System.getProperty("basedir", "."), "..", "bridges", "python", "environment").absolutePathString()

    val whyNot: String? by lazy { run("command -v curl").let { (code, said) -> said.takeIf { code != 0 } } }

    fun run(line: String): Pair<Int, String> {
        val process = ProcessBuilder(environment, "--no-install", "bash", "-c", line).redirectErrorStream(true).start()
        val said = process.inputReader().readText().trim()
        check(process.waitFor(1, TimeUnit.MINUTES)) { "it still runs" }
        return process.exitValue() to said
    }
}

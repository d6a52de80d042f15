package dev.arrowdevice.adbc

import dev.arrowdevice.adbc.DatabaseContract.Companion.sum
import dev.arrowdevice.adbc.servers.Databases
import dev.arrowdevice.adbc.servers.PostgresServer
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.collect
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeout
import kotlin.time.Duration.Companion.seconds

/** What only a server can do: lose a session, and say which sessions it has. */
internal class PostgresFaults(
    private val server: PostgresServer,
) {
    /** Rows of 100 kB: a batch of the driver is 16 MB. */
    val longResult = "SELECT generate_series(1, 100000000) AS n, repeat('x', 100000) AS t"

    private suspend fun connected(block: suspend (AdbcConnection, observer: AdbcConnection) -> Unit) =
        ReleaseBalance.start().use {
            server.open().use { database ->
                database.connect().use { connection -> database.connect().use { block(connection, it) } }
            }
        }

    fun tests(spec: FunSpec) =
        with(spec) {
            test("PostgreSQL: a session that is killed in the middle of a result is one clear error") {
                connected { connection, observer ->
                    val session = connection.session()
                    var batches = 0
                    val failure =
                        shouldThrow<AdbcException> {
                            withTimeout(60.seconds) {
                                connection.query(longResult).collect {
                                    if (batches++ == 0) observer.kill(session)
                                }
                            }
                        }
                    // "terminating connection", or what the client sees of that.
                    failure.message shouldContain "connection"
                    observer.awaitNone("pid = $session")
                    shouldThrow<AdbcException> { connection.query("SELECT 1 AS n").sum() }
                    observer.query("SELECT 1 AS n").sum() shouldBe 1
                }
            }

            test("PostgreSQL: a server that refuses the connection is an error without the password") {
                ReleaseBalance.start().use {
                    val failure =
                        shouldThrow<AdbcException> {
                            Databases.open("postgresql") { uri = "postgresql://ada:geheim@127.0.0.1:1/none" }.use {
                                it.connect()
                            }
                        }
                    failure.message shouldContain "127.0.0.1"
                    failure.stackTraceToString() shouldNotContain "geheim"
                }
            }

            test("PostgreSQL: a cancelled query ends on the server too") {
                connected { connection, observer ->
                    val session = connection.session()
                    val collected =
                        launch(Dispatchers.Default) {
                            connection.query("SELECT 1 AS n FROM pg_sleep(600)").collect()
                        }
                    observer.awaitSome("pid = $session AND state = 'active' AND query LIKE '%pg_sleep%'")
                    withTimeout(60.seconds) { collected.cancelAndJoin() }
                    observer.awaitNone("pid = $session AND state = 'active'")
                    connection.query("SELECT 1 AS n").sum() shouldBe 1
                    connection.session() shouldBe session
                }
            }

            test("PostgreSQL: no session is left, whatever was cancelled before") {
                connected { connection, observer ->
                    connection.close()
                    observer.awaitNone("backend_type = 'client backend' AND pid <> pg_backend_pid()")
                }
            }
        }

    private suspend fun AdbcConnection.kill(session: Long) =
        query("SELECT pg_terminate_backend($session)::int AS n").sum() shouldBe 1

    private suspend fun AdbcConnection.session(): Long = query("SELECT pg_backend_pid() AS n").sum()

    private suspend fun AdbcConnection.awaitNone(condition: String) = awaitSessions(condition) { it == 0L }

    private suspend fun AdbcConnection.awaitSome(condition: String) = awaitSessions(condition) { it > 0L }

    /** The server says a little later what it has done. */
    private suspend fun AdbcConnection.awaitSessions(
        condition: String,
        enough: (Long) -> Boolean,
    ) = withTimeout(60.seconds) {
        while (!enough(query("SELECT count(*) AS n FROM pg_stat_activity WHERE $condition").sum())) {
            query("SELECT 1 AS n FROM pg_sleep(0.01)").collect()
        }
    }
}

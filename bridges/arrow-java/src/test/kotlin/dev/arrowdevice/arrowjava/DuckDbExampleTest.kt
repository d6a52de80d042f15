package dev.arrowdevice.arrowjava

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArrayStream
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import org.apache.arrow.c.ArrowArrayStream
import org.apache.arrow.vector.ipc.ArrowReader
import org.duckdb.DuckDBConnection
import org.duckdb.DuckDBResultSet
import java.sql.DriverManager

/** DuckDB's JDBC driver, which knows the classes of Arrow Java. */
class DuckDbExampleTest :
    FunSpec({
        test("the rows of a JDBC query are our batches") {
            exchange { allocator ->
                DriverManager.getConnection("jdbc:duckdb:").use { connection ->
                    connection.createStatement().use { statement ->
                        statement.executeQuery(QUERY).use { result ->
                            val duckDb = result.unwrap(DuckDBResultSet::class.java)
                            val reader = duckDb.arrowExportStream(allocator, 2048) as ArrowReader
                            reader.toDeviceArrayStream().use { stream ->
                                readAll(stream) shouldBe List(5000) { listOf(it, "n$it") }
                            }
                        }
                    }
                }
            }
        }

        test("our batches are a table of a JDBC query") {
            exchange { allocator ->
                DriverManager.getConnection("jdbc:duckdb:").use { connection ->
                    ArrowArrayStream.allocateNew(allocator).use { struct ->
                        DeviceArrayStream.of(people, List(3) { people(10 * it, 10) }).use { stream ->
                            ArrowExport.exportStream(stream, CStruct.arrayStreamAt(struct.memoryAddress()))
                        }
                        connection.unwrap(DuckDBConnection::class.java).registerArrowStream("people", struct)
                        connection.createStatement().use { statement ->
                            statement.executeQuery("SELECT count(*), count(name), sum(id) FROM people").use { result ->
                                result.next()
                                List(3) { result.getLong(it + 1) } shouldBe listOf(30L, 20L, 435L)
                            }
                        }
                    }
                }
            }
        }
    }) {
    private companion object {
        const val QUERY = "SELECT i::INTEGER AS id, 'n' || i AS name FROM range(5000) t(i)"
    }
}

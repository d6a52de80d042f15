package dev.arrowdevice.samples.duckdb

import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Validation
import dev.arrowdevice.exportTo
import dev.arrowdevice.forEachBatch
import dev.arrowdevice.importStream

/** A statement's result, every array of it validated to the last byte. */
internal fun DuckDbConnection.stream(sql: String): DeviceArrayStream =
    importStream(Validation.FULL) { query(sql, it.address) }

internal fun DuckDbConnection.register(
    name: String,
    stream: DeviceArrayStream,
): StreamRegistration = stream.exportTo { register(name, it.address) }

/** All rows of a statement's result as objects. */
internal fun DuckDbConnection.rows(sql: String): List<List<Any?>> =
    stream(sql).use { stream ->
        buildList {
            stream.forEachBatch { batch ->
                for (row in 0 until batch.rowCount) {
                    add((0 until batch.columnCount).map { batch.column(it).getObject(row) })
                }
            }
        }
    }

/** The only value of a statement's result. */
internal fun DuckDbConnection.value(sql: String): Any? = rows(sql).single().single()

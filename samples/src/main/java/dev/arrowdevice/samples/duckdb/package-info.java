/**
 * A small binding of DuckDB over the foreign function API: SQL in, Arrow C streams out, and Arrow C streams in as
 * views.
 *
 * <p>It speaks DuckDB's C API v2 (the header {@code duckdb_v2.h}), the only one of the three interfaces of DuckDB 2.0
 * that is not deprecated and copies nothing on the way in:
 *
 * <ul>
 *   <li>C API v1: {@code duckdb_arrow_scan} and {@code duckdb_query_arrow…} are "scheduled for removal in a future
 *       release".
 *   <li>ADBC: not deprecated, but its ingestion appends every row to a table; there is no scan of a stream.
 *   <li>C API v2: {@code duckdb_v2_arrow_result_to_arrow_c_stream} makes the stream, {@code duckdb_v2_arrow_importer_…}
 *       reads one by reference. DuckDB 2.0.0 marks all of v2 "unstable": a later version may change a signature. The
 *       library is therefore taken from one exact release, and {@link dev.arrowdevice.samples.duckdb.DuckDb#open}
 *       refuses any other.
 * </ul>
 */
@NullMarked
package dev.arrowdevice.samples.duckdb;

import org.jspecify.annotations.NullMarked;

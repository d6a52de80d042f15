package dev.arrowdevice.samples.duckdb;

/**
 * The functions of {@code duckdb_v2.h} that the binding calls, under their C names.
 *
 * <p>Every one of them returns an error code. Handles, pointers and 64-bit numbers are {@code long}s. An {@code out} is the
 * address that a result is written to; an {@code error} the address of the slot that receives details of an error, which
 * {@link DuckDbCalls} supplies. What ends in {@code destroy} takes the address of a handle.
 */
interface DuckDbApi {
    int duckdb_v2_library_version(long out, long error);

    int duckdb_v2_environment_create(long out, long error);

    int duckdb_v2_instance_create(long environment, long out, long error);

    int duckdb_v2_instance_attach(long instance, long name, long path, long options, boolean main, long error);

    int duckdb_v2_instance_destroy(long handle);

    int duckdb_v2_connection_create(long instance, long out, long error);

    int duckdb_v2_connection_get_factory(long connection, long out, long error);

    int duckdb_v2_connection_register_table_function(long connection, long function, long error);

    int duckdb_v2_connection_interrupt(long connection, long error);

    int duckdb_v2_connection_destroy(long handle);

    int duckdb_v2_parse_sql(long connection, long sql, long out, long error);

    int duckdb_v2_statement_iterator_next(long iterator, long out, long error);

    int duckdb_v2_statement_iterator_destroy(long handle);

    int duckdb_v2_sql_statement_destroy(long handle);

    int duckdb_v2_statement_execute_arrow(
            long connection, long statement, long names, long values, long count, long rows, long out, long error);

    int duckdb_v2_arrow_result_drain(long result, long out, long error);

    int duckdb_v2_arrow_result_to_arrow_c_stream(long result, long stream, long error);

    int duckdb_v2_arrow_result_destroy(long handle);

    int duckdb_v2_factory_create_type_from_id(
            long factory, int id, long names, long values, long count, long out, long error);

    int duckdb_v2_logical_type_destroy(long handle);

    int duckdb_v2_table_function_create(long factory, long out, long error);

    int duckdb_v2_table_function_get_signature(long function, long out, long error);

    int duckdb_v2_function_signature_add_parameter(
            long signature, long name, long type, long defaultValue, int kind, long error);

    int duckdb_v2_table_function_set_name(long function, long name, long error);

    int duckdb_v2_table_function_set_bind_callback(long function, long callback, long error);

    int duckdb_v2_table_function_set_init_global_callback(long function, long callback, long error);

    int duckdb_v2_table_function_set_exec_callback(long function, long callback, long error);

    int duckdb_v2_table_function_destroy(long handle);

    int duckdb_v2_function_bind_get_arg_value(long info, long index, long out, long error);

    int duckdb_v2_value_get_ubigint(long value, long out, long error);

    int duckdb_v2_value_destroy(long handle);

    int duckdb_v2_table_function_bind_add_result_column(long info, long name, long type, long error);

    int duckdb_v2_function_bind_set_bind_data(long info, long opaque, long error);

    int duckdb_v2_table_function_init_global_get_bind_data(long info, long out, long error);

    int duckdb_v2_table_function_init_global_set_global_state(long info, long opaque, long error);

    int duckdb_v2_table_function_exec_get_global_state(long info, long out, long error);

    int duckdb_v2_table_function_exec_get_output_chunk(long info, long out, long error);

    int duckdb_v2_arrow_importer_create(long context, long schema, long rows, long out, long error);

    int duckdb_v2_arrow_importer_get_schema(long importer, long out, long error);

    int duckdb_v2_arrow_importer_append(long importer, long array, boolean consume, boolean flush, long error);

    int duckdb_v2_arrow_importer_next_chunk(long importer, long out, long error);

    int duckdb_v2_arrow_importer_destroy(long handle);

    int duckdb_v2_schema_get_count(long schema, long out, long error);

    int duckdb_v2_schema_get_field(long schema, long index, long outName, long outType, long error);

    int duckdb_v2_schema_destroy(long handle);

    int duckdb_v2_data_chunk_get_capacity(long chunk, long out, long error);

    int duckdb_v2_data_chunk_get_size(long chunk, long out, long error);

    int duckdb_v2_data_chunk_get_vector_count(long chunk, long out, long error);

    int duckdb_v2_data_chunk_get_vector(long chunk, long index, long out, long error);

    int duckdb_v2_data_chunk_destroy(long handle);

    int duckdb_v2_vector_reference(long vector, long other, long error);

    int duckdb_v2_vector_set_size(long vector, long size, long error);

    int duckdb_v2_error_info_get_text(long error, long out);

    int duckdb_v2_error_info_set_code(long error, int code);

    int duckdb_v2_error_info_set_text(long error, long text);

    int duckdb_v2_error_info_destroy(long handle);
}

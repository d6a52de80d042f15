package dev.arrowdevice.adbc.internal.abi;

import dev.arrowdevice.spi.NativeFunctions.Optional;
import dev.arrowdevice.spi.NativeFunctions.StructResult;

/**
 * The function pointers of {@code AdbcDriver}, under the names of its members. Pointers and sizes are {@code long}s. A
 * function returns the {@code AdbcStatusCode}, except for those of errors. Those that ADBC's driver manager does not
 * require may be NULL: a driver need not implement them, and a driver of ADBC 1.0 has no members after
 * {@code StatementSetSubstraitPlan}.
 */
public interface DriverFunctions {
    @Optional
    byte release(long driver, long error);

    byte DatabaseInit(long database, long error);

    byte DatabaseNew(long database, long error);

    @Optional
    byte DatabaseSetOption(long database, long key, long value, long error);

    byte DatabaseRelease(long database, long error);

    @Optional
    byte ConnectionCommit(long connection, long error);

    @Optional
    byte ConnectionGetInfo(long connection, long codes, long count, long outStream, long error);

    @Optional
    byte ConnectionGetObjects(
            long connection,
            int depth,
            long catalog,
            long dbSchema,
            long tableName,
            long tableTypes,
            long columnName,
            long outStream,
            long error);

    @Optional
    byte ConnectionGetTableSchema(
            long connection, long catalog, long dbSchema, long tableName, long outSchema, long error);

    @Optional
    byte ConnectionGetTableTypes(long connection, long outStream, long error);

    byte ConnectionInit(long connection, long database, long error);

    byte ConnectionNew(long connection, long error);

    @Optional
    byte ConnectionSetOption(long connection, long key, long value, long error);

    @Optional
    byte ConnectionReadPartition(long connection, long partition, long byteSize, long outStream, long error);

    byte ConnectionRelease(long connection, long error);

    @Optional
    byte ConnectionRollback(long connection, long error);

    @Optional
    byte StatementBind(long statement, long array, long schema, long error);

    @Optional
    byte StatementBindStream(long statement, long stream, long error);

    byte StatementExecuteQuery(long statement, long outStream, long outRows, long error);

    @Optional
    byte StatementExecutePartitions(long statement, long outSchema, long outPartitions, long outRows, long error);

    @Optional
    byte StatementGetParameterSchema(long statement, long outSchema, long error);

    byte StatementNew(long connection, long statement, long error);

    @Optional
    byte StatementPrepare(long statement, long error);

    byte StatementRelease(long statement, long error);

    @Optional
    byte StatementSetOption(long statement, long key, long value, long error);

    @Optional
    byte StatementSetSqlQuery(long statement, long sql, long error);

    @Optional
    byte StatementSetSubstraitPlan(long statement, long plan, long byteSize, long error);

    @Optional
    int ErrorGetDetailCount(long error);

    /** Writes an {@code AdbcErrorDetail}: the key, the value, and the value's size in bytes. */
    @Optional
    @StructResult(longs = 3)
    void ErrorGetDetail(long outDetail, long error, int index);

    /** The address of an {@code AdbcError} that the stream owns, or 0. */
    @Optional
    long ErrorFromArrayStream(long stream, long outStatus);

    @Optional
    byte DatabaseGetOption(long database, long key, long outValue, long inOutSize, long error);

    @Optional
    byte DatabaseGetOptionBytes(long database, long key, long outValue, long inOutSize, long error);

    @Optional
    byte DatabaseGetOptionDouble(long database, long key, long outValue, long error);

    @Optional
    byte DatabaseGetOptionInt(long database, long key, long outValue, long error);

    @Optional
    byte DatabaseSetOptionBytes(long database, long key, long value, long byteSize, long error);

    @Optional
    byte DatabaseSetOptionDouble(long database, long key, double value, long error);

    @Optional
    byte DatabaseSetOptionInt(long database, long key, long value, long error);

    @Optional
    byte ConnectionCancel(long connection, long error);

    @Optional
    byte ConnectionGetOption(long connection, long key, long outValue, long inOutSize, long error);

    @Optional
    byte ConnectionGetOptionBytes(long connection, long key, long outValue, long inOutSize, long error);

    @Optional
    byte ConnectionGetOptionDouble(long connection, long key, long outValue, long error);

    @Optional
    byte ConnectionGetOptionInt(long connection, long key, long outValue, long error);

    @Optional
    byte ConnectionGetStatistics(
            long connection,
            long catalog,
            long dbSchema,
            long tableName,
            boolean approximate,
            long outStream,
            long error);

    @Optional
    byte ConnectionGetStatisticNames(long connection, long outStream, long error);

    @Optional
    byte ConnectionSetOptionBytes(long connection, long key, long value, long byteSize, long error);

    @Optional
    byte ConnectionSetOptionDouble(long connection, long key, double value, long error);

    @Optional
    byte ConnectionSetOptionInt(long connection, long key, long value, long error);

    @Optional
    byte StatementCancel(long statement, long error);

    @Optional
    byte StatementExecuteSchema(long statement, long outSchema, long error);

    @Optional
    byte StatementGetOption(long statement, long key, long outValue, long inOutSize, long error);

    @Optional
    byte StatementGetOptionBytes(long statement, long key, long outValue, long inOutSize, long error);

    @Optional
    byte StatementGetOptionDouble(long statement, long key, long outValue, long error);

    @Optional
    byte StatementGetOptionInt(long statement, long key, long outValue, long error);

    @Optional
    byte StatementSetOptionBytes(long statement, long key, long value, long byteSize, long error);

    @Optional
    byte StatementSetOptionDouble(long statement, long key, double value, long error);

    @Optional
    byte StatementSetOptionInt(long statement, long key, long value, long error);
}

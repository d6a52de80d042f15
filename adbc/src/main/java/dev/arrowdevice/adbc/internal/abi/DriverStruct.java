package dev.arrowdevice.adbc.internal.abi;

import java.util.List;

/** The layout of {@code AdbcDriver} on machines with pointers of 8 bytes. */
public final class DriverStruct {
    /** The version that a driver is asked for: {@code ADBC_VERSION_1_1_0}. */
    public static final int VERSION_1_1 = 1_001_000;
    /** {@code ADBC_VERSION_1_0_0}. */
    public static final int VERSION_1_0 = 1_000_000;
    /** {@code sizeof(struct AdbcDriver)} of ADBC 1.1. */
    public static final long SIZE = 464;

    private static final long RELEASE = 16;

    /** The members from {@code release} on, in the order of the header. */
    static final List<String> MEMBERS = List.of(
            "release",
            "DatabaseInit",
            "DatabaseNew",
            "DatabaseSetOption",
            "DatabaseRelease",
            "ConnectionCommit",
            "ConnectionGetInfo",
            "ConnectionGetObjects",
            "ConnectionGetTableSchema",
            "ConnectionGetTableTypes",
            "ConnectionInit",
            "ConnectionNew",
            "ConnectionSetOption",
            "ConnectionReadPartition",
            "ConnectionRelease",
            "ConnectionRollback",
            "StatementBind",
            "StatementBindStream",
            "StatementExecuteQuery",
            "StatementExecutePartitions",
            "StatementGetParameterSchema",
            "StatementNew",
            "StatementPrepare",
            "StatementRelease",
            "StatementSetOption",
            "StatementSetSqlQuery",
            "StatementSetSubstraitPlan",
            "ErrorGetDetailCount",
            "ErrorGetDetail",
            "ErrorFromArrayStream",
            "DatabaseGetOption",
            "DatabaseGetOptionBytes",
            "DatabaseGetOptionDouble",
            "DatabaseGetOptionInt",
            "DatabaseSetOptionBytes",
            "DatabaseSetOptionDouble",
            "DatabaseSetOptionInt",
            "ConnectionCancel",
            "ConnectionGetOption",
            "ConnectionGetOptionBytes",
            "ConnectionGetOptionDouble",
            "ConnectionGetOptionInt",
            "ConnectionGetStatistics",
            "ConnectionGetStatisticNames",
            "ConnectionSetOptionBytes",
            "ConnectionSetOptionDouble",
            "ConnectionSetOptionInt",
            "StatementCancel",
            "StatementExecuteSchema",
            "StatementGetOption",
            "StatementGetOptionBytes",
            "StatementGetOptionDouble",
            "StatementGetOptionInt",
            "StatementSetOptionBytes",
            "StatementSetOptionDouble",
            "StatementSetOptionInt");

    private DriverStruct() {}

    /** {@code offsetof(struct AdbcDriver, member)} of a function pointer. */
    static long offset(String member) {
        return RELEASE + (long) MEMBERS.indexOf(member) * Long.BYTES;
    }
}

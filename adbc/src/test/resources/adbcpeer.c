/* An ADBC driver of our own, which does on demand what a real one does rarely. */
#include "adbc_abi.h"

enum { OK, UNKNOWN, NOT_IMPLEMENTED, NOT_FOUND, ALREADY_EXISTS, INVALID_ARGUMENT, INVALID_STATE, CANCELLED = 11 };

#define VERSION_1_0 1000000
#define VERSION_1_1 1001000
#define SIZE_1_0 offsetof(struct AdbcDriver, ErrorGetDetailCount)

/* What is alive: the tests look at the balance. */
static atomic_int drivers, databases, connections, statements, streams, errors, batches;

PEER int peer_alive(void) { return drivers + databases + connections + statements + streams + errors + batches; }

PEER int peer_statements(void) { return statements; }

PEER int peer_connections(void) { return connections; }

/* Errors: the detail is the text again, under two keys. */

static void release_error(struct AdbcError *error) {
    errors--;
    free(error->message);
    error->release = NULL;
}

static AdbcStatusCode fail(struct AdbcError *error, AdbcStatusCode status, const char *format, const char *text) {
    if (error != NULL) {
        char message[1024];
        snprintf(message, sizeof message, format, text);
        /* As DuckDB does: a message that is there already comes first. */
        const char *before = error->message == NULL ? "" : error->message;
        size_t size = strlen(before) + strlen(message) + 1;
        char *joined = malloc(size);
        snprintf(joined, size, "%s%s", before, message);
        error->message = joined;
        memcpy(error->sqlstate, "42P01", 5);
        if (error->vendor_code == INT32_MIN) {
            error->private_data = error->message;
        } else {
            error->vendor_code = 7;
        }
        error->release = release_error;
        errors++;
    }
    return status;
}

static int detail_count(const struct AdbcError *error) { return error->private_data == NULL ? 0 : 2; }

static struct AdbcErrorDetail detail(const struct AdbcError *error, int index) {
    struct AdbcErrorDetail detail = {NULL, NULL, 0};
    if (index == 0) {
        detail = (struct AdbcErrorDetail){"text", (const uint8_t *)error->private_data, strlen(error->private_data)};
    } else if (index == 1) {
        detail = (struct AdbcErrorDetail){"code-bin", (const uint8_t *)"\0\1\2", 3};
    }
    return detail;
}

#include "adbcpeer_streams.h"

/* Objects. */

static AdbcStatusCode release_driver(struct AdbcDriver *driver, E error) {
    drivers--;
    return OK;
}

static AdbcStatusCode database_new(DB database, E error) {
    databases++;
    database->private_data = calloc(1, 256);
    return OK;
}

static AdbcStatusCode database_set(DB database, S key, S value, E error) {
    if (strcmp(key, "unknown") == 0) {
        return fail(error, NOT_IMPLEMENTED, "option %s", key);
    }
    snprintf(database->private_data, 256, "%s=%s", key, value);
    return OK;
}

static AdbcStatusCode database_get(DB database, S key, char *value, size_t *size, E error) {
    size_t needed = strlen(database->private_data) + 1;
    if (*size >= needed) {
        memcpy(value, database->private_data, needed);
    }
    *size = needed;
    return OK;
}

static AdbcStatusCode database_init(DB database, E error) {
    return strcmp(database->private_data, "init=fails") == 0 ? fail(error, INVALID_ARGUMENT, "%s", "init") : OK;
}

static AdbcStatusCode database_release(DB database, E error) {
    free(database->private_data);
    databases--;
    return OK;
}

static AdbcStatusCode connection_new(CN connection, E error) {
    connections++;
    return OK;
}

static AdbcStatusCode connection_set(CN connection, S key, S value, E error) {
    return fail(error, NOT_IMPLEMENTED, "option %s", key);
}

static AdbcStatusCode connection_init(CN connection, DB database, E error) {
    const char *option = database->private_data;
    return strncmp(option, "uri=", 4) == 0 ? fail(error, UNKNOWN, "no connection to %s", option + 4) : OK;
}

static AdbcStatusCode connection_release(CN connection, E error) {
    if (statements > 0) {
        return fail(error, INVALID_STATE, "%s", "the connection has statements");
    }
    connections--;
    return OK;
}

static AdbcStatusCode statement_new(CN connection, ST statement, E error) {
    statements++;
    statement->private_data = calloc(1, 256);
    return OK;
}

static AdbcStatusCode statement_sql(ST statement, S sql, E error) {
    snprintf(statement->private_data, 256, "%s", sql);
    return OK;
}

static AdbcStatusCode statement_option(ST statement, S key, S value, E error) { return OK; }

static AdbcStatusCode statement_execute(ST statement, STREAM out, int64_t *rows, E error) {
    const char *sql = statement->private_data;
    if (strcmp(sql, "bad") == 0) {
        return fail(error, INVALID_ARGUMENT, "no such table: %s", sql);
    }
    if (strcmp(sql, "blocks") == 0 && wait_at_gate()) {
        return fail(error, CANCELLED, "%s", "cancelled");
    }
    if (out != NULL && strcmp(sql, "nothing") != 0) {
        make_stream(out, sql);
    }
    return OK;
}

static AdbcStatusCode statement_cancel(ST statement, E error) {
    if (!gate.has_cancel) {
        return fail(error, NOT_IMPLEMENTED, "%s", "cancel");
    }
    pthread_mutex_lock(&gate.lock);
    gate.cancels++;
    if (gate.waiting > 0) {
        gate.cancelled = true;
        pthread_cond_broadcast(&gate.changed);
    }
    pthread_mutex_unlock(&gate.lock);
    return OK;
}

PEER void peer_can_cancel(bool can) { gate.has_cancel = can; }

/* How many cancels there were, of calls that ran or not. */
PEER int peer_cancels(void) { return gate.cancels; }

/* Refuses the stream and leaves it to the caller. */
static AdbcStatusCode refuse_stream(ST statement, STREAM stream, E error) {
    return fail(error, INVALID_ARGUMENT, "%s", "no stream today");
}

static void release_partitions(struct AdbcPartitions *partitions) {
    free(partitions->private_data);
    partitions->release = NULL;
    batches--;
}

static AdbcStatusCode statement_partitions(
        ST statement, struct ArrowSchema *schema, struct AdbcPartitions *out, int64_t *rows, E error) {
    static const uint8_t *parts[] = {(const uint8_t *)"1", (const uint8_t *)"2 then"};
    static const size_t lengths[] = {1, 6};
    make_schema(schema);
    *out = (struct AdbcPartitions){2, parts, lengths, malloc(1), release_partitions};
    batches++;
    return OK;
}

static AdbcStatusCode read_partition(CN connection, const uint8_t *bytes, size_t length, STREAM out, E error) {
    char text[16] = {0};
    memcpy(text, bytes, length < 15 ? length : 15);
    make_stream(out, text);
    return OK;
}

static AdbcStatusCode statement_release(ST statement, E error) {
    free(statement->private_data);
    statements--;
    return OK;
}

static void fill(struct AdbcDriver *driver, size_t size) {
    struct AdbcDriver all = {
        .release = release_driver,
        .DatabaseNew = database_new,
        .DatabaseSetOption = database_set,
        .DatabaseInit = database_init,
        .DatabaseRelease = database_release,
        .ConnectionNew = connection_new,
        .ConnectionSetOption = connection_set,
        .ConnectionInit = connection_init,
        .ConnectionRelease = connection_release,
        .ConnectionReadPartition = read_partition,
        .StatementNew = statement_new,
        .StatementSetSqlQuery = statement_sql,
        .StatementSetOption = statement_option,
        .StatementBindStream = refuse_stream,
        .StatementExecuteQuery = statement_execute,
        .StatementExecutePartitions = statement_partitions,
        .StatementRelease = statement_release,
        .ErrorGetDetailCount = detail_count,
        .ErrorGetDetail = detail,
        .ErrorFromArrayStream = error_of_stream,
        .DatabaseGetOption = database_get,
        .StatementCancel = statement_cancel,
    };
    memcpy(driver, &all, size);
    drivers++;
}

PEER AdbcStatusCode AdbcpeerInit(int version, void *driver, E error) {
    if (version != VERSION_1_1) {
        return fail(error, NOT_IMPLEMENTED, "%s", "only ADBC 1.1");
    }
    fill(driver, sizeof(struct AdbcDriver));
    return OK;
}

PEER AdbcStatusCode PeerInit10(int version, void *driver, E error) {
    if (version != VERSION_1_0) {
        return fail(error, NOT_IMPLEMENTED, "%s", "only ADBC 1.0");
    }
    fill(driver, SIZE_1_0);
    return OK;
}

PEER AdbcStatusCode PeerInitFuture(int version, void *driver, E error) {
    return fail(error, NOT_IMPLEMENTED, "%s", "only ADBC 9");
}

PEER AdbcStatusCode PeerInitEmpty(int version, void *driver, E error) {
    return OK;
}

#include "adbcpeer_turns.h"

#define OFFSET(member) {#member, offsetof(struct AdbcDriver, member)}

static const struct {
    const char *name;
    size_t offset;
} OFFSETS[] = {
    OFFSET(release), OFFSET(DatabaseInit), OFFSET(DatabaseNew), OFFSET(DatabaseSetOption), OFFSET(DatabaseRelease),
    OFFSET(ConnectionCommit), OFFSET(ConnectionGetInfo), OFFSET(ConnectionGetObjects), OFFSET(ConnectionGetTableSchema),
    OFFSET(ConnectionGetTableTypes), OFFSET(ConnectionInit), OFFSET(ConnectionNew), OFFSET(ConnectionSetOption),
    OFFSET(ConnectionReadPartition), OFFSET(ConnectionRelease), OFFSET(ConnectionRollback), OFFSET(StatementBind),
    OFFSET(StatementBindStream), OFFSET(StatementExecuteQuery), OFFSET(StatementExecutePartitions),
    OFFSET(StatementGetParameterSchema), OFFSET(StatementNew), OFFSET(StatementPrepare), OFFSET(StatementRelease),
    OFFSET(StatementSetOption), OFFSET(StatementSetSqlQuery), OFFSET(StatementSetSubstraitPlan),
    OFFSET(ErrorGetDetailCount), OFFSET(ErrorGetDetail), OFFSET(ErrorFromArrayStream), OFFSET(DatabaseGetOption),
    OFFSET(DatabaseGetOptionBytes), OFFSET(DatabaseGetOptionDouble), OFFSET(DatabaseGetOptionInt),
    OFFSET(DatabaseSetOptionBytes), OFFSET(DatabaseSetOptionDouble), OFFSET(DatabaseSetOptionInt), OFFSET(ConnectionCancel),
    OFFSET(ConnectionGetOption), OFFSET(ConnectionGetOptionBytes), OFFSET(ConnectionGetOptionDouble),
    OFFSET(ConnectionGetOptionInt), OFFSET(ConnectionGetStatistics), OFFSET(ConnectionGetStatisticNames),
    OFFSET(ConnectionSetOptionBytes), OFFSET(ConnectionSetOptionDouble), OFFSET(ConnectionSetOptionInt),
    OFFSET(StatementCancel), OFFSET(StatementExecuteSchema), OFFSET(StatementGetOption), OFFSET(StatementGetOptionBytes),
    OFFSET(StatementGetOptionDouble), OFFSET(StatementGetOptionInt), OFFSET(StatementSetOptionBytes),
    OFFSET(StatementSetOptionDouble), OFFSET(StatementSetOptionInt)};

/* The offset of a member, -1 if there is none of this name. */
PEER long peer_offset_of(const char *name) {
    for (size_t i = 0; i < sizeof OFFSETS / sizeof *OFFSETS; i++) {
        if (strcmp(OFFSETS[i].name, name) == 0) {
            return (long)OFFSETS[i].offset;
        }
    }
    return -1;
}

PEER long peer_size_of(const char *name) {
    return strcmp(name, "AdbcDriver") == 0  ? (long)sizeof(struct AdbcDriver)
        : strcmp(name, "AdbcError") == 0 ? (long)sizeof(struct AdbcError)
        : strcmp(name, "AdbcErrorDetail") == 0 ? (long)sizeof(struct AdbcErrorDetail)
        : strcmp(name, "AdbcPartitions") == 0 ? (long)sizeof(struct AdbcPartitions)
        : strcmp(name, "AdbcStatement") == 0 ? (long)sizeof(struct AdbcStatement) : -1;
}

/* A driver that stops in the call that a test names, and writes down the calls in their order. Included once. */
#pragma once

static pthread_mutex_t turns = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static char stop_at[64], calls[1024];
static int executions, overlaps;
static _Atomic long released_on;

PEER void peer_stop_at(const char *call) {
    pthread_mutex_lock(&turns);
    snprintf(stop_at, sizeof stop_at, "%s", call);
    calls[0] = 0;
    executions = overlaps = 0;
    pthread_mutex_unlock(&turns);
}

/* The calls since peer_stop_at, for one thread to read when no other calls. */
PEER const char *peer_calls(void) { return calls; }

/* How often a statement was executed while the driver still cancelled another one. */
PEER int peer_overlaps(void) { return overlaps; }

PEER long peer_released_on(void) { return released_on; }

PEER long peer_this_thread(void) { return (long)pthread_self(); }

static void turn(const char *call) {
    pthread_mutex_lock(&turns);
    snprintf(calls + strlen(calls), sizeof calls - strlen(calls), "%s%s", calls[0] == 0 ? "" : ", ", call);
    bool stops = strcmp(stop_at, call) == 0;
    pthread_mutex_unlock(&turns);
    if (stops) {
        wait_at_gate();
    }
}

static AdbcStatusCode turn_release_driver(struct AdbcDriver *driver, E error) {
    turn("driver released");
    return release_driver(driver, error);
}

static AdbcStatusCode turn_database_init(DB database, E error) {
    turn("database");
    return database_init(database, error);
}

static AdbcStatusCode turn_database_release(DB database, E error) {
    turn("database released");
    return database_release(database, error);
}

static AdbcStatusCode turn_connection_set(CN connection, S key, S value, E error) {
    char call[64];
    snprintf(call, sizeof call, "%s=%s", strrchr(key, '.') + 1, value);
    turn(call);
    return OK;
}

static AdbcStatusCode turn_commit(CN connection, E error) {
    turn("commit");
    return OK;
}

static AdbcStatusCode turn_rollback(CN connection, E error) {
    turn("rollback");
    return OK;
}

/* The rows that are bound, of one statement at a time. */
static struct ArrowArrayStream rows_bound;

static AdbcStatusCode turn_statement_new(CN connection, ST statement, E error) {
    turn("statement");
    return statement_new(connection, statement, error);
}

static AdbcStatusCode turn_bind_stream(ST statement, STREAM stream, E error) {
    rows_bound = *stream;
    stream->release = NULL;
    return OK;
}

static AdbcStatusCode turn_bind(ST statement, struct ArrowArray *array, struct ArrowSchema *schema, E error) {
    turn(array->length == 1 ? "one row" : "rows");
    array->release(array);
    schema->release(schema);
    return OK;
}

static AdbcStatusCode turn_execute(ST statement, STREAM out, int64_t *rows, E error) {
    pthread_mutex_lock(&turns);
    executions++;
    pthread_cond_broadcast(&turned);
    pthread_mutex_unlock(&turns);
    if (rows_bound.release != NULL) {
        struct ArrowArray array = {0};
        if (rows_bound.get_next(&rows_bound, &array) != 0) {
            return fail(error, INVALID_STATE, "%s", rows_bound.get_last_error(&rows_bound));
        }
        if (array.release != NULL) {
            array.release(&array);
        }
    }
    return statement_execute(statement, out, rows, error);
}

/* Cancels, and returns when another statement is executed; if none is, after half a second. */
static AdbcStatusCode turn_cancel(ST statement, E error) {
    statement_cancel(statement, error);
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += (end.tv_nsec + 500000000) / 1000000000;
    end.tv_nsec = (end.tv_nsec + 500000000) % 1000000000;
    pthread_mutex_lock(&turns);
    int before = executions;
    while (executions == before && pthread_cond_timedwait(&turned, &turns, &end) == 0) {
    }
    overlaps += executions != before;
    pthread_mutex_unlock(&turns);
    return OK;
}

static void *release_rows(void *ignored) {
    rows_bound.release(&rows_bound);
    return NULL;
}

/* Releases the bound rows on a thread of its own. */
static AdbcStatusCode turn_statement_release(ST statement, E error) {
    turn("released");
    released_on = (long)pthread_self();
    if (rows_bound.release != NULL) {
        pthread_t thread;
        pthread_create(&thread, NULL, release_rows, NULL);
        pthread_join(thread, NULL);
    }
    return statement_release(statement, error);
}

/* There is an error, of which the driver knows no more. */
static const struct AdbcError *error_without_text(struct ArrowArrayStream *stream, AdbcStatusCode *status) {
    static const struct AdbcError unknown = {0};
    *status = OK;
    return &unknown;
}

PEER AdbcStatusCode PeerInitTurns(int version, void *out, E error) {
    if (version != VERSION_1_1) {
        return fail(error, NOT_IMPLEMENTED, "%s", "only ADBC 1.1");
    }
    struct AdbcDriver *driver = out;
    fill(driver, sizeof(struct AdbcDriver));
    driver->release = turn_release_driver;
    driver->DatabaseInit = turn_database_init;
    driver->DatabaseRelease = turn_database_release;
    driver->ConnectionSetOption = turn_connection_set;
    driver->ConnectionCommit = turn_commit;
    driver->ConnectionRollback = turn_rollback;
    driver->StatementNew = turn_statement_new;
    driver->StatementBindStream = turn_bind_stream;
    driver->StatementExecuteQuery = turn_execute;
    driver->StatementCancel = turn_cancel;
    driver->StatementRelease = turn_statement_release;
    driver->ErrorFromArrayStream = error_without_text;
    return OK;
}

/* Lacks what ADBC's driver manager does not require. */
PEER AdbcStatusCode PeerInitBare(int version, void *out, E error) {
    AdbcStatusCode status = PeerInitTurns(version, out, error);
    if (status == OK) {
        struct AdbcDriver *driver = out;
        driver->DatabaseSetOption = NULL;
        driver->StatementBindStream = NULL;
        driver->StatementBind = turn_bind;
    }
    return status;
}

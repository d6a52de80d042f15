/* The structs of adbc.h 1.1, and of Arrow's C data interface. */
#pragma once
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PEER __attribute__((visibility("default")))

struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

typedef uint8_t AdbcStatusCode;

struct AdbcError {
    char *message;
    int32_t vendor_code;
    char sqlstate[5];
    void (*release)(struct AdbcError *);
    void *private_data;
    struct AdbcDriver *private_driver;
};

struct AdbcErrorDetail {
    const char *key;
    const uint8_t *value;
    size_t value_length;
};

struct AdbcDatabase {
    void *private_data;
    struct AdbcDriver *private_driver;
};

struct AdbcConnection {
    void *private_data;
    struct AdbcDriver *private_driver;
};

struct AdbcStatement {
    void *private_data;
    struct AdbcDriver *private_driver;
};

struct AdbcPartitions {
    size_t num_partitions;
    const uint8_t **partitions;
    const size_t *partition_lengths;
    void *private_data;
    void (*release)(struct AdbcPartitions *);
};

#define E struct AdbcError *
#define DB struct AdbcDatabase *
#define CN struct AdbcConnection *
#define ST struct AdbcStatement *
#define STREAM struct ArrowArrayStream *
#define S const char *

struct AdbcDriver {
    void *private_data;
    void *private_manager;
    AdbcStatusCode (*release)(struct AdbcDriver *, E);
    AdbcStatusCode (*DatabaseInit)(DB, E);
    AdbcStatusCode (*DatabaseNew)(DB, E);
    AdbcStatusCode (*DatabaseSetOption)(DB, S, S, E);
    AdbcStatusCode (*DatabaseRelease)(DB, E);
    AdbcStatusCode (*ConnectionCommit)(CN, E);
    AdbcStatusCode (*ConnectionGetInfo)(CN, const uint32_t *, size_t, STREAM, E);
    AdbcStatusCode (*ConnectionGetObjects)(CN, int, S, S, S, S *, S, STREAM, E);
    AdbcStatusCode (*ConnectionGetTableSchema)(CN, S, S, S, struct ArrowSchema *, E);
    AdbcStatusCode (*ConnectionGetTableTypes)(CN, STREAM, E);
    AdbcStatusCode (*ConnectionInit)(CN, DB, E);
    AdbcStatusCode (*ConnectionNew)(CN, E);
    AdbcStatusCode (*ConnectionSetOption)(CN, S, S, E);
    AdbcStatusCode (*ConnectionReadPartition)(CN, const uint8_t *, size_t, STREAM, E);
    AdbcStatusCode (*ConnectionRelease)(CN, E);
    AdbcStatusCode (*ConnectionRollback)(CN, E);
    AdbcStatusCode (*StatementBind)(ST, struct ArrowArray *, struct ArrowSchema *, E);
    AdbcStatusCode (*StatementBindStream)(ST, STREAM, E);
    AdbcStatusCode (*StatementExecuteQuery)(ST, STREAM, int64_t *, E);
    AdbcStatusCode (*StatementExecutePartitions)(ST, struct ArrowSchema *, struct AdbcPartitions *, int64_t *, E);
    AdbcStatusCode (*StatementGetParameterSchema)(ST, struct ArrowSchema *, E);
    AdbcStatusCode (*StatementNew)(CN, ST, E);
    AdbcStatusCode (*StatementPrepare)(ST, E);
    AdbcStatusCode (*StatementRelease)(ST, E);
    AdbcStatusCode (*StatementSetOption)(ST, S, S, E);
    AdbcStatusCode (*StatementSetSqlQuery)(ST, S, E);
    AdbcStatusCode (*StatementSetSubstraitPlan)(ST, const uint8_t *, size_t, E);
    int (*ErrorGetDetailCount)(const struct AdbcError *);
    struct AdbcErrorDetail (*ErrorGetDetail)(const struct AdbcError *, int);
    const struct AdbcError *(*ErrorFromArrayStream)(STREAM, AdbcStatusCode *);
    AdbcStatusCode (*DatabaseGetOption)(DB, S, char *, size_t *, E);
    AdbcStatusCode (*DatabaseGetOptionBytes)(DB, S, uint8_t *, size_t *, E);
    AdbcStatusCode (*DatabaseGetOptionDouble)(DB, S, double *, E);
    AdbcStatusCode (*DatabaseGetOptionInt)(DB, S, int64_t *, E);
    AdbcStatusCode (*DatabaseSetOptionBytes)(DB, S, const uint8_t *, size_t, E);
    AdbcStatusCode (*DatabaseSetOptionDouble)(DB, S, double, E);
    AdbcStatusCode (*DatabaseSetOptionInt)(DB, S, int64_t, E);
    AdbcStatusCode (*ConnectionCancel)(CN, E);
    AdbcStatusCode (*ConnectionGetOption)(CN, S, char *, size_t *, E);
    AdbcStatusCode (*ConnectionGetOptionBytes)(CN, S, uint8_t *, size_t *, E);
    AdbcStatusCode (*ConnectionGetOptionDouble)(CN, S, double *, E);
    AdbcStatusCode (*ConnectionGetOptionInt)(CN, S, int64_t *, E);
    AdbcStatusCode (*ConnectionGetStatistics)(CN, S, S, S, char, STREAM, E);
    AdbcStatusCode (*ConnectionGetStatisticNames)(CN, STREAM, E);
    AdbcStatusCode (*ConnectionSetOptionBytes)(CN, S, const uint8_t *, size_t, E);
    AdbcStatusCode (*ConnectionSetOptionDouble)(CN, S, double, E);
    AdbcStatusCode (*ConnectionSetOptionInt)(CN, S, int64_t, E);
    AdbcStatusCode (*StatementCancel)(ST, E);
    AdbcStatusCode (*StatementExecuteSchema)(ST, struct ArrowSchema *, E);
    AdbcStatusCode (*StatementGetOption)(ST, S, char *, size_t *, E);
    AdbcStatusCode (*StatementGetOptionBytes)(ST, S, uint8_t *, size_t *, E);
    AdbcStatusCode (*StatementGetOptionDouble)(ST, S, double *, E);
    AdbcStatusCode (*StatementGetOptionInt)(ST, S, int64_t *, E);
    AdbcStatusCode (*StatementSetOptionBytes)(ST, S, const uint8_t *, size_t, E);
    AdbcStatusCode (*StatementSetOptionDouble)(ST, S, double, E);
    AdbcStatusCode (*StatementSetOptionInt)(ST, S, int64_t, E);
};


/*
 * A query over ADBC in C: the calls that a query of one row needs, and nothing else. A driver is a table of functions,
 * here by their places in it.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arrow_abi.h"

#define ENTRY __attribute__((visibility("default"), noinline))

#define ADBC_VERSION_1_1_0 1001000

/* AdbcDriver of ADBC 1.1: 58 pointers. */
enum {
  DATABASE_INIT = 3,
  DATABASE_NEW = 4,
  DATABASE_RELEASE = 6,
  CONNECTION_INIT = 12,
  CONNECTION_NEW = 13,
  CONNECTION_RELEASE = 16,
  STATEMENT_EXECUTE_QUERY = 20,
  STATEMENT_NEW = 23,
  STATEMENT_RELEASE = 25,
  STATEMENT_SET_SQL_QUERY = 27,
  FUNCTIONS = 58
};

/* AdbcDatabase, AdbcConnection and AdbcStatement. */
struct Object {
  void* private_data;
  void* private_driver;
};

/* AdbcError of ADBC 1.1. */
struct Error {
  char* message;
  int32_t vendor_code;
  char sqlstate[5];
  void (*release)(struct Error*);
  void* private_data;
  void* private_driver;
};

typedef uint8_t (*Init)(int, void*, struct Error*);
typedef uint8_t (*OfObject)(struct Object*, struct Error*);
typedef uint8_t (*OfTwo)(struct Object*, struct Object*, struct Error*);
typedef uint8_t (*SetText)(struct Object*, const char*, struct Error*);
typedef uint8_t (*Execute)(struct Object*, struct ArrowArrayStream*, int64_t*, struct Error*);

struct Connection {
  void* functions[2 * FUNCTIONS];
  struct Object database;
  struct Object connection;
};

/* Connects to a database without options; NULL if that fails. */
ENTRY struct Connection* c_adbc_open(Init init) {
  struct Connection* c = calloc(1, sizeof *c);
  struct Error error = {.vendor_code = INT32_MIN};
  if (init(ADBC_VERSION_1_1_0, c->functions, &error) == 0 &&
      ((OfObject)c->functions[DATABASE_NEW])(&c->database, &error) == 0 &&
      ((OfObject)c->functions[DATABASE_INIT])(&c->database, &error) == 0 &&
      ((OfObject)c->functions[CONNECTION_NEW])(&c->connection, &error) == 0 &&
      ((OfTwo)c->functions[CONNECTION_INIT])(&c->connection, &c->database, &error) == 0)
    return c;
  if (error.release != NULL) error.release(&error);
  free(c);
  return NULL;
}

ENTRY void c_adbc_close(struct Connection* c) {
  struct Error error = {.vendor_code = INT32_MIN};
  ((OfObject)c->functions[CONNECTION_RELEASE])(&c->connection, &error);
  ((OfObject)c->functions[DATABASE_RELEASE])(&c->database, &error);
  free(c);
}

/* The number in the first row and column, or -1 if something fails. */
ENTRY int64_t c_adbc_query(struct Connection* c, const char* sql) {
  struct Error error = {.vendor_code = INT32_MIN};
  struct Object statement = {0};
  struct ArrowArrayStream stream = {0};
  struct ArrowSchema schema;
  struct ArrowArray array;
  int64_t rows = -1;
  int64_t value = -1;
  if (((OfTwo)c->functions[STATEMENT_NEW])(&c->connection, &statement, &error) != 0) return -1;
  if (((SetText)c->functions[STATEMENT_SET_SQL_QUERY])(&statement, sql, &error) == 0 &&
      ((Execute)c->functions[STATEMENT_EXECUTE_QUERY])(&statement, &stream, &rows, &error) == 0) {
    if (stream.get_schema(&stream, &schema) == 0) schema.release(&schema);
    while (stream.get_next(&stream, &array) == 0 && array.release != NULL) {
      if (value < 0) value = ((const int64_t*)array.children[0]->buffers[1])[0];
      array.release(&array);
    }
    stream.release(&stream);
  }
  ((OfObject)c->functions[STATEMENT_RELEASE])(&statement, &error);
  if (error.release != NULL) error.release(&error);
  return value;
}

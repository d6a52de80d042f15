/* Format strings of the C data interface, read independently of the SDK's own table. */
#include <stdlib.h>
#include <string.h>

#include "peer.h"

struct Fixed {
  const char* format;
  struct PeerType type;
};

#define MILLIS_PER_DAY 86400000LL

/* Every format without a parameter. */
static const struct Fixed FIXED[] = {
    {"n", {.kind = PK_NULL}},
    {"b", {.kind = PK_BOOL}},
    {"c", {.kind = PK_INT, .width = 1}},
    {"C", {.kind = PK_UINT, .width = 1}},
    {"s", {.kind = PK_INT, .width = 2}},
    {"S", {.kind = PK_UINT, .width = 2}},
    {"i", {.kind = PK_INT, .width = 4}},
    {"I", {.kind = PK_UINT, .width = 4}},
    {"l", {.kind = PK_INT, .width = 8, .multiplier = 1000003}},
    {"L", {.kind = PK_UINT, .width = 8, .multiplier = 1000003}},
    {"e", {.kind = PK_FLOAT, .width = 2}},
    {"f", {.kind = PK_FLOAT, .width = 4}},
    {"g", {.kind = PK_FLOAT, .width = 8}},
    {"u", {.kind = PK_STRING, .width = 4}},
    {"U", {.kind = PK_STRING, .width = 8}},
    {"vu", {.kind = PK_STRING_VIEW, .width = 16}},
    {"z", {.kind = PK_BINARY, .width = 4}},
    {"Z", {.kind = PK_BINARY, .width = 8}},
    {"vz", {.kind = PK_BINARY_VIEW, .width = 16}},
    {"tdD", {.kind = PK_INT, .width = 4}},
    {"tdm", {.kind = PK_INT, .width = 8, .multiplier = MILLIS_PER_DAY}},
    {"tts", {.kind = PK_INT, .width = 4, .multiplier = 61, .modulus = MILLIS_PER_DAY / 1000}},
    {"ttm", {.kind = PK_INT, .width = 4, .multiplier = 61001, .modulus = MILLIS_PER_DAY}},
    {"ttu", {.kind = PK_INT, .width = 8, .multiplier = 61000001, .modulus = MILLIS_PER_DAY * 1000}},
    {"ttn", {.kind = PK_INT, .width = 8, .multiplier = 61000000001, .modulus = MILLIS_PER_DAY * 1000000}},
    {"tDs", {.kind = PK_INT, .width = 8}},
    {"tDm", {.kind = PK_INT, .width = 8}},
    {"tDu", {.kind = PK_INT, .width = 8}},
    {"tDn", {.kind = PK_INT, .width = 8}},
    {"tiM", {.kind = PK_INT, .width = 4}},
    {"tiD", {.kind = PK_DAY_TIME, .width = 8}},
    {"tin", {.kind = PK_MONTH_DAY_NANO, .width = 16}},
    {"+l", {.kind = PK_LIST, .width = 4}},
    {"+L", {.kind = PK_LIST, .width = 8}},
    {"+vl", {.kind = PK_LIST_VIEW, .width = 4}},
    {"+vL", {.kind = PK_LIST_VIEW, .width = 8}},
    {"+s", {.kind = PK_STRUCT}},
    {"+m", {.kind = PK_MAP, .width = 4}},
    {"+r", {.kind = PK_RUN_END}},
};

static bool starts_with(const char* text, const char* prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

/* Reads numbers separated by commas to the end of the text; returns how many, or -1. */
static int numbers(const char* text, int64_t* out, int most) {
  int count = 0;
  while (*text != '\0') {
    char* end;
    if (count == most) return -1;
    out[count] = strtoll(text, &end, 10);
    if (end == text) return -1;
    count++;
    if (*end == ',' && end[1] != '\0') end++;
    else if (*end != '\0') return -1;
    text = end;
  }
  return count;
}

static bool parse_decimal(const char* parameters, struct PeerType* out) {
  int64_t values[3] = {0, 0, 128};
  int count = numbers(parameters, values, 3);
  if (count < 2) return false;
  out->kind = PK_DECIMAL;
  out->precision = values[0];
  out->scale = values[1];
  out->width = values[2] / 8;
  return out->width == 4 || out->width == 8 || out->width == 16 || out->width == 32;
}

static bool parse_union(const char* parameters, bool sparse, struct PeerType* out) {
  int64_t ids[128];
  int count = numbers(parameters, ids, 128);
  if (count < 0) return false;
  out->kind = sparse ? PK_SPARSE_UNION : PK_DENSE_UNION;
  out->n_ids = count;
  for (int i = 0; i < count; i++) out->ids[i] = (int8_t)ids[i];
  return true;
}

bool peer_parse_format(const char* format, struct PeerType* out) {
  if (format == NULL) {
    peer_fail("format is NULL");
    return false;
  }
  for (size_t i = 0; i < sizeof FIXED / sizeof *FIXED; i++) {
    if (strcmp(format, FIXED[i].format) == 0) {
      *out = FIXED[i].type;
      return true;
    }
  }
  memset(out, 0, sizeof *out);
  bool known = false;
  if (starts_with(format, "d:")) {
    known = parse_decimal(format + 2, out);
  } else if (starts_with(format, "w:")) {
    out->kind = PK_FIXED_BINARY;
    known = numbers(format + 2, &out->width, 1) == 1;
  } else if (starts_with(format, "+w:")) {
    out->kind = PK_FIXED_LIST;
    known = numbers(format + 3, &out->list_size, 1) == 1;
  } else if (starts_with(format, "+us:")) {
    known = parse_union(format + 4, true, out);
  } else if (starts_with(format, "+ud:")) {
    known = parse_union(format + 4, false, out);
  } else if (starts_with(format, "ts") && format[2] != '\0' && strchr("smun", format[2]) && format[3] == ':') {
    out->kind = PK_INT;
    out->width = 8;
    out->multiplier = 86413;
    known = true;
  }
  if (!known) peer_fail("the C peer does not know the format '%s'", format);
  return known;
}

int peer_buffer_count(const struct PeerType* type) {
  switch (type->kind) {
    case PK_NULL:
    case PK_RUN_END:
      return 0;
    case PK_STRUCT:
    case PK_FIXED_LIST:
    case PK_SPARSE_UNION:
      return 1;
    case PK_STRING:
    case PK_BINARY:
    case PK_LIST_VIEW:
    case PK_STRING_VIEW: /* with the buffer of sizes, which comes last */
    case PK_BINARY_VIEW:
      return 3;
    default:
      return 2;
  }
}

bool peer_has_validity(const struct PeerType* type) {
  return type->kind != PK_NULL && type->kind != PK_RUN_END && type->kind != PK_SPARSE_UNION &&
         type->kind != PK_DENSE_UNION;
}

bool peer_is_view(const struct PeerType* type) {
  return type->kind == PK_STRING_VIEW || type->kind == PK_BINARY_VIEW;
}

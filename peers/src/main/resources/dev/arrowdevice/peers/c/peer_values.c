/*
 * What the rows contain. A row number may be negative: those are the rows in front of an array's offset, and they get
 * values of their own, so that a reader who forgets the offset reads something else.
 *
 *   integer of row i    (i * 37 + 11 + seed) * multiplier, within [0, modulus) where there is one, cut to the width
 *   bool                i mod 3 == 0
 *   float               integer / 4; half floats are 1 + (i mod 512) / 1024
 *   decimal             integer, times 1000000007 once per 18 digits of precision, negative for odd i
 *   string              by i mod 5: "", "é<integer>", "a longer text, number <integer>", "<integer>", "🚀<integer>"
 *   binary              i mod 18 bytes: integer, integer + 1, …; fixed-size likewise
 *   day-time            days integer, milliseconds integer * 1000 mod a day
 *   month-day-nano      months integer, days integer + 1, nanoseconds integer * 1000000007
 */
#include <stdio.h>
#include <string.h>

#include "peer.h"

int64_t peer_mod(int64_t value, int64_t modulus) {
  int64_t rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
}

static int64_t plain_integer(const struct PeerOptions* options, int64_t row) { return row * 37 + 11 + options->seed; }

int64_t peer_integer(const struct PeerType* type, const struct PeerOptions* options, int64_t row) {
  int64_t value = plain_integer(options, row);
  if (type->multiplier != 0) value *= type->multiplier;
  return type->modulus == 0 ? value : peer_mod(value, type->modulus);
}

static void decimal_value(const struct PeerType* type, const struct PeerOptions* options, int64_t row, uint8_t* out) {
  int64_t value = plain_integer(options, row);
  bool negative = (value < 0) != (peer_mod(row, 2) == 1);
  uint32_t words[8] = {(uint32_t)(value < 0 ? -value : value)};
  for (int64_t digits = type->precision; digits >= 18; digits -= 18) {
    uint64_t carry = 0;
    for (int i = 0; i < 8; i++) {
      carry += (uint64_t)words[i] * 1000000007u;
      words[i] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  uint64_t carry = negative ? 1 : 0;
  for (int i = 0; i < 8; i++) {
    carry += negative ? (uint32_t)~words[i] : words[i];
    words[i] = (uint32_t)carry;
    carry >>= 32;
  }
  memcpy(out, words, (size_t)type->width);
}

static void float_value(const struct PeerType* type, const struct PeerOptions* options, int64_t row, uint8_t* out) {
  double value = (double)plain_integer(options, row) / 4;
  float single = (float)value;
  uint16_t half = (uint16_t)(0x3C00 + peer_mod(row, 512));
  if (type->width == 2) memcpy(out, &half, sizeof half);
  if (type->width == 4) memcpy(out, &single, sizeof single);
  if (type->width == 8) memcpy(out, &value, sizeof value);
}

static void day_time_value(const struct PeerOptions* options, int64_t row, uint8_t* out) {
  int64_t value = plain_integer(options, row);
  int32_t parts[2] = {(int32_t)value, (int32_t)(value * 1000 % 86400000)};
  memcpy(out, parts, sizeof parts);
}

static void month_day_nano_value(const struct PeerOptions* options, int64_t row, uint8_t* out) {
  int64_t value = plain_integer(options, row);
  int32_t parts[2] = {(int32_t)value, (int32_t)value + 1};
  int64_t nanos = value * 1000000007;
  memcpy(out, parts, sizeof parts);
  memcpy(out + sizeof parts, &nanos, sizeof nanos);
}

void peer_fixed_value(const struct PeerType* type, const struct PeerOptions* options, int64_t row, uint8_t* out) {
  int64_t value;
  switch (type->kind) {
    case PK_FLOAT:
      float_value(type, options, row, out);
      break;
    case PK_DECIMAL:
      decimal_value(type, options, row, out);
      break;
    case PK_FIXED_BINARY:
      for (int64_t i = 0; i < type->width; i++) out[i] = (uint8_t)(plain_integer(options, row) + i);
      break;
    case PK_DAY_TIME:
      day_time_value(options, row, out);
      break;
    case PK_MONTH_DAY_NANO:
      month_day_nano_value(options, row, out);
      break;
    default:
      value = peer_integer(type, options, row);
      memcpy(out, &value, (size_t)type->width); /* little-endian: the low bytes come first */
  }
}

int64_t peer_bytes_value(const struct PeerType* type, const struct PeerOptions* options, int64_t row, uint8_t* out) {
  static const char* const TEXTS[] = {"", "\xC3\xA9%lld", "a longer text, number %lld", "%lld", "\xF0\x9F\x9A\x80%lld"};
  int64_t value = plain_integer(options, row);
  if (type->kind == PK_BINARY || type->kind == PK_BINARY_VIEW) {
    int64_t size = peer_mod(row, 18);
    for (int64_t i = 0; i < size; i++) out[i] = (uint8_t)(value + i);
    return size;
  }
  int64_t which = peer_mod(row, 5);
  return which == 0 ? 0 : snprintf((char*)out, 64, TEXTS[which], (long long)value);
}

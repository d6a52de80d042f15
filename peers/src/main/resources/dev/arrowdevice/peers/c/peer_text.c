/* Growing text, the error of the calling thread, and decimal digits of wide integers. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

static _Thread_local char last_error[512];

int peer_fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last_error, sizeof last_error, format, arguments);
  va_end(arguments);
  return -1;
}

const char* peer_error(void) { return last_error; }

void peer_text_free(char* text) { free(text); }

void peer_text_bytes(struct PeerText* text, const void* bytes, int64_t size) {
  int64_t needed = text->size + size + 1;
  if (needed > text->capacity) {
    int64_t capacity = text->capacity < 256 ? 256 : text->capacity;
    while (capacity < needed) capacity *= 2;
    text->chars = realloc(text->chars, (size_t)capacity);
    if (text->chars == NULL) abort();
    text->capacity = capacity;
  }
  memcpy(text->chars + text->size, bytes, (size_t)size);
  text->size += size;
  text->chars[text->size] = '\0';
}

void peer_text_add(struct PeerText* text, const char* format, ...) {
  char piece[512];
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(piece, sizeof piece, format, arguments);
  va_end(arguments);
  if (size < 0) abort();
  peer_text_bytes(text, piece, size < (int)sizeof piece ? size : (int)sizeof piece - 1);
}

void peer_text_hex(struct PeerText* text, const uint8_t* bytes, int64_t size) {
  for (int64_t i = 0; i < size; i++) peer_text_add(text, "%02x", bytes[i]);
}

void peer_text_quoted(struct PeerText* text, const uint8_t* bytes, int64_t size) {
  peer_text_bytes(text, "\"", 1);
  for (int64_t i = 0; i < size; i++) {
    uint8_t byte = bytes[i];
    if (byte == '"' || byte == '\\') {
      peer_text_add(text, "\\%c", byte);
    } else if (byte < 0x20) {
      peer_text_add(text, "\\u%04x", byte);
    } else {
      peer_text_bytes(text, &byte, 1);
    }
  }
  peer_text_bytes(text, "\"", 1);
}

#define WORDS 8
#define MAX_DIGITS 80

void peer_decimal_text(struct PeerText* text, const uint8_t* bytes, int64_t width) {
  uint32_t words[WORDS] = {0};
  memcpy(words, bytes, (size_t)width);
  int count = (int)(width / 4);
  if (words[count - 1] >> 31) {
    peer_text_bytes(text, "-", 1);
    uint64_t carry = 1;
    for (int i = 0; i < count; i++) {
      carry += (uint32_t)~words[i];
      words[i] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  char digits[MAX_DIGITS];
  int size = 0;
  bool zero;
  do {
    uint64_t rest = 0;
    zero = true;
    for (int i = count - 1; i >= 0; i--) {
      rest = rest << 32 | words[i];
      words[i] = (uint32_t)(rest / 10);
      rest %= 10;
      zero = zero && words[i] == 0;
    }
    digits[MAX_DIGITS - ++size] = (char)('0' + rest);
  } while (!zero);
  peer_text_bytes(text, digits + MAX_DIGITS - size, size);
}

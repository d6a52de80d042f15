/* Texts for tests to read: the trace, whose oldest lines are forgotten, and the violations. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "engine_text.h"

#define LINE 256
#define TRACE_LINES 8192
#define VIOLATIONS 256

static char trace[TRACE_LINES][LINE];
static uint64_t traced;
static char violations[VIOLATIONS][LINE];
static uint64_t violated;

void sim_trace(const char* format, ...) {
  char* line = trace[traced++ % TRACE_LINES];
  int used = snprintf(line, LINE, "%llu ", (unsigned long long)++sim.order);
  va_list values;
  va_start(values, format);
  vsnprintf(line + used, (size_t)(LINE - used), format, values);
  va_end(values);
}

void sim_violation(const char* format, ...) {
  char line[LINE - 16];
  va_list values;
  va_start(values, format);
  vsnprintf(line, sizeof line, format, values);
  va_end(values);
  if (violated < VIOLATIONS) memcpy(violations[violated], line, sizeof line);
  violated++;
  sim_trace("violation: %.200s", line);
}

void sim_clear_texts(void) {
  traced = 0;
  violated = 0;
}

void sim_text_add(void* sink, const char* line) {
  struct SimText* text = sink;
  size_t length = strlen(line);
  text->bytes = sim_must(realloc(text->bytes, text->length + length + 2));
  memcpy(text->bytes + text->length, line, length);
  text->length += length;
  text->bytes[text->length++] = '\n';
  text->bytes[text->length] = '\0';
}

void sim_trace_to(struct SimText* text) {
  for (uint64_t i = traced > TRACE_LINES ? traced - TRACE_LINES : 0; i < traced; i++) {
    sim_text_add(text, trace[i % TRACE_LINES]);
  }
}

void sim_violations_to(struct SimText* text) {
  for (uint64_t i = 0; i < violated && i < VIOLATIONS; i++) sim_text_add(text, violations[i]);
  if (violated > VIOLATIONS) sim_text_add(text, "and more");
}

int64_t sim_violation_count(void) { return (int64_t)violated; }

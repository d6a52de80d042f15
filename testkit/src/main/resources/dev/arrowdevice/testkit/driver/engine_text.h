/* Texts of lines, each with a newline behind it; in memory of malloc. */
#ifndef SIM_ENGINE_TEXT_H
#define SIM_ENGINE_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct SimText {
  char* bytes;
  size_t length;
};

void sim_text_add(void* text, const char* line);
void sim_trace_to(struct SimText* text);
void sim_violations_to(struct SimText* text);
int64_t sim_violation_count(void);

#endif

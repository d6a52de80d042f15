/* What the async producer and the async consumer share: figures that can be waited for, and a log of what happened. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "peer_async.h"

void peer_monitor_init(struct PeerMonitor* monitor) {
  memset(monitor, 0, sizeof *monitor);
  pthread_mutex_init(&monitor->mutex, NULL);
  pthread_cond_init(&monitor->changed, NULL);
  peer_text_bytes(&monitor->log, "", 0);
}

void peer_monitor_destroy(struct PeerMonitor* monitor) {
  pthread_cond_destroy(&monitor->changed);
  pthread_mutex_destroy(&monitor->mutex);
  free(monitor->log.chars);
}

void peer_monitor_lock(struct PeerMonitor* monitor) { pthread_mutex_lock(&monitor->mutex); }
void peer_monitor_unlock(struct PeerMonitor* monitor) { pthread_mutex_unlock(&monitor->mutex); }

void peer_monitor_event(struct PeerMonitor* monitor, int stat, const char* format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (size >= (int)sizeof line) size = (int)sizeof line - 1;
  if (stat >= 0) monitor->stats[stat]++;
  peer_text_bytes(&monitor->log, line, size);
  peer_text_bytes(&monitor->log, "\n", 1);
  pthread_cond_broadcast(&monitor->changed);
}

int peer_monitor_await(struct PeerMonitor* monitor, int64_t stat, int64_t value, int64_t millis) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += millis / 1000;
  deadline.tv_nsec += millis % 1000 * 1000000;
  if (deadline.tv_nsec >= 1000000000) {
    deadline.tv_sec++;
    deadline.tv_nsec -= 1000000000;
  }
  int result = 0;
  peer_monitor_lock(monitor);
  while (monitor->stats[stat] < value && result != ETIMEDOUT) {
    result = pthread_cond_timedwait(&monitor->changed, &monitor->mutex, &deadline);
  }
  int64_t reached = monitor->stats[stat];
  char* log = monitor->log.chars;
  if (reached < value) {
    peer_fail("figure %d is %lld after %lld ms, not %lld; so far:\n%s", (int)stat, (long long)reached,
              (long long)millis, (long long)value, log);
  }
  peer_monitor_unlock(monitor);
  return reached < value ? -1 : 0;
}

int peer_monitor_log(struct PeerMonitor* monitor, char** text) {
  struct PeerText copy = {0};
  peer_monitor_lock(monitor);
  peer_text_bytes(&copy, monitor->log.chars, monitor->log.size);
  peer_monitor_unlock(monitor);
  *text = copy.chars;
  return 0;
}

static int32_t int32_at(const char* bytes) {
  int32_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

int64_t peer_metadata_size(const char* metadata) {
  int64_t at = 4;
  for (int32_t left = 2 * int32_at(metadata); left > 0; left--) at += 4 + int32_at(metadata + at);
  return at;
}

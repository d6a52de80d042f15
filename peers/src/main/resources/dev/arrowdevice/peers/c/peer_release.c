/* Moves and releases what others produced: now, later, from other threads, from many threads at once. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

void peer_release_array(struct ArrowArray* array) {
  if (array->release != NULL) array->release(array);
}

void peer_release_schema(struct ArrowSchema* schema) {
  if (schema->release != NULL) schema->release(schema);
}

void peer_release_stream(struct ArrowArrayStream* stream) {
  if (stream->release != NULL) stream->release(stream);
}

void peer_release_device_stream(struct ArrowDeviceArrayStream* stream) {
  if (stream->release != NULL) stream->release(stream);
}

void peer_move_array(struct ArrowArray* from, struct ArrowArray* to) {
  *to = *from;
  from->release = NULL;
}

void peer_move_schema(struct ArrowSchema* from, struct ArrowSchema* to) {
  *to = *from;
  from->release = NULL;
}

struct ArrowArray* peer_hold_array(struct ArrowArray* array) {
  struct ArrowArray* held = malloc(sizeof *held);
  if (held == NULL) abort();
  peer_move_array(array, held);
  peer_count(PEER_HELD, 1);
  return held;
}

void peer_release_held(struct ArrowArray* held) {
  peer_release_array(held);
  memset(held, 0xDD, sizeof *held);
  free(held);
  peer_count(PEER_HELD, -1);
}

/* A start line: all threads wait at it until the last one has come. */
struct Start {
  pthread_mutex_t mutex;
  pthread_cond_t open;
  int64_t missing;
};

struct Share {
  struct Start* start;
  struct ArrowArray* arrays;
  int64_t count;
  int64_t first;
  int64_t step;
};

static void wait_for_all(struct Start* start) {
  pthread_mutex_lock(&start->mutex);
  if (--start->missing == 0) {
    pthread_cond_broadcast(&start->open);
  } else {
    while (start->missing > 0) pthread_cond_wait(&start->open, &start->mutex);
  }
  pthread_mutex_unlock(&start->mutex);
}

static void* release_share(void* argument) {
  struct Share* share = argument;
  wait_for_all(share->start);
  for (int64_t i = share->first; i < share->count; i += share->step) peer_release_array(&share->arrays[i]);
  return NULL;
}

int peer_release_on_threads(struct ArrowArray** arrays, int64_t count, int64_t threads) {
  struct Start start = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, threads};
  struct ArrowArray* moved = calloc((size_t)count, sizeof *moved);
  struct Share* shares = calloc((size_t)threads, sizeof *shares);
  pthread_t* running = calloc((size_t)threads, sizeof *running);
  for (int64_t i = 0; i < count; i++) peer_move_array(arrays[i], &moved[i]);
  int64_t started = 0;
  for (; started < threads; started++) {
    shares[started] = (struct Share){&start, moved, count, started, threads};
    if (pthread_create(&running[started], NULL, release_share, &shares[started]) != 0) break;
  }
  if (started < threads) {
    /* The missing threads' shares are released here, so that nothing is lost; the caller still learns of it. */
    pthread_mutex_lock(&start.mutex);
    start.missing -= threads - started;
    if (start.missing <= 0) pthread_cond_broadcast(&start.open);
    pthread_mutex_unlock(&start.mutex);
    for (int64_t i = started; i < threads; i++) {
      for (int64_t k = i; k < count; k += threads) peer_release_array(&moved[k]);
    }
  }
  for (int64_t i = 0; i < started; i++) pthread_join(running[i], NULL);
  free(running);
  free(shares);
  free(moved);
  return started == threads ? 0 : peer_fail("only %lld of %lld threads could be started", (long long)started, (long long)threads);
}

struct Soon {
  struct Soon* next;
  pthread_t thread;
  struct ArrowArray array;
};

static struct Soon* soon_releases;
static pthread_mutex_t soon_mutex = PTHREAD_MUTEX_INITIALIZER;

static void* release_soon(void* argument) {
  struct Soon* soon = argument;
  peer_release_array(&soon->array);
  return NULL;
}

int peer_release_soon(struct ArrowArray* array) {
  struct Soon* soon = calloc(1, sizeof *soon);
  if (soon == NULL) abort();
  peer_move_array(array, &soon->array);
  if (pthread_create(&soon->thread, NULL, release_soon, soon) != 0) {
    peer_release_array(&soon->array);
    free(soon);
    return peer_fail("no thread could be started");
  }
  pthread_mutex_lock(&soon_mutex);
  soon->next = soon_releases;
  soon_releases = soon;
  pthread_mutex_unlock(&soon_mutex);
  return 0;
}

void peer_join_releases(void) {
  pthread_mutex_lock(&soon_mutex);
  struct Soon* all = soon_releases;
  soon_releases = NULL;
  pthread_mutex_unlock(&soon_mutex);
  while (all != NULL) {
    struct Soon* next = all->next;
    pthread_join(all->thread, NULL);
    free(all);
    all = next;
  }
}

/* The results of the driver: what a statement's text asks for. Included once. */
#pragma once

/* Streams of one int64 column "n". The statement says how many batches, and what happens then. */

struct peer {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool cancelled, waits, has_cancel;
    int waiting, cancels;
};

static struct peer gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, false, true, 0, 0};

/* Blocks until it is cancelled or let through; whether it was cancelled. */
static bool wait_at_gate(void) {
    pthread_mutex_lock(&gate.lock);
    gate.waiting++;
    pthread_cond_broadcast(&gate.changed);
    while (!gate.cancelled && !gate.waits) {
        pthread_cond_wait(&gate.changed, &gate.lock);
    }
    bool cancelled = gate.cancelled;
    gate.waiting--;
    pthread_mutex_unlock(&gate.lock);
    return cancelled;
}

static void set_gate(bool cancelled, bool waits) {
    pthread_mutex_lock(&gate.lock);
    gate.cancelled = cancelled;
    gate.waits = waits;
    pthread_cond_broadcast(&gate.changed);
    pthread_mutex_unlock(&gate.lock);
}

PEER void peer_reset(void) { set_gate(false, false); }

PEER void peer_let_through(void) { set_gate(false, true); }

/* Returns when a call waits at the gate. */
PEER void peer_await_waiting(void) {
    pthread_mutex_lock(&gate.lock);
    while (gate.waiting == 0) {
        pthread_cond_wait(&gate.changed, &gate.lock);
    }
    pthread_mutex_unlock(&gate.lock);
}

struct stream {
    int left;
    bool then_fails, then_waits;
    struct AdbcError error;
};

static void release_schema(struct ArrowSchema *schema) {
    if (schema->n_children > 0) {
        if (schema->children[0]->release != NULL) {
            schema->children[0]->release(schema->children[0]);
        }
        free(schema->children[0]);
        free(schema->children);
    }
    schema->release = NULL;
}

static void make_schema(struct ArrowSchema *out) {
    struct ArrowSchema *child = calloc(1, sizeof *child);
    *child = (struct ArrowSchema){.format = "l", .name = "n", .flags = 2, .release = release_schema};
    *out = (struct ArrowSchema){.format = "+s", .name = "", .n_children = 1, .release = release_schema};
    out->children = malloc(sizeof child);
    out->children[0] = child;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    make_schema(out);
    return 0;
}

static void release_array(struct ArrowArray *array) {
    if (array->n_children > 0) {
        if (array->children[0]->release != NULL) {
            array->children[0]->release(array->children[0]);
        }
        free(array->children[0]);
        free(array->children);
        batches--;
    } else {
        free((void *)array->buffers[1]);
    }
    free(array->buffers);
    array->release = NULL;
}

static void make_batch(struct ArrowArray *out) {
    struct ArrowArray *child = calloc(1, sizeof *child);
    *child = (struct ArrowArray){.length = 3, .n_buffers = 2, .release = release_array};
    child->buffers = calloc(2, sizeof(void *));
    int64_t *values = aligned_alloc(64, 64);
    for (int i = 0; i < 3; i++) {
        values[i] = i + 1;
    }
    child->buffers[1] = values;
    *out = (struct ArrowArray){.length = 3, .n_buffers = 1, .n_children = 1, .release = release_array};
    out->buffers = calloc(1, sizeof(void *));
    out->children = malloc(sizeof child);
    out->children[0] = child;
    batches++;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    struct stream *state = stream->private_data;
    memset(out, 0, sizeof *out);
    if (state->left > 0) {
        state->left--;
        make_batch(out);
        return 0;
    }
    if (state->then_waits && wait_at_gate()) {
        return ECANCELED;
    }
    if (state->then_fails) {
        if (state->error.release != NULL) {
            state->error.release(&state->error);
        }
        memset(&state->error, 0, sizeof state->error);
        state->error.vendor_code = INT32_MIN;
        fail(&state->error, INVALID_STATE, "%s", "the table is gone, says password=hunter2");
        return EIO;
    }
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream) { return "an error of the stream"; }

static void release_stream(struct ArrowArrayStream *stream) {
    struct stream *state = stream->private_data;
    if (state->error.release != NULL) {
        state->error.release(&state->error);
    }
    free(state);
    stream->release = NULL;
    streams--;
}

static void make_stream(struct ArrowArrayStream *out, const char *sql) {
    struct stream *state = calloc(1, sizeof *state);
    state->left = atoi(sql);
    state->then_fails = strstr(sql, "fails") != NULL;
    state->then_waits = strstr(sql, "waits") != NULL;
    *out = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, state};
    streams++;
}

static const struct AdbcError *error_of_stream(struct ArrowArrayStream *stream, AdbcStatusCode *status) {
    if (stream->release != release_stream) {
        return NULL;
    }
    struct stream *state = stream->private_data;
    *status = INVALID_STATE;
    return state->error.message == NULL ? NULL : &state->error;
}

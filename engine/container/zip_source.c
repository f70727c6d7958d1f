#include "engine/container/zip_source.h"

#include <string.h>

static zip_int64_t read_bytes(struct zip_source_state *s, void *to, uint64_t n)
{
    if (n > s->size - s->at)
        n = s->size - s->at;
    memcpy(to, s->data + s->at, (size_t)n);
    s->last_read = s->at;
    s->at += n;
    return (zip_int64_t)n;
}

static zip_int64_t seek(struct zip_source_state *s, void *to, uint64_t n)
{
    zip_int64_t at =
        s->lib->source_seek_compute_offset(s->at, s->size, to, n, &s->error);

    if (at < 0)
        return -1;
    s->at = (uint64_t)at;
    return 0;
}

static zip_int64_t tell_size(const struct zip_source_state *s, void *to,
                             uint64_t n)
{
    zip_stat_t st;

    s->lib->stat_init(&st);
    st.size = s->size;
    st.valid = ZIP_STAT_SIZE;
    if (n < sizeof(st))
        return -1;
    memcpy(to, &st, sizeof(st));
    return (zip_int64_t)sizeof(st);
}

/* What libzip asks of a source: zip_source_function(3). */
static zip_int64_t answer(void *state, void *data, zip_uint64_t n,
                          zip_source_cmd_t command)
{
    struct zip_source_state *s = state;

    switch (command) {
    case ZIP_SOURCE_OPEN:
        s->at = 0;
        return 0;
    case ZIP_SOURCE_READ:
        return read_bytes(s, data, n);
    case ZIP_SOURCE_SEEK:
        return seek(s, data, n);
    case ZIP_SOURCE_TELL:
        return (zip_int64_t)s->at;
    case ZIP_SOURCE_STAT:
        return tell_size(s, data, n);
    case ZIP_SOURCE_ERROR:
        return s->lib->error_to_data(&s->error, data, n);
    case ZIP_SOURCE_CLOSE:
        return 0;
    case ZIP_SOURCE_FREE:
        s->lib->error_fini(&s->error);
        return 0;
    case ZIP_SOURCE_SUPPORTS:
        return s->lib->source_make_command_bitmap(
            ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL,
            ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_CLOSE,
            ZIP_SOURCE_FREE, ZIP_SOURCE_SUPPORTS, -1);
    default:
        s->lib->error_set(&s->error, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
}

zip_source_t *zip_source_of(struct zip_source_state *state, zip_error_t *error)
{
    state->lib->error_init(&state->error);
    return state->lib->source_function_create(answer, state, error);
}

#include "symbols/find/expand.h"

#include <mspack.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/unpacking.h"
#include "engine/base/vec.h"

/* The library's file system: the cabinet is the one file
 * that can be read, and there is one output. */
struct memory {
    struct mspack_system system; /* the library hands this back */
    const uint8_t *data;
    size_t size;
    VEC(uint8_t) out;
    size_t room; /* that `out` may have */
};

struct handle {
    struct memory *memory;
    size_t at;
};

static struct mspack_file *open_handle(struct mspack_system *system,
                                       const char *name, int mode)
{
    struct handle *h = mem_new(1, sizeof(*h));

    (void)name, (void)mode;
    h->memory = (struct memory *)system;
    return (struct mspack_file *)h;
}

static void close_handle(struct mspack_file *file)
{
    free(file);
}

static int read_input(struct mspack_file *file, void *buffer, int wanted)
{
    struct handle *h = (struct handle *)file;
    size_t left = h->memory->size - h->at;
    size_t n = wanted < 0 ? 0 : (size_t)wanted;

    n = n < left ? n : left;
    if (n)
        memcpy(buffer, h->memory->data + h->at, n);
    h->at += n;
    return (int)n;
}

/* Memory grows with what comes out, not with what the cabinet claims. */
static int write_output(struct mspack_file *file, void *buffer, int given)
{
    struct memory *m = ((struct handle *)file)->memory;
    size_t n = given < 0 ? 0 : (size_t)given;

    if (given < 0 || n > m->room - m->out.len)
        return -1;
    vec_reserve(&m->out, n);
    if (n)
        memcpy(m->out.data + m->out.len, buffer, n);
    m->out.len += n;
    return given;
}

static int seek_input(struct mspack_file *file, off_t offset, int mode)
{
    struct handle *h = (struct handle *)file;
    off_t size = (off_t)h->memory->size;
    off_t from = mode == MSPACK_SYS_SEEK_START ? 0
                 : mode == MSPACK_SYS_SEEK_CUR ? (off_t)h->at
                                               : size;

    if (offset < -from || offset > size - from)
        return -1;
    h->at = (size_t)(from + offset);
    return 0;
}

static off_t tell_input(struct mspack_file *file)
{
    return (off_t)((struct handle *)file)->at;
}

static void say_nothing(struct mspack_file *file, const char *format, ...)
{
    (void)file, (void)format;
}

static void *allocate(struct mspack_system *system, size_t n)
{
    (void)system;
    return mem_new(n, 1);
}

static void copy(void *from, void *to, size_t n)
{
    memcpy(to, from, n);
}

static const struct mspack_system in_memory = {
    .open = open_handle,
    .close = close_handle,
    .read = read_input,
    .write = write_output,
    .seek = seek_input,
    .tell = tell_input,
    .message = say_nothing,
    .alloc = allocate,
    .free = free,
    .copy = copy,
};

static enum err_code check(const struct mscabd_cabinet *cabinet,
                           const struct memory *m, struct err *err)
{
    const struct mscabd_file *file = cabinet->files;

    if (file->next || file->offset)
        return err_set(err, ERR_UNSUPPORTED, "cabinet: more than one file");
    if (file->length > m->room)
        return err_set(err, ERR_LIMIT,
                       "cabinet: its file of %u bytes is larger than %llu",
                       file->length, (unsigned long long)m->room);
    if (file->length > unpack_most(m->size))
        return err_set(err, ERR_LIMIT,
                       "cabinet: unpacks to more than %d times its size",
                       UNPACK_RATIO);
    return ERR_NONE;
}

static enum err_code unpack(struct memory *m,
                            struct mscab_decompressor *decompressor,
                            struct mscabd_cabinet *cabinet, struct err *err)
{
    struct mscabd_file *file = cabinet->files;
    enum err_code code = check(cabinet, m, err);

    if (code)
        return code;
    if (decompressor->extract(decompressor, file, "") ||
        m->out.len != file->length)
        return err_set(err, ERR_CORRUPT,
                       "cabinet: damaged after %llu of %u bytes",
                       (unsigned long long)m->out.len, file->length);
    return ERR_NONE;
}

static enum err_code read_cabinet(struct memory *m, struct err *err)
{
    struct mscab_decompressor *decompressor =
        mspack_create_cab_decompressor(&m->system);
    struct mscabd_cabinet *cabinet;
    enum err_code code;

    if (!decompressor)
        return err_set(err, ERR_UNSUPPORTED,
                       "cabinet: the library refuses this system");
    cabinet = decompressor->open(decompressor, "");
    if (cabinet && cabinet->files)
        code = unpack(m, decompressor, cabinet, err);
    else
        code = err_set(err, ERR_CORRUPT, "cabinet: damaged at the beginning");
    if (cabinet)
        decompressor->close(decompressor, cabinet);
    mspack_destroy_cab_decompressor(decompressor);
    return code;
}

bool expand_probe(const uint8_t *data, size_t size)
{
    return size >= 4 && !memcmp(data, "MSCF", 4);
}

enum err_code expand_cab(const uint8_t *data, size_t size, size_t limit,
                         uint8_t **out, size_t *out_size, struct err *err)
{
    struct memory m = {
        .system = in_memory, .data = data, .size = size, .room = limit};
    enum err_code code = read_cabinet(&m, err);

    if (code) {
        vec_release(&m.out);
        return code;
    }
    *out = m.out.data;
    *out_size = m.out.len;
    return ERR_NONE;
}

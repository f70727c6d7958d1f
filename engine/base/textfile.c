#include "engine/base/textfile.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/reader.h"
#include "engine/base/strings.h"
#include "engine/base/text.h"
#include "engine/base/vec.h"

enum { MOST_BYTES = 16 << 20, TAB = 8 };

struct textfile {
    char *path;
    char *data;
    size_t size;
    VEC(struct bytes) lines;
    struct strings *strings; /* lines that were asked for */
};

/* A file may grow while it is read; bytes added then are ignored. */
static enum err_code read_all(struct textfile *t, FILE *file, struct err *err)
{
    struct stat st;

    if (fstat(fileno(file), &st))
        return err_set(err, ERR_IO, "%s: %s", t->path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return err_set(err, ERR_UNSUPPORTED, "%s: not a regular file", t->path);
    if (st.st_size > MOST_BYTES)
        return err_set(err, ERR_LIMIT, "%s: larger than %d MiB", t->path,
                       MOST_BYTES >> 20);
    t->data = mem_new(MOST_BYTES, 1);
    t->size = fread(t->data, 1, MOST_BYTES, file);
    if (ferror(file))
        return err_set(err, ERR_IO, "%s: cannot read", t->path);
    t->data = mem_resize(t->data, t->size + 1, 1);
    if (memchr(t->data, 0, t->size))
        return err_set(err, ERR_UNSUPPORTED, "%s: not a text file", t->path);
    return ERR_NONE;
}

static void split(struct textfile *t)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const char *at = t->data, *end = t->data + t->size;

    if (t->size >= 3 && !memcmp(at, mark, 3))
        at += 3;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t n = (size_t)((stop ? stop : end) - at);

        *vec_add(&t->lines) = (struct bytes){
            (const uint8_t *)at, n && at[n - 1] == '\r' ? n - 1 : n};
        at += n + 1;
    }
}

struct textfile *textfile_open(const char *path, struct err *err)
{
    /* Without waiting for the other end of a pipe or a device. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    struct textfile *t;
    enum err_code code;

    if (fd >= 0 && !file)
        close(fd);
    if (!file) {
        mem_check_errno();
        err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s: %s", path,
                strerror(errno));
        return NULL;
    }
    t = mem_new(1, sizeof(*t));
    t->path = text_dup(path);
    t->strings = strings_new();
    code = read_all(t, file, err);
    fclose(file);
    if (code) {
        textfile_close(t);
        return NULL;
    }
    split(t);
    return t;
}

void textfile_close(struct textfile *t)
{
    if (!t)
        return;
    strings_free(t->strings);
    vec_release(&t->lines);
    free(t->data);
    free(t->path);
    free(t);
}

const char *textfile_path(const struct textfile *t)
{
    return t->path;
}

size_t textfile_lines(const struct textfile *t)
{
    return t->lines.len;
}

/* Columns are counted in characters: the bytes that begin one. */
const char *textfile_line(struct textfile *t, size_t line)
{
    struct bytes raw;
    size_t n = 0, column = 0;
    uint32_t id;
    char *text;

    assert(line && line <= t->lines.len);
    raw = t->lines.data[line - 1];
    text = mem_new(raw.len + 1, TAB);
    for (size_t i = 0; i < raw.len; i++) {
        size_t blanks = raw.data[i] == '\t' ? TAB - column % TAB : 0;

        if (blanks)
            memset(text + n, ' ', blanks);
        else
            text[n] = (char)raw.data[i];
        n += blanks ? blanks : 1;
        column += blanks ? blanks : (raw.data[i] & 0xC0) != 0x80;
    }
    id = strings_add(t->strings, text, n);
    free(text);
    return strings_get(t->strings, id);
}

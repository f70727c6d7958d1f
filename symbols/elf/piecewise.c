#include "symbols/elf/piecewise.h"

#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "engine/base/mem.h"
#include "engine/base/pages.h"
#include "engine/base/vec.h"
#include "symbols/elf/inflate.h"

/* A state of the decoder takes 90 KiB. */
enum { PAGE = 4096, MOST_SEGMENTS = 64, LEAST_SEGMENT = 1 << 20 };

/* One part of so many is much of a section. */
enum { MUCH = 2 };

/* One decoder is copied for each segment, with the window that it looks back
 * into: it points at nothing but what it reads and writes. */
struct piecewise {
    struct bytes packed;
    bool of_file, broken;
    uint8_t *plain;
    size_t size, segment;
    uint8_t *there; /* for each page, whether */
    VEC(struct { struct inflate_state *at; }) starts; /* of segments */
    struct inflate_state *pass; /* behind the last segment unpacked */
    uint8_t *scratch;           /* which is here */
    size_t passed;              /* segments */
    size_t kept;                /* pages */
};

static size_t pages_of(size_t n)
{
    return n / PAGE + (n % PAGE != 0);
}

/* Not in large pages, each of which would be there for any of its bytes. */
static uint8_t *address_space(size_t n)
{
    uint8_t *room = mmap(NULL, n, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (room == MAP_FAILED)
        mem_exhausted(n);
    (void)madvise(room, n, MADV_NOHUGEPAGE);
    return room;
}

struct piecewise *piecewise_new(struct bytes packed, uint64_t size,
                                bool of_file, struct err *err)
{
    struct piecewise *p;

    if (!inflate_allows(packed.len, size, err) || packed.len > UINT32_MAX)
        return NULL;
    p = mem_new(1, sizeof(*p));
    p->packed = packed;
    p->of_file = of_file;
    p->size = (size_t)size;
    p->segment = pages_of(p->size / MOST_SEGMENTS + 1) * PAGE;
    if (p->segment < LEAST_SEGMENT)
        p->segment = LEAST_SEGMENT;
    /* The decoder is told of room for a byte more, to see that none comes. */
    p->plain = address_space(p->size + 1);
    p->there = mem_new(pages_of(p->size) + 1, 1);
    p->scratch = mem_new(p->segment + 1, 1);
    p->pass = mem_new(1, sizeof(*p->pass));
    isal_inflate_init(p->pass);
    p->pass->crc_flag = ISAL_ZLIB;
    p->pass->next_in = (uint8_t *)packed.data;
    p->pass->avail_in = (uint32_t)packed.len;
    return p;
}

void piecewise_free(struct piecewise *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->starts.len; i++)
        free(p->starts.data[i].at);
    vec_release(&p->starts);
    free(p->pass);
    free(p->scratch);
    free(p->there);
    munmap(p->plain, p->size + 1);
    free(p);
}

struct bytes piecewise_bytes(const struct piecewise *p)
{
    return (struct bytes){p->plain, p->size};
}

static size_t segment_end(const struct piecewise *p, size_t number)
{
    size_t start = number * p->segment;

    return p->size - start < p->segment ? p->size : start + p->segment;
}

/* The segment that the state stands before; its end leaves no byte over. */
static bool unpack(const struct piecewise *p, struct inflate_state *state,
                   size_t number, uint8_t *to)
{
    size_t n = segment_end(p, number) - number * p->segment;
    bool last = segment_end(p, number) == p->size;
    const uint8_t *from = state->next_in;
    bool good = true;

    state->next_out = to;
    state->avail_out = (uint32_t)(n + last);
    while (state->avail_out && state->block_state != ISAL_BLOCK_FINISH) {
        uint32_t left = state->avail_out, input = state->avail_in;

        good = isal_inflate(state) == ISAL_DECOMP_OK;
        if (!good || (state->avail_out == left && state->avail_in == input))
            break;
    }
    if (p->of_file)
        pages_forget(from, (size_t)(state->next_in - from));
    if (!last)
        return good && !state->avail_out;
    return good && state->avail_out == 1 &&
           state->block_state == ISAL_BLOCK_FINISH;
}

static struct inflate_state *copy_of(const struct inflate_state *state)
{
    struct inflate_state *copy = mem_new(1, sizeof(*copy));

    *copy = *state;
    return copy;
}

/* A segment in its place. */
static bool unpack_kept(struct piecewise *p, struct inflate_state *state,
                        size_t number)
{
    size_t start = number * p->segment;
    size_t pages = pages_of(segment_end(p, number) - start);

    p->kept += pages;
    memset(p->there + start / PAGE, true, pages);
    return unpack(p, state, number, p->plain + start);
}

/* One more of the first pass. Where much is asked for, so will be the rest. */
static bool pass_one(struct piecewise *p)
{
    size_t number = p->passed++;
    bool much = p->kept > number * (p->segment / PAGE) / MUCH;

    vec_add(&p->starts)->at = copy_of(p->pass);
    return much && number >= MUCH ? unpack_kept(p, p->pass, number)
                                  : unpack(p, p->pass, number, p->scratch);
}

static void keep_page(struct piecewise *p, size_t page)
{
    size_t at = page * PAGE, start = (p->passed - 1) * p->segment;
    size_t n = p->size - at < PAGE ? p->size - at : PAGE;

    memcpy(p->plain + at, p->scratch + (at - start), n);
    p->there[page] = true;
    p->kept++;
}

/* What was passed can be unpacked, or the pass would have ended there. */
static bool unpack_again(struct piecewise *p, size_t number)
{
    struct inflate_state *state = copy_of(p->starts.data[number].at);
    bool good = unpack_kept(p, state, number);

    free(state);
    return good;
}

static bool need_page(struct piecewise *p, size_t page)
{
    size_t number = page / (p->segment / PAGE);

    if (p->there[page])
        return true;
    if (number + 1 < p->passed)
        return unpack_again(p, number);
    while (p->passed <= number)
        if (!pass_one(p))
            return false;
    if (!p->there[page])
        keep_page(p, page);
    return true;
}

bool piecewise_need(struct piecewise *p, size_t from, size_t n, struct err *err)
{
    size_t last;

    if (from >= p->size || !n)
        return true;
    if (n > p->size - from)
        n = p->size - from;
    last = (from + n - 1) / PAGE;
    for (size_t page = from / PAGE; page <= last && !p->broken; page++)
        if (!need_page(p, page)) {
            p->broken = true;
            err_set(err, ERR_CORRUPT, "does not unpack as zlib data");
        }
    return !p->broken;
}

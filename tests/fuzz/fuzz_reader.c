/* The reader's own promises: the input is a program of reads over itself. */
#include "engine/base/reader.h"
#include "tests/fuzz/target.h"

/* Touches every byte of a slice, so that a sanitizer sees a wrong one. */
static unsigned touch(struct bytes b)
{
    unsigned sum = 0;

    for (size_t i = 0; i < b.len; i++)
        sum += b.data[i];
    return sum;
}

static void check(const struct reader *r)
{
    if (r->pos > r->len || (r->failed && reader_more(r)))
        abort();
}

static void step(struct reader *r, uint8_t op, uint8_t n)
{
    struct reader other;

    switch (op % 10) {
    case 0:
        touch(reader_cstr(r));
        break;
    case 1:
        touch(reader_utf16(r));
        break;
    case 2:
        touch(reader_bytes(r, n));
        break;
    case 3:
        reader_uleb(r);
        break;
    case 4:
        reader_align(r, (size_t)1 << n % 5);
        break;
    case 5:
        if (reader_count(r, n + 1u, "count") * (n + 1ull) > reader_left(r))
            abort();
        break;
    case 6:
        other = reader_sub(r, n, "part");
        touch(reader_bytes(&other, reader_left(&other)));
        check(&other);
        break;
    case 7:
        other = reader_at(r, reader_u64(r), "offset");
        touch(reader_cstr(&other));
        check(&other);
        break;
    case 8:
        reader_ptr(r, n & 1 ? 8 : 4);
        break;
    default:
        reader_skip(r, n);
        break;
    }
}

FUZZ(reader)
{
    struct err err = {0};
    struct reader r = reader_of("fuzz", data, size, 0, &err);

    while (reader_more(&r)) {
        uint8_t op = reader_u8(&r), n = reader_u8(&r);

        step(&r, op, n);
        check(&r);
    }
    if (r.failed != (err.code != ERR_NONE) && r.failed)
        abort();
    return 0;
}

/* The containers of a PDB, MSF and MSFZ: headers that cannot be, streams that
 * reach out of the file, and what may come out of packed parts. */
#include "symbols/pdb/msf.h"

#include "tests/support/blob.h"
#include "tests/support/msf_writer.h"
#include "tests/support/suite.h"

enum { BLOCK = 512, BYTES = 3 * BLOCK + 100, BIG = 9000 };

/* Streams: one of four blocks, none, and one that takes more fragments. */
static struct msf_copy streams(void)
{
    struct msf_copy copy = {.count = 0};
    uint8_t bytes[BIG];

    for (size_t i = 0; i < BIG; i++)
        bytes[i] = (uint8_t)(i * 7 + i / 256);
    msf_copy_add(&copy, bytes, BYTES);
    msf_copy_add(&copy, NULL, 0);
    msf_copy_add(&copy, bytes, BIG);
    return copy;
}

static uint8_t *plain(size_t *size)
{
    struct msf_copy copy = streams();
    uint8_t *file = msf_write(&copy, BLOCK, 0, size);

    msf_copy_release(&copy);
    return file;
}

static uint8_t *packed(size_t *size)
{
    struct msf_copy copy = streams();
    uint8_t *file = msfz_write(&copy, size);

    msf_copy_release(&copy);
    return file;
}

static void store(uint8_t *to, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

struct change {
    size_t at;
    unsigned width;
    uint64_t value;
    enum err_code code;
};

static void check_header(uint8_t *(*make)(size_t *size),
                         const struct change *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct err err = {0};
        struct msf msf;
        size_t size;
        uint8_t *file = make(&size);

        store(file + rows[i].at, rows[i].value, rows[i].width);
        ck_assert_msg(msf_open(&msf, "made", file, size, &err) == rows[i].code,
                      "row %zu: %s", i, err.message);
        ck_assert_int_eq(err.code, rows[i].code);
        msf_release(&msf);
        free(file);
    }
}

TEST(plain_headers)
{
    static const struct change rows[] = {
        {0, 1, 'N', ERR_UNSUPPORTED},   {32, 4, 0, ERR_CORRUPT},
        {32, 4, 256, ERR_CORRUPT},      {32, 4, 768, ERR_CORRUPT},
        {32, 4, 65536, ERR_CORRUPT},    {40, 4, 3, ERR_TRUNCATED},
        {44, 4, 1 << 20, ERR_CORRUPT},  {44, 4, 0, ERR_TRUNCATED},
        {52, 4, 100000, ERR_TRUNCATED}, {36, 4, 2, ERR_NONE},
        {48, 4, 77, ERR_NONE},
    };

    check_header(plain, rows, COUNT(rows));
}

TEST(packed_headers)
{
    static const struct change rows[] = {
        {0, 1, 'N', ERR_UNSUPPORTED},
        {32, 8, 1, ERR_UNSUPPORTED},     /* version */
        {40, 8, 1 << 20, ERR_TRUNCATED}, /* place of the directory */
        {48, 8, 1 << 20, ERR_TRUNCATED}, /* and of the chunk table */
        {56, 4, 1 << 20, ERR_CORRUPT},   /* streams */
        {56, 4, 4, ERR_CORRUPT},
        {56, 4, 2, ERR_NONE},
        {60, 4, 1, ERR_CORRUPT}, /* which is not compressed */
        {60, 4, 2, ERR_CORRUPT},
        {64, 4, 1 << 20, ERR_TRUNCATED}, /* as stored */
        {68, 4, 8, ERR_CORRUPT},         /* and as it comes out */
        {68, 4, (64 << 20) + 1, ERR_TRUNCATED},
        {72, 4, 3, ERR_TRUNCATED}, /* chunks */
        {72, 4, 0, ERR_NONE},
    };

    check_header(packed, rows, COUNT(rows));
}

/* Cut off at any length, a header is none. */
TEST(cut_off)
{
    static const size_t header[] = {56, 80};

    for (int i = 0; i < 2; i++) {
        size_t size;
        uint8_t *file = i ? packed(&size) : plain(&size);

        for (size_t n = 0; n < header[i]; n++) {
            struct err err = {0};
            struct msf msf;

            ck_assert(msf_probe(file, n) == (n >= 32));
            ck_assert_int_eq(msf_open(&msf, "made", file, n, &err),
                             n < 32 ? ERR_UNSUPPORTED : ERR_TRUNCATED);
            msf_release(&msf);
        }
        free(file);
    }
}

/* From and to any byte of a stream, and not one further. */
TEST(parts_of_streams)
{

    for (int i = 0; i < 2; i++) {
        struct arena copies = {0};
        struct err err = {0};
        struct msf_copy want = streams();
        struct msf msf;
        size_t size;
        uint8_t *file = i ? packed(&size) : plain(&size);
        uint8_t part[BIG];

        ck_assert(!msf_open(&msf, "made", file, size, &err));
        ck_assert_uint_eq(msf_size(&msf, 0), BYTES);
        ck_assert_uint_eq(msf_size(&msf, 1), 0);
        ck_assert_uint_eq(msf_size(&msf, 3), 0);
        for (size_t at = 0; at <= BYTES; at += 37)
            for (size_t n = 0; n <= BYTES - at; n += 211) {
                const uint8_t *view = msf_view(&msf, 0, at, n, &copies);

                ck_assert(msf_copy(&msf, 0, at, part, n));
                if (n)
                    ck_assert_mem_eq(part, want.streams[0].data + at, n);
                if (n)
                    ck_assert_mem_eq(view, part, n);
            }
        ck_assert(msf_copy(&msf, 2, 0, part, BIG));
        ck_assert_mem_eq(part, want.streams[2].data, BIG);
        ck_assert(msf_copy(&msf, 2, BIG - 1, part, 1));
        ck_assert(!msf_copy(&msf, 2, BIG - 1, part, 2));
        ck_assert(!msf_copy(&msf, 2, BIG, part, 1));
        ck_assert(!msf_copy(&msf, 2, BIG + 1, part, 0));
        ck_assert(!msf_copy(&msf, 1, 0, part, 1));
        ck_assert(!msf_copy(&msf, 3, 0, part, 0));
        ck_assert_ptr_null(msf_view(&msf, 2, BIG - 1, 2, &copies));
        ck_assert_ptr_null(msf_view(&msf, 2, BIG + 1, 0, &copies));
        ck_assert(msf_view(&msf, 2, BIG, 0, &copies) != NULL);
        ck_assert_ptr_null(msf_view(&msf, 3, 0, 1, &copies));
        ck_assert(!msf.refused);
        msf_copy_release(&want);
        msf_release(&msf);
        arena_release(&copies);
        free(file);
    }
}

/* A block outside the file ends its stream, a size that the directory or the
 * file cannot have makes it empty; the others are as they were. */
TEST(damaged_streams)
{
    static const struct {
        size_t word; /* of the directory */
        uint32_t value, first, last;
    } rows[] = {
        {1, UINT32_MAX, 0, BIG},     {4, 1000, 0, BIG},
        {6, 1000, 2 * BLOCK, BIG},   {7, 1000, 3 * BLOCK, BIG},
        {3, 1 << 20, BYTES, 0},      {3, BIG + BLOCK, BYTES, 0},
        {2, UINT32_MAX, BYTES, BIG},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct err err = {0};
        struct msf msf;
        uint8_t byte, *file, *list;
        size_t size;

        file = plain(&size);
        list = file + load_u32(file + 52) * BLOCK;
        store(file + load_u32(list) * BLOCK + 4 * rows[i].word, rows[i].value,
              4);
        ck_assert(!msf_open(&msf, "made", file, size, &err));
        if (rows[i].word == 1) /* whose blocks are not there either */
            ck_assert(!msf_copy(&msf, 0, 0, &byte, 1));
        (void)msf_copy(&msf, 0, 0, &byte, 1);
        (void)msf_copy(&msf, 2, 0, &byte, 1);
        ck_assert_uint_eq(msf_size(&msf, 0), rows[i].first);
        if (rows[i].word != 1)
            ck_assert_uint_eq(msf_size(&msf, 2), rows[i].last);
        msf_release(&msf);
        free(file);
    }
}

/* Fragments that lie nowhere end a stream or cannot be read. */
TEST(damaged_fragments)
{
    uint8_t part[BYTES], *file, *directory, *chunks;
    struct err err = {0};
    struct msf msf;
    size_t size;

    file = packed(&size);
    directory = file + load_u64(file + 40);
    chunks = file + load_u64(file + 48);
    store(chunks + 8, 9, 4);          /* compressed in no known way */
    store(directory + 12 + 24, 1, 4); /* of stream 2: elsewhere in the file */
    ck_assert(!msf_open(&msf, "made", file, size, &err));
    ck_assert(!msf_copy(&msf, 0, 0, part, 1));
    ck_assert(!msf.refused);
    msf_release(&msf);
    free(file);

    file = packed(&size);
    chunks = file + load_u64(file + 48);
    store(chunks + 16, (64 << 20) + 1, 4);
    ck_assert(!msf_open(&msf, "made", file, size, &err));
    ck_assert(!msf_copy(&msf, 0, 0, part, 1));
    ck_assert(msf.refused);
    msf_release(&msf);
    free(file);

    file = packed(&size);
    chunks = file + load_u64(file + 48);
    store(chunks, size, 8);
    ck_assert(!msf_open(&msf, "made", file, size, &err));
    ck_assert(!msf_copy(&msf, 0, 0, part, 1));
    ck_assert(!msf.refused);
    msf_release(&msf);
    free(file);

    file = packed(&size);
    directory = file + load_u64(file + 40);
    store(directory + 8, 0x80000002u, 4); /* chunk 2 of 2 */
    ck_assert(!msf_open(&msf, "made", file, size, &err));
    ck_assert(!msf_copy(&msf, 0, 0, part, 1));
    msf_release(&msf);
    free(file);
}

/* A stream may be absent. */
TEST(absent_streams)
{
    uint8_t byte, *file, *directory;
    struct err err = {0};
    struct msf msf;
    size_t size;

    file = packed(&size);
    directory = file + load_u64(file + 40);
    store(directory, UINT32_MAX, 4);
    store(file + 56, 1, 4);
    ck_assert(!msf_open(&msf, "made", file, size, &err));
    ck_assert_uint_eq(msf.stream_count, 1);
    ck_assert_uint_eq(msf_size(&msf, 0), 0);
    ck_assert(!msf_copy(&msf, 0, 0, &byte, 1));
    msf_release(&msf);
    free(file);
}

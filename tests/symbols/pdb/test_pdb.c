/* One PDB in many containers, and what the world may do to it. */
#include "symbols/debug.h"
#include "symbols/pdb/pdb.h"
#include "tests/support/msf_writer.h"
#include "tests/support/suite.h"

#define SAMPLE "testdata/pdb/mixer.pdb"

enum {
    FIRST = 0xFF0,
    LAST = 0x1200,
    INFO = 1,
    DBI = 3,
    IPI = 4,
    SHIFT = 0x500
};

static struct debug_file *open_bytes(const uint8_t *bytes, size_t size)
{
    struct err err = {0};
    struct debug_file *file = debug_open("copy.pdb", bytes, size, &err);

    ck_assert_msg(file != NULL, "%s", err.message);
    return file;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static void assert_same_at(struct debug_file *a, struct debug_file *b,
                           uint64_t rva_a, uint64_t rva_b)
{
    struct debug_frame x[DEBUG_FRAMES_MAX], y[DEBUG_FRAMES_MAX];
    size_t n = debug_frames(a, rva_a, x, DEBUG_FRAMES_MAX);

    ck_assert_uint_eq(debug_frames(b, rva_b, y, DEBUG_FRAMES_MAX), n);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(same_text(x[i].function, y[i].function) &&
                          same_text(x[i].file, y[i].file) &&
                          x[i].line == y[i].line &&
                          x[i].inlined == y[i].inlined,
                      "0x%llx: frame %zu: %s", (unsigned long long)rva_a, i,
                      y[i].function);
}

/* The written file answers like the sample; both are freed. */
static void assert_like_sample(uint8_t *bytes, size_t size, uint32_t shift)
{
    struct debug_file *copy = open_bytes(bytes, size), *sample;
    uint8_t *original;

    original = read_whole_file(SAMPLE, &size);
    sample = open_bytes(original, size);
    ck_assert_mem_eq(sample->identity.guid, copy->identity.guid, 16);
    ck_assert_uint_eq(sample->identity.age, copy->identity.age);
    for (uint32_t rva = FIRST; rva < LAST; rva++)
        assert_same_at(sample, copy, rva, rva + shift);
    debug_close(sample);
    debug_close(copy);
    free(original);
    free(bytes);
}

TEST(every_block_size_and_order)
{
    static const uint32_t sizes[] = {512, 1024, 2048, 4096, 8192, 32768};
    struct msf_copy copy;
    uint8_t *bytes;
    size_t size;

    ck_assert(msf_copy_read(&copy, SAMPLE));
    for (size_t i = 0; i < COUNT(sizes); i++) {
        for (unsigned seed = 0; seed < 4; seed++) {
            bytes = msf_write(&copy, sizes[i], seed, &size);
            assert_like_sample(bytes, size, 0);
        }
    }
    msf_copy_release(&copy);
}

TEST(msfz)
{
    struct msf_copy copy;
    uint8_t *bytes;
    size_t size;

    ck_assert(msf_copy_read(&copy, SAMPLE));
    bytes = msfz_write(&copy, &size);
    assert_like_sample(bytes, size, 0);
    msf_copy_release(&copy);
}

static void store_u16(uint8_t *to, uint32_t value)
{
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
}

/* The optional debug header is the last part of the DBI stream. */
static uint8_t *debug_header(struct msf_copy *copy)
{
    struct msf_copy_stream *dbi = &copy->streams[DBI];

    return dbi->data + dbi->size - load_u32(dbi->data + 48);
}

TEST(omap_moves_addresses_back)
{
    /* Below: made by the rearranging. Then all code, further up. */
    static const uint8_t omap[] = {
        0x00, 0x00, 0,    0,    0x00, 0x00, 0, 0, 0x00, 0x10 + SHIFT / 256,
        0,    0,    0x00, 0x10, 0,    0,
    };
    struct debug_frame frame;
    struct debug_file *file;
    struct msf_copy copy;
    uint8_t *bytes, *header;
    size_t size;

    ck_assert(msf_copy_read(&copy, SAMPLE));
    header = debug_header(&copy);
    store_u16(header + 20, load_u16(header + 10));
    store_u16(header + 6, msf_copy_add(&copy, omap, sizeof(omap)));
    bytes = msf_write(&copy, 4096, 0, &size);
    file = open_bytes(bytes, size);
    ck_assert_uint_eq(debug_frames(file, 0x1030, &frame, 1), 0);
    debug_close(file);
    assert_like_sample(bytes, size, SHIFT);
    msf_copy_release(&copy);
}

/* Offset of a record behind the header of a stream of types or ids. */
static uint32_t record_offset(const struct msf_copy_stream *types, uint32_t n)
{
    const uint8_t *records = types->data + load_u32(types->data + 4);
    uint32_t at = 0;

    for (uint32_t i = 0; i < n; i++)
        at += load_u16(records + at) + 2u;
    return at;
}

/* The inlined frames at 0x1030 of the sample with the record of mix_twice
 * broken, and an index of ids that begin at each of `places`. */
static void assert_by_index(const uint32_t *places, size_t count,
                            const char *innermost)
{
    struct debug_frame f[3];

    uint8_t pairs[8 * 4], *bytes, *ids;
    struct debug_file *file;
    struct msf_copy copy;
    size_t size;

    ck_assert(msf_copy_read(&copy, SAMPLE));
    ids = copy.streams[IPI].data;
    for (size_t i = 0; i < count; i++) {
        store_u32(pairs + 8 * i, 0x1000 + places[i]);
        store_u32(pairs + 8 * i + 4,
                  record_offset(&copy.streams[IPI], places[i]));
    }
    store_u16(ids + 20, msf_copy_add(&copy, pairs, 8 * count));
    store_u32(ids + 40, 0);
    store_u32(ids + 44, (uint32_t)(8 * count));
    store_u16(ids + load_u32(ids + 4) + record_offset(&copy.streams[IPI], 1),
              0);
    bytes = msf_write(&copy, 4096, 0, &size);
    file = open_bytes(bytes, size);
    ck_assert_uint_eq(debug_frames(file, 0x1030, f, 3), 3);
    ck_assert_str_eq(f[0].function, innermost);
    ck_assert_str_eq(f[1].function, "<inlined>");
    ck_assert_str_eq(f[2].function, "mixer::rounds");
    debug_close(file);
    msf_copy_release(&copy);
    free(bytes);
}

/* Records are reached from the nearest place before them, not all from the
 * first. */
TEST(ids_are_found_by_their_index)
{
    static const uint32_t every[] = {0, 2, 4, 8}, late[] = {0, 3, 4};

    assert_by_index(every, 4, "mixer::mix");
    assert_by_index(late, 3, "<inlined>");
}

TEST(other_files_are_refused)
{
    static const char old[64] = "Microsoft C/C++ program database 2.00\r\n";
    struct err err = {0};

    ck_assert_ptr_null(
        debug_open("old.pdb", (const uint8_t *)old, sizeof(old), &err));
    ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
}

/* Else it would be one of another build, of GUID or age 0. */
TEST(a_zeroed_stream_is_damage)
{
    static const unsigned streams[] = {INFO, DBI};

    for (size_t i = 0; i < 2; i++) {
        struct err err = {0};
        struct msf_copy copy;
        uint8_t *bytes;
        size_t size;

        ck_assert(msf_copy_read(&copy, SAMPLE));
        memset(copy.streams[streams[i]].data, 0, copy.streams[streams[i]].size);
        bytes = msf_write(&copy, 4096, 0, &size);
        ck_assert_ptr_null(debug_open("copy.pdb", bytes, size, &err));
        ck_assert_int_eq(err.code, ERR_CORRUPT);
        free(bytes);
        msf_copy_release(&copy);
    }
}

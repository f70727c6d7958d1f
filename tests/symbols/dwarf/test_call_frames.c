/* Call frame information entry by entry, in both kinds of section, and the
 * forms of its addresses. */
#include "symbols/dwarf/call_frames.h"

#include "tests/support/blob.h"
#include "tests/support/suite.h"

enum { AT = 0x4000, START = 0x1000, SIZE = 0x40, RETURNS = 16 };

/* ---- addresses ---- */

static const struct {
    uint8_t encoding, bytes[8], size; /* 0: it cannot be read */
    uint64_t value;
} pointers[] = {
    {0x00, {1, 2, 3, 4, 5, 6, 7, 8}, 8, 0x0807060504030201},
    {0x01, {0x85, 0x01}, 2, 133},
    {0x02, {0xFE, 0xFF}, 2, 0xFFFE},
    {0x03, {0xFE, 0xFF, 0xFF, 0xFF}, 4, 0xFFFFFFFE},
    {0x04, {1, 2, 3, 4, 5, 6, 7, 8}, 8, 0x0807060504030201},
    {0x09, {0x7B}, 1, (uint64_t)-5},
    {0x0A, {0xFE, 0xFF}, 2, (uint64_t)-2},
    {0x0B, {0xFE, 0xFF, 0xFF, 0xFF}, 4, (uint64_t)-2},
    {0x0C, {0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, 8, (uint64_t)-2},
    {0x10, {0, 1}, 8, AT + 0x20 + 3 + 0x100}, /* from its own place */
    {0x1B, {0xFE, 0xFF, 0xFF, 0xFF}, 4, AT + 0x20 + 3 - 2},
    {0x05, {0}, 0, 0},
    {0x20, {0}, 0, 0},
    {0x30, {0}, 0, 0},
    {0x3B, {0}, 0, 0},
    {0xFF, {0}, 0, 0},
};

TEST(forms_of_addresses)
{
    const struct frame_pointers wide = {AT, true}, narrow = {AT, false};

    for (size_t i = 0; i < COUNT(pointers); i++) {
        uint8_t bytes[11] = {0};
        struct reader r = reader_of("pointer", bytes, 11, 0x20, NULL);
        uint64_t value;

        memcpy(bytes + 3, pointers[i].bytes, 8);
        r.pos = 3;
        value = frame_pointer_read(&wide, &r, pointers[i].encoding);
        ck_assert_msg(r.failed == !pointers[i].size, "row %zu", i);
        if (r.failed)
            continue;
        ck_assert_msg(value == pointers[i].value, "row %zu: 0x%llx", i,
                      (unsigned long long)value);
        ck_assert_uint_eq(r.pos, 3u + pointers[i].size);
        r.pos = 3;
        if (!(pointers[i].encoding & 0x0F))
            ck_assert_uint_eq(
                frame_pointer_read(&narrow, &r, pointers[i].encoding),
                (uint32_t)load_u32(pointers[i].bytes) +
                    (pointers[i].encoding ? AT + 0x23 : 0));
    }
}

/* ---- sections ---- */

struct section {
    struct blob b;
    bool is_debug, is_long;
    size_t common, begun;
};

static void entry_begin(struct section *s)
{
    if (s->is_long)
        blob_u32(&s->b, UINT32_MAX);
    blob_number(&s->b, 0, s->is_long ? 8 : 4);
    s->begun = s->b.len;
}

static void entry_end(struct section *s)
{
    unsigned width = s->is_long ? 8 : 4;

    blob_set(&s->b, s->begun - width, s->b.len - s->begun, width);
}

static void put_id(struct section *s, uint64_t id)
{
    blob_number(&s->b, id, s->is_long && s->is_debug ? 8 : 4);
}

/* Writes the CIE that functions share: addresses of four bytes if there is an
 * R, and a frame at register 7 + 8. */
static void put_common(struct section *s, uint8_t version, const char *letters,
                       const uint8_t *data, size_t n)
{
    s->common = s->b.len;
    entry_begin(s);
    put_id(s, s->is_debug ? UINT64_MAX : 0);
    blob_u8(&s->b, version);
    blob_bytes(&s->b, letters, strlen(letters) + 1);
    if (version == 4)
        blob_bytes(&s->b, "\10\0", 2);
    blob_pack(&s->b, "BBB", 1, 0x78, RETURNS);
    if (*letters == 'z')
        blob_u8(&s->b, (uint8_t)n);
    blob_bytes(&s->b, data, n);
    blob_bytes(&s->b, (const uint8_t[]){0x0C, 7, 8, 0x80 | RETURNS, 1}, 5);
    entry_end(s);
}

/* A function whose frame is at register 7 + 16 from its byte 4. */
static void put_function(struct section *s, unsigned width, uint64_t start,
                         uint64_t size, bool has_data)
{
    entry_begin(s);
    put_id(s, s->is_debug ? s->common : s->begun - s->common);
    blob_number(&s->b, start, width);
    blob_number(&s->b, size, width);
    if (has_data)
        blob_bytes(&s->b, "\2xx", 3);
    blob_bytes(&s->b, (const uint8_t[]){0x44, 0x0E, 16}, 3);
    entry_end(s);
}

/* Where rules are found, and at which distance the frame is. */
struct want {
    uint64_t address;
    int64_t frame; /* 0: there are none */
};

static void check(struct section *s, const struct want *want, size_t n)
{
    const struct call_frames_section section = {
        {s->b.data, s->b.len}, AT, s->is_debug, true};
    struct call_frames *f = call_frames_open(&section);

    for (size_t i = 0; i < n; i++) {
        struct frame_row row = {0};
        bool good = call_frames_find(f, want[i].address, &row);

        ck_assert_msg(good == (want[i].frame > 0), "0x%llx",
                      (unsigned long long)want[i].address);
        if (good)
            ck_assert_int_eq(row.frame.offset, want[i].frame);
    }
    call_frames_close(f);
    s->b.len = 0;
}

static const struct want one[] = {{START - 1, 0},         {START, 8},
                                  {START + 3, 8},         {START + 4, 16},
                                  {START + SIZE - 1, 16}, {START + SIZE, 0}};

#define CHECK(s, want) check(s, want, sizeof(want) / sizeof(*(want)))

/* Each version and each augmentation whose size is known. */
TEST(commons)
{
    struct section s = {.is_debug = false};

    for (int is_debug = 0; is_debug < 2; is_debug++)
        for (int is_long = 0; is_long < 2; is_long++) {
            s.is_debug = is_debug;
            s.is_long = is_long;
            for (uint8_t version = 1; version <= 4; version++) {
                put_common(&s, version, "", NULL, 0);
                put_function(&s, 8, START, SIZE, false);
                CHECK(&s, one);
                put_common(&s, version, "zR", (const uint8_t[]){3}, 1);
                put_function(&s, 4, START, SIZE, true);
                CHECK(&s, one);
            }
            put_common(&s, 1, "zPLSBR",
                       (const uint8_t[]){3, 1, 2, 3, 4, 0xFF, 3}, 7);
            put_function(&s, 4, START, SIZE, true);
            CHECK(&s, one);
        }
    free(s.b.data);
}

/* A signal's frame says so. */
TEST(signals)
{
    struct section s = {.is_debug = false};

    for (int is_signal = 0; is_signal < 2; is_signal++) {
        struct call_frames_section section = {.address = AT, .wide = true};
        struct call_frames *f;
        struct frame_row row = {0};

        s.b.len = 0;
        put_common(&s, 1, is_signal ? "zRS" : "zR", (const uint8_t[]){3}, 1);
        put_function(&s, 4, START, SIZE, true);
        section.bytes = (struct bytes){s.b.data, s.b.len};
        f = call_frames_open(&section);
        ck_assert(call_frames_find(f, START, &row));
        ck_assert(row.signal == is_signal);
        call_frames_close(f);
    }
    free(s.b.data);
}

/* An unknown augmentation, a register that is not kept, and a function of no
 * size, or that goes round, are left out, not what is behind them. */
TEST(left_out)
{
    static const struct want second[] = {{START, 0}, {START + SIZE, 8}};
    struct section s = {.is_debug = false};
    size_t at;

    put_common(&s, 1, "eh", NULL, 0);
    put_function(&s, 8, START, SIZE, false);
    put_common(&s, 1, "", NULL, 0);
    put_function(&s, 8, START + SIZE, SIZE, false);
    CHECK(&s, second);
    put_common(&s, 1, "", NULL, 0);
    blob_set(&s.b, s.b.len - 6, FRAME_REGISTERS, 1);
    put_function(&s, 8, START, SIZE, false);
    put_common(&s, 1, "", NULL, 0);
    put_function(&s, 8, START + SIZE, SIZE, false);
    CHECK(&s, second);
    put_common(&s, 1, "", NULL, 0);
    put_function(&s, 8, START, 0, false);
    put_function(&s, 8, START, UINT64_MAX, false);
    put_function(&s, 8, START + SIZE, SIZE, false);
    CHECK(&s, second);
    /* One that refers to no entry. */
    put_common(&s, 1, "", NULL, 0);
    s.common++;
    put_function(&s, 8, START, SIZE, false);
    s.common--;
    put_function(&s, 8, START + SIZE, SIZE, false);
    CHECK(&s, second);
    /* An entry that is longer than the section ends it; so does, where the
     * kernel looks for it, one of no length. */
    put_common(&s, 1, "", NULL, 0);
    put_function(&s, 8, START + SIZE, SIZE, false);
    put_function(&s, 8, START, SIZE, false);
    s.b.len--;
    CHECK(&s, second);
    put_common(&s, 1, "", NULL, 0);
    put_function(&s, 8, START + SIZE, SIZE, false);
    at = s.b.len;
    blob_u32(&s.b, 0);
    put_function(&s, 8, START, SIZE, false);
    ck_assert_uint_lt(at, s.b.len);
    CHECK(&s, second);
    s.is_debug = true;
    put_common(&s, 1, "", NULL, 0);
    blob_u32(&s.b, 0);
    put_function(&s, 8, START, SIZE, false);
    CHECK(&s, one);
    free(s.b.data);
}

/* Functions in any order; where two begin the longer one counts. */
TEST(functions)
{
    static const struct want want[] = {{START, 8},
                                       {START + SIZE - 1, 16},
                                       {START + SIZE, 16},
                                       {START + 2 * SIZE - 1, 16},
                                       {START + 2 * SIZE, 0},
                                       {START + 0x1000, 8},
                                       {START + 0x2000, 8}};
    struct section s = {.is_debug = false};

    put_common(&s, 1, "", NULL, 0);
    put_function(&s, 8, START + 0x2000, SIZE, false);
    put_function(&s, 8, START, 2 * SIZE, false);
    put_function(&s, 8, START, SIZE, false);
    put_function(&s, 8, START + 0x1000, SIZE, false);
    CHECK(&s, want);
    put_common(&s, 1, "", NULL, 0);
    put_function(&s, 8, START, SIZE, false);
    put_function(&s, 8, START + 0x1000, SIZE, false);
    put_function(&s, 8, START, 2 * SIZE, false);
    put_common(&s, 1, "", NULL, 0);
    put_function(&s, 8, START + 0x2000, SIZE, false);
    CHECK(&s, want);
    free(s.b.data);
}

#include "symbols/find/expand.h"

#include "tests/support/cab_writer.h"
#include "tests/support/debug_input.h"
#include "tests/support/suite.h"

enum { LONG = 100000 };

static struct blob cabinet(size_t n, bool packed)
{
    uint8_t *bytes = mem_new(n, 1);
    struct blob cab = {0};

    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)(i * i >> 7);
    cab_make(&cab, bytes, n, packed);
    free(bytes);
    return cab;
}

static enum err_code expand(const struct blob *cab, size_t limit, size_t *n)
{
    struct err err = {0};
    uint8_t *out = NULL;
    enum err_code code =
        expand_cab(cab->data, cab->len, limit, &out, n, &err);

    ck_assert_int_eq(code, err.code);
    if (code)
        ck_assert_msg(!out && !strncmp(err.message, "cabinet: ", 9), "%s",
                      err.message);
    for (size_t i = 0; !code && i < *n; i++)
        ck_assert_int_eq(out[i], (uint8_t)(i * i >> 7));
    free(out);
    return code;
}

TEST(stored_and_packed)
{
    static const size_t sizes[] = {1, 32768, 32769, LONG};

    for (size_t i = 0; i < 8; i++) {
        struct blob cab = cabinet(sizes[i / 2], i % 2);
        size_t n = 0;

        ck_assert(expand_probe(cab.data, cab.len));
        ck_assert_int_eq(expand(&cab, EXPAND_MOST, &n), ERR_NONE);
        ck_assert_uint_eq(n, sizes[i / 2]);
        free(cab.data);
    }
}

TEST(limits)
{
    struct blob cab = cabinet(LONG, true);
    size_t n = 0;

    ck_assert_int_eq(expand(&cab, LONG, &n), ERR_NONE);
    ck_assert_int_eq(expand(&cab, LONG - 1, &n), ERR_LIMIT);
    /* A claim that no honest cabinet of this size makes. */
    blob_set(&cab, CAB_FILE_SIZE, 1 << 30, 4);
    ck_assert_int_eq(expand(&cab, EXPAND_MOST, &n), ERR_LIMIT);
    free(cab.data);
}

TEST(damage)
{
    struct blob cab = cabinet(LONG, true);
    size_t n = 0, whole = cab.len;

    for (cab.len = 0; cab.len < whole; cab.len += 97)
        ck_assert_int_ne(expand(&cab, EXPAND_MOST, &n), ERR_NONE);
    cab.len = whole;
    /* One byte more than its blocks give. */
    blob_set(&cab, CAB_FILE_SIZE, LONG + 1, 4);
    ck_assert_int_eq(expand(&cab, EXPAND_MOST, &n), ERR_CORRUPT);
    free(cab.data);
}

TEST(a_real_one)
{
    char path[1000];
    struct debug_input *in;
    struct debug_file *pdb;
    struct blob cab = {0};
    FILE *file;
    uint8_t *out;
    size_t n;
    int c;

    snprintf(path, sizeof(path), "%s/symbols/dump_syms-windows/basic32.pd_",
             traces_folder());
    file = fopen(path, "rb");
    if (!file) {
        suite_skip(1, "no real symbol files");
        return;
    }
    while ((c = getc(file)) != EOF)
        blob_u8(&cab, (uint8_t)c);
    fclose(file);
    ck_assert_int_eq(expand_cab(cab.data, cab.len, EXPAND_MOST, &out, &n, NULL),
                     ERR_NONE);
    pdb = debug_open("basic32.pdb", out, n, NULL);
    in = debug_input_open("dump_syms-windows", "basic32.dll");
    ck_assert_ptr_nonnull(pdb);
    ck_assert_mem_eq(pdb->identity.guid, in->file->identity.guid, 16);
    ck_assert_uint_eq(pdb->identity.age, in->file->identity.age);
    debug_close(pdb);
    debug_input_close(in);
    free(out);
    free(cab.data);
}

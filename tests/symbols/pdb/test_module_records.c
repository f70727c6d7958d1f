/* The symbol records of one module, byte by byte: procedures and what is
 * inlined into them. */
#include "tests/support/module_writer.h"

static void thunk(struct made *t, uint32_t offset, uint16_t size,
                  const char *name)
{
    struct blob *b = record(t, S_THUNK32);

    blob_pack(b, "12xIHHB", offset, 1, size, 3);
    blob_bytes(b, name, strlen(name) + 1);
    record_end(t);
}

static void trampoline(struct made *t, uint32_t offset, uint32_t target,
                       uint16_t target_section)
{
    struct blob *b = record(t, S_TRAMPOLINE);

    blob_pack(b, "HHIIHH", 1, 5, offset, target, 1, target_section);
    record_end(t);
}

static void separated(struct made *t, uint32_t offset, uint32_t size,
                      uint32_t parent, uint16_t parent_section)
{
    struct blob *b = record(t, S_SEPCODE);

    blob_pack(b, "8xIIIIHH", size, 9, offset, parent, 2, parent_section);
    record_end(t);
}

static const char *name_of(struct made *t, struct proc *p)
{
    return strings_get(t->pdb.strings, module_proc_name(&t->pdb, &t->m, p));
}

static void check_proc(struct made *t, uint32_t start, uint32_t size,
                       uint8_t rank, const char *name)
{
    struct proc *p = module_find_start(&t->m, start);

    ck_assert_msg(p != NULL, "0x%x", start);
    ck_assert_uint_eq(p->start, start);
    ck_assert_uint_eq(p->size, size);
    ck_assert_uint_eq(p->rank, rank);
    ck_assert_str_eq(name_of(t, p), name);
    ck_assert_str_eq(name_of(t, p), name); /* the same again */
    ck_assert_ptr_eq(module_find(&t->m, start), p);
    ck_assert_ptr_eq(module_find(&t->m, start + size - 1), p);
    ck_assert_ptr_ne(module_find(&t->m, start + size), p);
    ck_assert_ptr_null(module_find_start(&t->m, start + 1));
}

TEST(kinds_of_procedures)
{
    static const uint16_t kinds[] = {
        S_GPROC32,     S_GPROC32_ID,     S_LPROC32,  S_LPROC32_ID,
        S_LPROC32_DPC, S_LPROC32_DPC_ID, S_GMANPROC, S_LMANPROC};
    static const bool global[] = {true,  true,  false, false,
                                  false, false, true,  false};
    struct made t;

    begin(&t);
    for (uint32_t i = 0; i < 8; i++) {
        char name[2] = {(char)('a' + i), '\0'};

        proc(&t, kinds[i], (uint16_t)(1 + i % 2), 0x10 * i, 4 + i, name);
        simple(&t, S_END);
    }
    thunk(&t, 0x100, 6, "thunk");
    trampoline(&t, 0x110, 0x10, 2);   /* to "b" */
    trampoline(&t, 0x120, 0x10, 3);   /* into no section */
    separated(&t, 0x200, 0x30, 0, 1); /* of "a" */
    separated(&t, 0x300, 0x30, 0, 0);
    decode(&t);
    ck_assert_uint_eq(t.m.procs.len, 11);
    for (uint32_t i = 0; i < 8; i++) {
        char name[2] = {(char)('a' + i), '\0'};

        check_proc(&t, (i % 2 ? 0x3000u : 0x1000u) + 0x10 * i, 4 + i,
                   global[i] ? PROC_GLOBAL : PROC_LOCAL, name);
    }
    check_proc(&t, 0x1100, 6, PROC_THUNK, "thunk");
    check_proc(&t, 0x1110, 5, PROC_TRAMPOLINE, "b");
    check_proc(&t, 0x3200, 0x30, PROC_SEPARATED, "a");
    end(&t);
}

/* Of several at one address: what knows most, then the longest, then the
 * first. Procedures that the linker folded into one count as its twins. */
TEST(one_address)
{
    struct made t;
    struct proc *p;

    begin(&t);
    thunk(&t, 0x10, 50, "thunk");
    proc(&t, S_LPROC32, 1, 0x10, 40, "local");
    proc(&t, S_GPROC32, 1, 0x10, 8, "short");
    proc(&t, S_GPROC32, 1, 0x10, 9, "long");
    proc(&t, S_GPROC32, 1, 0x10, 9, "later");
    proc(&t, S_GPROC32, 1, 0x40, 9, "alone");
    decode(&t);
    ck_assert_uint_eq(t.m.procs.len, 2);
    p = module_find(&t.m, 0x1012);
    ck_assert_str_eq(name_of(&t, p), "long");
    ck_assert_uint_eq(p->twin, 2);
    p = module_find(&t.m, 0x1048);
    ck_assert_str_eq(name_of(&t, p), "alone");
    ck_assert_uint_eq(p->twin, 0);
    end(&t);
}

/* Within a long procedure others may begin; of 64 and more the outer one is
 * not looked for. */
TEST(procedures_within)
{
    struct made t;

    begin(&t);
    proc(&t, S_GPROC32, 1, 0, 0x800, "outer");
    for (uint32_t i = 1; i <= 64; i++)
        proc(&t, S_LPROC32, 1, 0x10 * i, 8, "inner");
    decode(&t);
    ck_assert_str_eq(name_of(&t, module_find(&t.m, 0x1014)), "inner");
    ck_assert_str_eq(name_of(&t, module_find(&t.m, 0x1018)), "outer");
    ck_assert_str_eq(name_of(&t, module_find(&t.m, 0x1000 + 0x3F8)), "outer");
    ck_assert_ptr_null(module_find(&t.m, 0x1000 + 0x408));
    ck_assert_ptr_null(module_find(&t.m, 0x1800));
    ck_assert_ptr_null(module_find(&t.m, 0xFFF));
    ck_assert_uint_eq(t.m.procs.data[0].reach, 0x1800);
    ck_assert_uint_eq(t.m.procs.data[64].reach, 0x1800);
    end(&t);
}

/* Records that are cut off, or of code that cannot be, are left out; one
 * whose length cannot be is the last. */
TEST(damaged_procedures)
{
    struct made t;

    begin(&t);
    proc(&t, S_GPROC32, 1, 0x10, UINT32_MAX - 0x1010, "to the top");
    proc(&t, S_GPROC32, 1, 0x20, UINT32_MAX - 0x1020 + 1, "beyond");
    proc(&t, S_GPROC32, 3, 0x30, 8, "of no section");
    (void)record(&t, S_GPROC32);
    blob_zero(&t.symbols, 37); /* one byte less than it takes */
    record_end(&t);
    (void)record(&t, S_GPROC32);
    blob_pack(&t.symbols, "12xI12xIH", 8, 0x40, 1);
    blob_u8(&t.symbols, 0); /* no name, not even an empty one */
    record_end(&t);
    proc(&t, S_GPROC32, 1, 0x50, 8, "good");
    (void)record(&t, S_GPROC32); /* of length 0 */
    blob_zero(&t.symbols, 80);
    decode(&t);
    ck_assert_uint_eq(t.m.procs.len, 3);
    ck_assert_uint_eq(t.m.procs.data[0].start, 0x1010);
    ck_assert_uint_eq(t.m.procs.data[1].start, 0x1040);
    ck_assert_uint_eq(t.m.procs.data[2].start, 0x1050);
    ck_assert_str_eq(name_of(&t, &t.m.procs.data[1]), "");
    end(&t);
}

/* ---- inline sites ---- */

static void site(struct made *t, uint16_t kind, uint32_t id, uint8_t offset,
                 uint8_t length)
{
    struct blob *b = record(t, kind);

    blob_pack(b, "8xI", id);
    if (kind == S_INLINESITE2)
        blob_u32(b, 3);
    blob_bytes(b, (const uint8_t[]){3, offset, 4, length}, 4);
    record_end(t);
}

/* The ids of the sites at an offset, outermost first. */
static void check_sites(struct made *t, uint32_t offset, const char *want)
{
    const struct site *chain[8];
    struct proc *p = module_find_start(&t->m, 0x1000);
    size_t n = module_sites(&t->m, p, offset, chain, 8);
    char ids[9] = "";

    for (size_t i = 0; i < n; i++)
        ids[i] = (char)chain[i]->inlinee;
    ids[n] = '\0';
    ck_assert_msg(!strcmp(ids, want), "0x%x: %s, not %s", offset, ids, want);
}

TEST(nested_sites)
{
    const struct site *chain[8];
    struct made t;

    begin(&t);
    proc(&t, S_GPROC32_ID, 1, 0, 0x80, "outer");
    site(&t, S_INLINESITE, 'a', 0x10, 0x40);
    simple(&t, S_BLOCK32);
    site(&t, S_INLINESITE2, 'b', 0x18, 0x10);
    simple(&t, S_INLINESITE_END);
    simple(&t, S_END);
    site(&t, S_INLINESITE, 'c', 0x30, 0x10);
    simple(&t, S_WITH32);
    simple(&t, S_SEPCODE);
    simple(&t, S_THUNK32);
    site(&t, S_INLINESITE, 'd', 0x30, 8);
    simple(&t, S_INLINESITE_END);
    simple(&t, S_END);
    simple(&t, S_END);
    simple(&t, S_END);
    simple(&t, S_INLINESITE_END);
    simple(&t, S_INLINESITE_END);
    site(&t, S_INLINESITE, 'e', 0x60, 8);
    simple(&t, S_INLINESITE_END);
    simple(&t, S_PROC_ID_END);
    proc(&t, S_LPROC32, 1, 0x100, 0x80, "other");
    site(&t, S_INLINESITE, 'f', 0x60, 8);
    simple(&t, S_INLINESITE_END);
    simple(&t, S_END);
    thunk(&t, 0x200, 0x70, "thunk");
    decode(&t);
    check_sites(&t, 0xF, "");
    check_sites(&t, 0x10, "a");
    check_sites(&t, 0x18, "ab");
    check_sites(&t, 0x28, "a");
    check_sites(&t, 0x30, "acd");
    check_sites(&t, 0x38, "ac");
    check_sites(&t, 0x4F, "a");
    check_sites(&t, 0x50, "");
    check_sites(&t, 0x60, "e");
    ck_assert_uint_eq(t.m.sites.sites.len, 5);
    ck_assert_uint_eq(
        module_sites(&t.m, module_find(&t.m, 0x1030), 0x30, chain, 2), 2);
    ck_assert_uint_eq(
        module_sites(&t.m, module_find(&t.m, 0x1160), 0x60, chain, 8), 1);
    ck_assert_uint_eq(chain[0]->inlinee, 'f');
    ck_assert_uint_eq(
        module_sites(&t.m, module_find(&t.m, 0x1210), 0x10, chain, 8), 0);
    end(&t);
}

/* Where ends are missing, the next procedure or the last record is one. */
TEST(sites_without_end)
{
    static const uint16_t next[] = {S_GPROC32,     S_GPROC32_ID,
                                    S_LPROC32,     S_LPROC32_ID,
                                    S_LPROC32_DPC, S_LPROC32_DPC_ID};

    for (size_t i = 0; i < 6; i++) {
        struct made t;

        begin(&t);
        proc(&t, S_GPROC32, 1, 0, 0x80, "outer");
        site(&t, S_INLINESITE, 'a', 0x10, 0x40);
        site(&t, S_INLINESITE, 'b', 0x18, 0x10);
        proc(&t, next[i], 1, 0x100, 0x80, "other");
        site(&t, S_INLINESITE, 'c', 0x10, 0x40);
        decode(&t);
        check_sites(&t, 0x18, "ab");
        check_sites(&t, 0x30, "a");
        ck_assert_uint_eq(t.m.sites.sites.len, 2);
        end(&t);
    }
}

/* 512 sites within each other, and no more. */
TEST(deep_sites)
{
    struct made t;

    begin(&t);
    proc(&t, S_GPROC32, 1, 0, 0x80, "outer");
    for (unsigned i = 0; i < 600; i++)
        site(&t, S_INLINESITE, 'a', 0x10, 0x40);
    decode(&t);
    check_sites(&t, 0x18, "aaaaaaaa");
    ck_assert_uint_eq(t.m.sites.sites.len, 512);
    end(&t);
}

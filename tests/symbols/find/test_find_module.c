/*
 * Files of modules by identity: which of those at hand is used for what.
 */
#include "symbols/find/module.h"

#include "tests/support/debug_input.h"
#include "tests/support/module_frames.h"
#include "tests/support/suite.h"

/* A profile whose one module is the image of a real file. */
struct subject {
    struct profile *p;
    struct places places;
    struct module_files files;
};

static bool subject_open(struct subject *s, const char *folder,
                         const char *name)
{
    struct debug_input *in = debug_input_open(folder, name);
    struct profile *p;
    char place[1000];

    *s = (struct subject){.p = NULL};
    if (!in) {
        suite_skip(1, name);
        return false;
    }
    p = s->p = profile_new();
    *vec_add(&p->modules) = (struct module){
        .name = strings_add(p->strings, name, strlen(name)),
        .path = strings_add(p->strings, name, strlen(name)),
        .identity = in->file->identity,
    };
    debug_input_close(in);
    snprintf(place, sizeof(place), "%s/symbols/%s", traces_folder(), folder);
    places_add(&s->places, place);
    s->files = find_module(p, 0, &s->places);
    return true;
}

static void subject_close(struct subject *s)
{
    module_files_release(&s->files);
    places_release(&s->places);
    profile_free(s->p);
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && !strcmp(text + n - m, end);
}

/* What is called NAME.debug comes first for names, but has no code. */
TEST(code_is_looked_for_beyond_the_debug_file)
{
    struct debug_file *image;
    struct subject s;

    if (!subject_open(&s, "symbolic-linux", "crash"))
        return;
    ck_assert_ptr_nonnull(s.files.debug.file);
    ck_assert(ends_with(s.files.debug.path, "/crash.debug"));
    image = s.files.image.file;
    ck_assert_ptr_nonnull(image);
    ck_assert(ends_with(image->name, "/crash"));
    ck_assert_ptr_ne(image, s.files.debug.file);
    ck_assert_int_eq(image->machine, DEBUG_X64);
    subject_close(&s);
}

static uint64_t first_function(const struct module_files *files,
                               struct debug_range *range)
{
    for (uint64_t rva = 0x1000; rva < 0x10000; rva++)
        if (module_range(files, rva, range))
            return rva;
    return 0;
}

/* MinGW's images have DWARF and name no PDB. */
TEST(an_image_with_dwarf_needs_no_debug_file)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    struct debug_range range;
    struct debug_file *image;
    struct subject s;
    uint64_t rva;

    if (!subject_open(&s, "symbolic-windows", "hello-dwarf.exe"))
        return;
    ck_assert(s.files.is_complete);
    image = s.files.image.file;
    ck_assert_ptr_nonnull(image);
    rva = first_function(&s.files, &range);
    ck_assert_uint_ne(rva, 0);
    ck_assert_uint_eq(range.start, rva);
    ck_assert_uint_ge(debug_code(image, rva).len, range.end - rva);
    ck_assert_uint_gt(
        module_frames(&s.files, rva, frames, DEBUG_FRAMES_MAX), 0);
    subject_close(&s);
}

/* testdata/pdb, which is there always. */
TEST(a_function_ends_where_its_pdb_says)
{
    static const struct debug_range ranges[] = {
        {0x1000, 0x1011}, {0x1020, 0x106d}, {0x1070, 0x10a4},
        {0x10b0, 0x10e5},
    };
    struct debug_input *pdb =
        debug_input_open(NULL, "testdata/pdb/mixer.pdb");
    struct debug_input *public =
        debug_input_open(NULL, "testdata/pdb/mixer-public.pdb");
    struct debug_range range;

    for (size_t i = 0; i < COUNT(ranges); i++) {
        ck_assert(debug_range(pdb->file, ranges[i].end - 1, &range));
        ck_assert_uint_eq(range.start, ranges[i].start);
        ck_assert_uint_eq(range.end, ranges[i].end);
    }
    /* Public names have no size, and static functions none: up to the next. */
    ck_assert(debug_range(public->file, 0x1030, &range));
    ck_assert_uint_eq(range.start, 0x1000);
    ck_assert_uint_eq(range.end, 0x1070);
    ck_assert(!debug_range(pdb->file, 0x106d, &range));
    ck_assert(!debug_range(pdb->file, 0x5000, &range));
    ck_assert(!debug_range(pdb->file, UINT64_MAX, &range));
    ck_assert_uint_eq(debug_code(pdb->file, 0x1000).len, 0);
    debug_input_close(public);
    debug_input_close(pdb);
}

TEST(an_image_has_its_code)
{
    struct debug_input *in =
        debug_input_open(NULL, "testdata/pdb/mixer.exe");
    struct debug_range range;
    struct bytes code = debug_code(in->file, 0x1020);

    ck_assert_int_eq(in->file->machine, DEBUG_X64);
    ck_assert_uint_ge(code.len, 0x4d);
    ck_assert_uint_eq(code.data[0], 0x31); /* xor eax, eax */
    ck_assert_uint_eq(debug_code(in->file, 0x2000).len, 0); /* data */
    ck_assert_uint_eq(debug_code(in->file, 0x4f00).len, 0);
    ck_assert_uint_eq(debug_code(in->file, UINT64_MAX).len, 0);
    /* By unwind information, and between what has some. */
    ck_assert(debug_range(in->file, 0x1075, &range));
    ck_assert_uint_eq(range.start, 0x1070);
    ck_assert_uint_eq(range.end, 0x10a4);
    ck_assert(debug_range(in->file, 0x1030, &range));
    ck_assert_uint_le(range.start, 0x1020);
    ck_assert_uint_eq(range.end, 0x1070);
    debug_input_close(in);
}

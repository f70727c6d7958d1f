/*
 * What the debug file and the image of a module say of an address, each made
 * by hand: which of them is asked, and whose word holds.
 */
#include "symbols/find/module.h"
#include "tests/support/module_frames.h"
#include "tests/support/pe_writer.h"
#include "tests/support/suite.h"

enum { ADDRESS = 0x1010 };

/* A file, and what it answers. */
struct said {
    struct debug_file file;
    struct debug_frame frames[3];
    size_t count, asked;
    struct debug_range range; /* end 0: none */
    const char *flaw;
    uint64_t moved; /* from an address to the RVA */
};

static size_t frames_of(struct debug_file *file, uint64_t rva,
                        struct debug_frame *frames, size_t max)
{
    struct said *s = file->state;
    size_t n = s->count < max ? s->count : max;

    ck_assert_uint_eq(rva, ADDRESS);
    s->asked++;
    memcpy(frames, s->frames, n * sizeof(*frames));
    return n;
}

static bool range_of(struct debug_file *file, uint64_t rva,
                     struct debug_range *range)
{
    struct said *s = file->state;

    (void)rva;
    *range = s->range;
    return s->range.end > 0;
}

static bool rva_of(const struct debug_file *file, uint64_t address,
                   bool by_file_offset, uint64_t *rva)
{
    const struct said *s = file->state;

    *rva = address + s->moved + (by_file_offset ? 0x10000 : 0);
    return true;
}

static const char *flaw_of(const struct debug_file *file)
{
    const struct said *s = file->state;

    return s->flaw;
}

static const struct debug_kind elf_kind = {.name = "made",
                                           .frames = frames_of,
                                           .range = range_of,
                                           .rva = rva_of,
                                           .flaw = flaw_of,
                                           .image = IMAGE_ELF};
struct world {
    struct said debug, image;
    struct module_files files;
};

static void use(struct found *found, struct said *s,
                const struct debug_kind *kind)
{
    s->file = (struct debug_file){.kind = kind, .state = s};
    found->cause = FIND_OK;
    found->file = &s->file;
}

/* Both files are open, and the debug file has the names. */
static struct module_files *both(struct world *w, const struct debug_kind *kind)
{
    *w = (struct world){.files = {.uses_debug = true}};
    use(&w->files.debug, &w->debug, kind);
    use(&w->files.image, &w->image, kind);
    return &w->files;
}

static void say(struct said *s, const char *function, const char *file,
                uint32_t line)
{
    s->frames[s->count++] =
        (struct debug_frame){.function = function, .file = file, .line = line};
}

static void check_frame(const struct world *w, size_t count,
                        const char *function, const char *file, uint32_t line)
{
    struct debug_frame frames[3] = {{0}};

    ck_assert_uint_eq(module_frames_at(&w->files, ADDRESS, frames, 3), count);
    ck_assert_pstr_eq(frames[0].function, function);
    ck_assert_pstr_eq(frames[0].file, file);
    ck_assert_uint_eq(frames[0].line, line);
}

/* The stubs of an ELF image are in no debug file. */
TEST(the_image_names_what_has_none)
{
    struct world w;

    both(&w, &elf_kind);
    say(&w.image, "read@plt", "i.c", 7);
    check_frame(&w, 1, "read@plt", "i.c", 7); /* nothing was known */
    say(&w.debug, NULL, "f.c", 3);
    check_frame(&w, 1, "read@plt", "f.c", 3); /* its line was */
    w.image.count = 0;
    check_frame(&w, 1, NULL, "f.c", 3);
    say(&w.image, "a", "a.c", 1);
    say(&w.image, "b", "b.c", 2);
    check_frame(&w, 2, "a", "a.c", 1); /* inlined calls say more */
    w.debug.count = 0;
    check_frame(&w, 2, "a", "a.c", 1);
    w.image.count = 0;
    check_frame(&w, 0, NULL, NULL, 0);
    w.files.image.file = NULL;
    check_frame(&w, 0, NULL, NULL, 0);
}

static void check_range(const struct world *w, uint64_t start, uint64_t end)
{
    struct debug_range range = {0, 0};

    ck_assert(module_range(&w->files, ADDRESS, &range) == (end > 0));
    if (end) {
        ck_assert_uint_eq(range.start, start);
        ck_assert_uint_eq(range.end, end);
    }
}

TEST(bounds)
{
    struct world w;

    both(&w, &elf_kind);
    check_range(&w, 0, 0);
    w.image.range = (struct debug_range){0x1008, 0x1018};
    check_range(&w, 0x1008, 0x1018);
    w.debug.range = (struct debug_range){0x1000, 0x1020};
    check_range(&w, 0x1000, 0x1020);
    say(&w.debug, "f", NULL, 0);
    check_range(&w, 0x1000, 0x1020);
    w.debug.frames[0].nearest = 0x1000; /* of which it has no end */
    check_range(&w, 0x1008, 0x1018);
    w.image.range = (struct debug_range){ADDRESS + 1, 0x1018};
    check_range(&w, 0x1000, 0x1020);
    w.image.range = (struct debug_range){0x1000, ADDRESS};
    check_range(&w, 0x1000, 0x1020);
    w.debug.range = (struct debug_range){0x1000, ADDRESS};
    check_range(&w, 0, 0);
    w.debug.range = (struct debug_range){ADDRESS, ADDRESS + 1};
    check_range(&w, ADDRESS, ADDRESS + 1);
    w.files.image.file = NULL;
    check_range(&w, ADDRESS, ADDRESS + 1);
    w.files.debug.file = NULL;
    check_range(&w, 0, 0);
}

TEST(flaws)
{
    struct world w;

    both(&w, &elf_kind);
    ck_assert_ptr_null(module_flaw(&w.files));
    w.image.flaw = "the image's";
    ck_assert_str_eq(module_flaw(&w.files), "the image's");
    w.debug.flaw = "the debug file's";
    ck_assert_str_eq(module_flaw(&w.files), "the debug file's");
}

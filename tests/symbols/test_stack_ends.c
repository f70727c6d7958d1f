/* Chains of frame pointers, judged by an image that is made here. */
#include "symbols/frame_images.h"

#include <stddef.h>

#include "tests/support/elf_writer.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

enum { TEXT = 0x401000, FRAMES = 0x500000, SIZE = 0x40 };

static char folder[TEMP_FOLDER];

/* Of x86-64, each with the rules of one description. */
static const struct {
    uint64_t start;
    uint8_t rules[8];
} functions[] = {
    {0x000, {0x0C, 6, 16, 0x80 | 6, 2}}, /* frame at rbp + 16, rbp kept */
    {0x040, {0x0C, 7, 8}},               /* frame at rsp + 8 */
    {0x080, {0x07, 16}},                 /* nobody called it */
    {0x0C0, {0x0F, 2, 0x76, 0}},         /* frame at an expression of rbp */
    {0x100, {0x0F, 2, 0x77, 8}},         /* of rsp */
};

/* Names of addresses in these functions, and of one in none. */
enum {
    KEPT = 0x10,
    NONE = 0x50,
    LAST = 0x90,
    BY_RBP = 0xD0,
    BY_RSP = 0x110,
    NOWHERE = 0x150,
    NAMED = 0x160, /* _start, of which nothing else is known */
    IN_KERNEL = 0x170,
};

static void put_frames(struct blob *b)
{
    blob_pack(b, "II", 17, 0);
    blob_bytes(b, "\1\0\1\x78\x10", 5);
    blob_bytes(b, (const uint8_t[]){0x0C, 7, 8, 0x80 | 16, 1, 0, 0, 0}, 8);
    for (size_t i = 0; i < COUNT(functions); i++) {
        blob_u32(b, 28);
        blob_u32(b, (uint32_t)b->len);
        blob_pack(b, "QQ", TEXT + functions[i].start, SIZE);
        blob_bytes(b, functions[i].rules, 8);
    }
    blob_u32(b, 0);
}

static void write_image(void)
{
    static const Elf64_Phdr segment = {PT_LOAD, 5,     0x40,  TEXT,
                                       0,       0x200, 0x200, 1};
    struct blob code = {0}, note = {0}, frames = {0}, file;
    struct elf_part parts[] = {
        {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT, &code, 0, 0},
        {".note", SHT_NOTE, SHF_ALLOC, 0, &note, 0, 0},
        {".eh_frame", SHT_PROGBITS, SHF_ALLOC, FRAMES, &frames, 0, 0}};

    blob_zero(&code, 0x200);
    blob_pack(&note, "III", 4, 4, NT_GNU_BUILD_ID);
    blob_bytes(&note, "GNU\0\1\2\3\4", 8);
    put_frames(&frames);
    file = elf_of(parts, 3);
    blob_set(&file, offsetof(Elf64_Ehdr, e_phoff), file.len, 8);
    blob_set(&file, offsetof(Elf64_Ehdr, e_phentsize), sizeof(segment), 2);
    blob_set(&file, offsetof(Elf64_Ehdr, e_phnum), 1, 2);
    blob_bytes(&file, &segment, sizeof(segment));
    temp_folder_put(folder, "app", file.data, file.len);
    free(file.data);
    free(code.data);
    free(note.data);
    free(frames.data);
}

/* Outermost first; 0 ends. */
static const struct {
    uint16_t stack[5];
    enum stack_end by_pointers, otherwise;
} cases[] = {
    {{LAST, KEPT}, STACK_END_ROOT, STACK_END_UNKNOWN},
    {{LAST, KEPT, IN_KERNEL}, STACK_END_ROOT, STACK_END_UNKNOWN},
    {{LAST}, STACK_END_ROOT, STACK_END_UNKNOWN},
    {{LAST, BY_RBP, KEPT}, STACK_END_ROOT, STACK_END_UNKNOWN},
    {{NAMED, KEPT}, STACK_END_ROOT, STACK_END_ROOT},
    {{NAMED, KEPT, NONE}, STACK_END_LEAF_FRAME, STACK_END_ROOT},
    {{NAMED, NONE, KEPT}, STACK_END_LEAF_FRAME, STACK_END_ROOT},
    {{NAMED, BY_RSP, KEPT}, STACK_END_LEAF_FRAME, STACK_END_ROOT},
    {{NAMED, NONE, IN_KERNEL}, STACK_END_LEAF_FRAME, STACK_END_ROOT},
    {{NAMED, NOWHERE, NONE}, STACK_END_LEAF_FRAME, STACK_END_ROOT},
    {{KEPT, NONE}, STACK_END_LEAF_FRAME, STACK_END_UNKNOWN},
    {{NONE}, STACK_END_LEAF_FRAME, STACK_END_UNKNOWN},
    {{NONE, KEPT}, STACK_END_UNKNOWN, STACK_END_UNKNOWN},
    {{KEPT, KEPT}, STACK_END_UNKNOWN, STACK_END_UNKNOWN},
    {{NAMED, NOWHERE}, STACK_END_UNKNOWN, STACK_END_ROOT},
    {{NAMED, NOWHERE, KEPT}, STACK_END_UNKNOWN, STACK_END_ROOT},
    {{IN_KERNEL, IN_KERNEL}, STACK_END_UNKNOWN, STACK_END_UNKNOWN},
};

enum { CASES = COUNT(cases) };

static uint32_t location_of(struct profile *p, uint16_t address, bool caller)
{
    struct location l = {.address = address,
                         .module = 0,
                         .method = NO_ID,
                         .kind =
                             address == IN_KERNEL ? CODE_KERNEL : CODE_NATIVE,
                         .caller = caller};
    uint32_t id = profile_location(p, &l);
    struct function f = {.name = strings_add(p->strings, "_start", 6)};
    struct frame frame = {.function = NO_ID};

    if (address == NAMED && !profile_has_frames(p, id)) {
        frame = (struct frame){.function = profile_function(p, &f)};
        profile_set_frames(p, id, &frame, 1);
    }
    return id;
}

static struct profile *profile_of_cases(void)
{
    struct profile *p = profile_new();
    struct module m = {
        .name = strings_add(p->strings, "app", 3),
        .path = strings_add(p->strings, "/nowhere/app", 12),
        .identity = {.build_id = {1, 2, 3, 4}, .build_id_size = 4}};

    *vec_add(&p->modules) = m;
    for (size_t i = 0; i < CASES; i++) {
        const uint16_t *at = cases[i].stack;
        struct sample s = {.weight = 1, .flags = SAMPLE_HAS_STACK};

        for (; *at; at++)
            s.stack =
                profile_stack(p, s.stack, location_of(p, *at, at[1] != 0));
        profile_sample(p, &s);
        s.flags = stack_end_put(s.flags, STACK_END_BROKEN);
        profile_sample(p, &s);
    }
    profile_finish(p);
    return p;
}

/* What a reader knows is kept. */
static void check(bool by_pointers)
{
    struct places places = {.debug_root = "/nowhere"};
    struct profile *p = profile_of_cases();

    places_add(&places, folder);
    p->frame_pointers = by_pointers;
    stack_ends_find(p, &places);
    for (size_t i = 0; i < CASES; i++) {
        enum stack_end end = stack_end_of(p->samples.flags[2 * i]);
        enum stack_end wanted =
            by_pointers ? cases[i].by_pointers : cases[i].otherwise;

        ck_assert_msg(end == wanted, "%zu: %s", i, stack_end_word(end));
        ck_assert_int_eq(stack_end_of(p->samples.flags[2 * i + 1]),
                         STACK_END_BROKEN);
    }
    places_release(&places);
    profile_free(p);
}

TEST(images_tell_of_frame_pointers)
{
    check(true);
}

TEST(names_tell_of_other_stacks)
{
    check(false);
}

SUITE
{
    int status;

    temp_folder(folder);
    write_image();
    status = run_tests();
    temp_folder_remove(folder);
    return status;
}

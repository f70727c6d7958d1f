/* Call frame information of the images that ran, in ELF files made here. */
#include "symbols/frame_images.h"

#include <stddef.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>

#include "engine/attribution/frame_rules.h"
#include "engine/base/path.h"
#include "symbols/find/places.h"
#include "tests/support/elf_writer.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

enum { TEXT = 0x401000, FRAMES = 0x500000 };

static char folder[] = "/tmp/topfn-frames.XXXXXX";

static void put_note(struct blob *b, uint8_t size)
{
    blob_pack(b, "III", 4, size, NT_GNU_BUILD_ID);
    blob_bytes(b, "GNU", 4);
    for (uint8_t i = 0; i < size; i++)
        blob_u8(b, (uint8_t)(i + 1));
    blob_align(b, 4);
}

/* One function of 0x40 bytes, whose frame is at register 7 + `frame`. */
static void put_frames(struct blob *b, bool is_debug, uint8_t frame)
{
    blob_pack(b, "II", 17, is_debug ? UINT32_MAX : 0);
    blob_bytes(b, "\1\0\1\x78\x10", 5);
    blob_bytes(b, (const uint8_t[]){0x0C, 7, frame, 0x80 | 16, 1, 0, 0, 0}, 8);
    blob_pack(b, "IIQQ", 20, is_debug ? 0 : 25, TEXT + 0x10, 0x40);
}

/* An image, or its debug file, which has symbols; a frame of 0: it has no such
 * section. */
static struct blob file_of(uint8_t id_size, uint8_t eh_frame,
                           uint8_t debug_frame, bool has_code)
{
    static const Elf64_Phdr segment = {PT_LOAD, 5,     0x40,  TEXT,
                                       0,       0x100, 0x100, 1};
    struct blob code = {0}, note = {0}, eh = {0}, debug = {0}, symbols = {0},
                file;
    struct elf_part parts[5] = {{".text", has_code ? SHT_PROGBITS : SHT_NOBITS,
                                 SHF_ALLOC | SHF_EXECINSTR, TEXT, &code, 0, 0},
                                {".note", SHT_NOTE, SHF_ALLOC, 0, &note, 0, 0}};
    size_t n = 2;

    blob_zero(&code, 0x100);
    if (id_size)
        put_note(&note, id_size);
    else
        blob_zero(&note, 1);
    blob_zero(&symbols, sizeof(Elf64_Sym));
    if (!has_code)
        parts[n++] = (struct elf_part){
            ".symtab", SHT_SYMTAB, 0, 0, &symbols, 0, sizeof(Elf64_Sym)};
    if (eh_frame) {
        put_frames(&eh, false, eh_frame);
        parts[n++] = (struct elf_part){
            ".eh_frame", SHT_PROGBITS, SHF_ALLOC, FRAMES, &eh, 0, 0};
    }
    if (debug_frame) {
        put_frames(&debug, true, debug_frame);
        parts[n++] =
            (struct elf_part){".debug_frame", SHT_PROGBITS, 0, 0, &debug, 0, 0};
    }
    file = elf_of(parts, n);
    blob_set(&file, offsetof(Elf64_Ehdr, e_phoff), file.len, 8);
    blob_set(&file, offsetof(Elf64_Ehdr, e_phentsize), sizeof(segment), 2);
    blob_set(&file, offsetof(Elf64_Ehdr, e_phnum), 1, 2);
    blob_bytes(&file, &segment, sizeof(segment));
    free(code.data);
    free(note.data);
    free(eh.data);
    free(debug.data);
    free(symbols.data);
    return file;
}

/* Its path; the bytes are taken. */
static char *write_file(const char *name, struct blob b)
{
    temp_folder_put(folder, name, b.data, b.len);
    free(b.data);
    return path_join(folder, name);
}

static void remove_file(const char *name)
{
    char *path = path_join(folder, name);

    remove(path);
    free(path);
}

/* ---- a file that is still there ---- */

static struct mapped_file mapped(const char *path)
{
    struct stat st;

    ck_assert(!stat(path, &st));
    return (struct mapped_file){.path = path,
                                .major = major(st.st_dev),
                                .minor = minor(st.st_dev),
                                .inode = st.st_ino};
}

TEST(same_file)
{
    char *path = write_file("app", file_of(20, 16, 0, true));
    struct mapped_file file = mapped(path);
    struct identity identity = {.build_id_size = 0};

    ck_assert(frame_image_identify(&file, &identity));
    ck_assert_uint_eq(identity.build_id_size, 20);
    ck_assert_uint_eq(identity.build_id[0], 1);
    ck_assert_uint_eq(identity.build_id[19], 20);
    file.inode++;
    ck_assert(!frame_image_identify(&file, &identity));
    file = mapped(path);
    file.major++;
    ck_assert(!frame_image_identify(&file, &identity));
    file = mapped(path);
    file.minor++;
    ck_assert(!frame_image_identify(&file, &identity));
    file = mapped(folder);
    ck_assert(!frame_image_identify(&file, &identity));
    file = mapped("testdata");
    file.path = "/nowhere/app";
    ck_assert(!frame_image_identify(&file, &identity));
    file = mapped("testdata/pdb/mixer.exe"); /* of no certain place */
    ck_assert(!frame_image_identify(&file, &identity));
    free(path);
}

/* The kernel that runs, by its name; it may not tell its build-id. */
TEST(kernel_of_this_machine)
{
    struct identity identity = {.build_id_size = 0};
    struct mapped_file file = {.path = "[kernel.kallsyms]"};
    struct utsname here;
    char name[300];

    ck_assert(!uname(&here));
    file.kernel = name;
    snprintf(name, sizeof(name), "%s %s", here.sysname, here.release);
    if (frame_image_identify(&file, &identity))
        ck_assert_uint_ge(identity.build_id_size, 8);
    snprintf(name, sizeof(name), "%s %s-other", here.sysname, here.release);
    ck_assert(!frame_image_identify(&file, &identity));
    snprintf(name, sizeof(name), "%s", here.sysname);
    ck_assert(!frame_image_identify(&file, &identity));
    file.kernel = "";
    ck_assert(!frame_image_identify(&file, &identity));
}

/* Without an id, with one that is longer than any, and no ELF file at all. */
TEST(files_without_id)
{
    struct identity identity = {.build_id_size = 0};
    struct blob text = {0};
    char *paths[3];

    blob_bytes(&text, "This is no image of any kind.", 29);
    paths[0] = write_file("none", file_of(0, 16, 0, true));
    paths[1] = write_file("long", file_of(64, 16, 0, true));
    paths[2] = write_file("text", text);
    for (size_t i = 0; i < 3; i++) {
        struct mapped_file file = mapped(paths[i]);

        ck_assert(!frame_image_identify(&file, &identity));
        free(paths[i]);
    }
}

/* ---- rules ---- */

/* The distance of the frame at an address of an image in our folder; 0: there
 * are no rules. */
static int64_t frame_at(uint64_t address, bool by_file_offset)
{
    struct places places = {.debug_root = "/nowhere"};
    struct profile *p = profile_new();
    struct module m = {.name = strings_add(p->strings, "app", 3),
                       .path = strings_add(p->strings, "/nowhere/app", 12),
                       .by_file_offset = by_file_offset};
    struct frame_row row = {0};
    bool found = false;
    void *image;

    m.identity.build_id_size = 20;
    for (uint8_t i = 0; i < 20; i++)
        m.identity.build_id[i] = (uint8_t)(i + 1);
    *vec_add(&p->modules) = m;
    places_add(&places, "testdata");
    places_add(&places, folder);
    image = frame_image_open(&places, p, 0);
    ck_assert_ptr_nonnull(image);
    found = frame_image_find(image, address, &row);
    frame_image_close(image);
    frame_image_close(NULL);
    p->modules.data[0].identity.build_id_size = 0;
    /* By name, if addresses are offsets in a file. */
    image = frame_image_open(&places, p, 0);
    ck_assert((image != NULL) == by_file_offset);
    frame_image_close(image);
    places_release(&places);
    profile_free(p);
    return found ? row.frame.offset : 0;
}

static void check_frames(int64_t frame)
{
    ck_assert_int_eq(frame_at(0xF, false), 0);
    ck_assert_int_eq(frame_at(0x10, false), frame);
    ck_assert_int_eq(frame_at(0x4F, false), frame);
    ck_assert_int_eq(frame_at(0x50, false), 0);
    ck_assert_int_eq(frame_at(0x4F, true), 0);
    ck_assert_int_eq(frame_at(0x50, true), frame);
    ck_assert_int_eq(frame_at(0x8F, true), frame);
    ck_assert_int_eq(frame_at(0x90, true), 0);
    ck_assert_int_eq(frame_at(0x1000, true), 0); /* in no segment */
}

/* Of .eh_frame first, then of .debug_frame. */
TEST(own_tables)
{
    free(write_file("app", file_of(20, 16, 24, true)));
    check_frames(16);
    free(write_file("app", file_of(20, 0, 24, true)));
    check_frames(24);
    free(write_file("app", file_of(20, 0, 0, true)));
    check_frames(0);
    free(write_file("app", file_of(19, 16, 0, true))); /* another build */
    check_frames(0);
}

/* As perf keeps an image: by its build-id, below a place or apart. */
TEST(kept_by_perf)
{
    static const char *const names[] = {"elf", "vdso"};
    char path[300], *file;

    remove_file("app");
    remove_file("app.debug");
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof(path),
                 ".build-id/01/02030405060708090a0b0c0d0e0f1011121314/%s",
                 names[i]);
        file = write_file(path, file_of(20, (uint8_t)(40 + i), 0, true));
        check_frames(40 + (int64_t)i);
        remove(file);
        free(file);
    }
    check_frames(0);
}

/* Those of the debug file where the image has none. */
TEST(tables_of_the_debug_file)
{
    free(write_file("app.debug", file_of(20, 0, 32, false)));
    free(write_file("app", file_of(20, 0, 0, true)));
    check_frames(32);
    free(write_file("app", file_of(20, 0, 24, true)));
    check_frames(24);
}

SUITE
{
    int status;

    if (!mkdtemp(folder))
        return 1;
    status = run_tests();
    temp_folder_remove(folder);
    return status;
}

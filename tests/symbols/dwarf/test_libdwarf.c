/*
 * Our reader of DWARF against libdwarf, an independent one: names, lines,
 * chains of inlined calls and bounds of functions, at the edges of everything
 * that libdwarf finds and at every 16th byte of each function.
 *
 * Where both answer they agree, but for these rules:
 *   - a function without a linkage name has its scopes in front of its name
 *     ("app::grow"), which libdwarf does not print;
 *   - code that the linker dropped (address 0 or 1) is none;
 *   - where two functions claim a byte, as folded ones do, either is right;
 *   - where rows of several sequences hold an address, any of them is right.
 * libdwarf 20210528 reads no lines of some units, and no unit of programs that
 * mix 32-bit and 64-bit DWARF; it is not asked about PE images.
 */
#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#include <unistd.h>

#include "engine/base/bisect.h"
#include "engine/container/container.h"
#include "symbols/elf/elf_dwarf.h"
#include "tests/support/compiled.h"
#include "tests/support/elf_writer.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

enum { DEEPEST = 100, HOPS = 16, STEP = 16 };

/* A piece of code of a function or of a call that was inlined. */
struct piece {
    uint64_t low, high;
    char *name; /* "" unknown */
    unsigned depth, call_line;
    bool linkage; /* it is a linkage name */
};

/* Addresses of one row. */
struct line {
    uint64_t low, high;
    unsigned number;
};

struct body {
    size_t first, end; /* in `pieces` */
};

/* What libdwarf says of one file. */
struct theirs {
    Dwarf_Debug debug;
    uint64_t base; /* of the unit that is read */
    uint16_t version;
    VEC(struct body) functions;
    VEC(struct piece)
    pieces; /* outermost first, those of a function together */
    VEC(struct line) lines;
};

struct totals {
    size_t programs, addresses, functions, chains, lines;
};

static struct totals totals;

/* ---- reading by libdwarf; dwarf_finish frees all ---- */

static bool attribute(Dwarf_Die die, Dwarf_Half what, Dwarf_Attribute *a)
{
    Dwarf_Error error = NULL;

    return dwarf_attr(die, what, a, &error) == DW_DLV_OK;
}

static uint64_t number_of(Dwarf_Die die, Dwarf_Half what)
{
    Dwarf_Error error = NULL;
    Dwarf_Attribute a;
    Dwarf_Unsigned n = 0;
    Dwarf_Signed s = 0;

    if (!attribute(die, what, &a))
        return 0;
    if (dwarf_formudata(a, &n, &error) != DW_DLV_OK &&
        dwarf_formsdata(a, &s, &error) == DW_DLV_OK)
        n = (Dwarf_Unsigned)s;
    return n;
}

static char *text_of(Dwarf_Die die, Dwarf_Half what)
{
    Dwarf_Error error = NULL;
    Dwarf_Attribute a;
    char *text = NULL;

    if (!attribute(die, what, &a) ||
        dwarf_formstring(a, &text, &error) != DW_DLV_OK)
        return NULL;
    return text;
}

/* Along DW_AT_abstract_origin and DW_AT_specification. */
static char *name_of(struct theirs *t, Dwarf_Die die, bool *linkage)
{
    char *name = NULL, *text;

    for (unsigned hop = 0; hop < HOPS && die; hop++) {
        Dwarf_Error error = NULL;
        Dwarf_Attribute a;
        Dwarf_Off at = 0;
        Dwarf_Die next = NULL;

        text = text_of(die, DW_AT_linkage_name);
        if (!text)
            text = text_of(die, DW_AT_MIPS_linkage_name);
        *linkage = text && *text;
        if (*linkage)
            return text;
        if (!name)
            name = text_of(die, DW_AT_name);
        if ((attribute(die, DW_AT_abstract_origin, &a) ||
             attribute(die, DW_AT_specification, &a)) &&
            dwarf_global_formref(a, &at, &error) == DW_DLV_OK)
            (void)dwarf_offdie_b(t->debug, at, 1, &next, &error);
        die = next;
    }
    return name;
}

static void add_piece(struct theirs *t, const struct piece *like, uint64_t low,
                      uint64_t high)
{
    if (low <= 1 || high <= low)
        return;
    *vec_add(&t->pieces) = *like;
    t->pieces.data[t->pieces.len - 1].low = low;
    t->pieces.data[t->pieces.len - 1].high = high;
}

/* .debug_rnglists, of DWARF 5. */
static void add_list(struct theirs *t, const struct piece *like,
                     Dwarf_Attribute a, Dwarf_Unsigned value)
{
    Dwarf_Error error = NULL;
    Dwarf_Rnglists_Head head = NULL;
    Dwarf_Unsigned n = 0, offset = 0;
    Dwarf_Half form = 0;

    if (dwarf_whatform(a, &form, &error) != DW_DLV_OK ||
        dwarf_rnglists_get_rle_head(a, form, value, &head, &n, &offset,
                                    &error) != DW_DLV_OK)
        return;
    for (Dwarf_Unsigned i = 0; i < n; i++) {
        unsigned length = 0, kind = 0;
        Dwarf_Unsigned raw[2] = {0, 0}, low = 0, high = 0;
        Dwarf_Bool absent = 0;

        if (dwarf_get_rnglists_entry_fields_a(head, i, &length, &kind, &raw[0],
                                              &raw[1], &absent, &low, &high,
                                              &error) != DW_DLV_OK ||
            kind == DW_RLE_end_of_list)
            return;
        if (kind != DW_RLE_base_address && kind != DW_RLE_base_addressx)
            add_piece(t, like, low, high);
    }
}

/* .debug_ranges, of DWARF 3 and 4. */
static void add_old_list(struct theirs *t, const struct piece *like,
                         Dwarf_Die die, Dwarf_Unsigned offset)
{
    Dwarf_Error error = NULL;
    Dwarf_Ranges *list = NULL;
    Dwarf_Signed n = 0;
    Dwarf_Off real = 0;
    Dwarf_Unsigned bytes = 0;
    uint64_t base = t->base;

    if (dwarf_get_ranges_b(t->debug, offset, die, &real, &list, &n, &bytes,
                           &error) != DW_DLV_OK)
        return;
    for (Dwarf_Signed i = 0; i < n; i++)
        if (list[i].dwr_type == DW_RANGES_ADDRESS_SELECTION)
            base = list[i].dwr_addr2;
        else if (list[i].dwr_type == DW_RANGES_ENTRY)
            add_piece(t, like, base + list[i].dwr_addr1,
                      base + list[i].dwr_addr2);
}

static void add_code(struct theirs *t, Dwarf_Die die, const struct piece *like)
{
    Dwarf_Error error = NULL;
    Dwarf_Addr low = 0, high = 0;
    Dwarf_Half form = 0;
    enum Dwarf_Form_Class class = DW_FORM_CLASS_UNKNOWN;
    Dwarf_Attribute a;
    Dwarf_Unsigned value = 0;
    Dwarf_Off offset = 0;

    if (dwarf_highpc_b(die, &high, &form, &class, &error) == DW_DLV_OK &&
        dwarf_lowpc(die, &low, &error) == DW_DLV_OK) {
        add_piece(t, like, low,
                  class == DW_FORM_CLASS_CONSTANT ? low + high : high);
    } else if (attribute(die, DW_AT_ranges, &a)) {
        if (dwarf_formudata(a, &value, &error) != DW_DLV_OK &&
            dwarf_global_formref(a, &offset, &error) == DW_DLV_OK)
            value = offset;
        if (t->version >= 5)
            add_list(t, like, a, value);
        else
            add_old_list(t, like, die, value);
    }
}

/* The entries below a function, or a unit, in the order of their depth. A
 * function that stands in another is one by itself, and read after it. */
static void read_entries(struct theirs *t, Dwarf_Die die, unsigned level,
                         struct piece in, bool in_function)
{
    Dwarf_Error error = NULL;
    Dwarf_Die next;

    for (; die; die = next) {
        struct piece here = in;
        bool inlined, function;
        Dwarf_Half tag = 0;
        Dwarf_Die child = NULL;

        next = NULL;
        (void)dwarf_tag(die, &tag, &error);
        inlined = tag == DW_TAG_inlined_subroutine;
        function = tag == DW_TAG_subprogram;
        if ((inlined && in_function) || (function && !in_function)) {
            char *name = name_of(t, die, &here.linkage);

            here.name = name ? name : (char *)"";
            here.depth = inlined ? in.depth + 1 : 0;
            here.call_line = (unsigned)number_of(die, DW_AT_call_line);
            if (function)
                vec_add(&t->functions)->first = t->pieces.len;
            add_code(t, die, &here);
        }
        if (level < DEEPEST && !(function && in_function) &&
            dwarf_child(die, &child, &error) == DW_DLV_OK)
            read_entries(t, child, level + 1, here, in_function || function);
        if (function && !in_function) {
            t->functions.data[t->functions.len - 1].end = t->pieces.len;
            if (child)
                read_entries(t, child, level + 1, in, false);
        }
        if (level)
            (void)dwarf_siblingof_b(t->debug, die, 1, &next, &error);
    }
}

static void read_lines(struct theirs *t, Dwarf_Die unit)
{
    Dwarf_Error error = NULL;
    Dwarf_Line_Context context = NULL;
    Dwarf_Line *list = NULL;
    Dwarf_Signed n = 0;
    Dwarf_Unsigned version = 0, number;
    Dwarf_Small count = 0;
    Dwarf_Addr low, high;
    Dwarf_Bool ends;

    if (dwarf_srclines_b(unit, &version, &count, &context, &error) !=
            DW_DLV_OK ||
        dwarf_srclines_from_linecontext(context, &list, &n, &error) !=
            DW_DLV_OK)
        return;
    for (Dwarf_Signed i = 0; i + 1 < n; i++)
        if (dwarf_lineaddr(list[i], &low, &error) == DW_DLV_OK &&
            dwarf_lineaddr(list[i + 1], &high, &error) == DW_DLV_OK &&
            dwarf_lineno(list[i], &number, &error) == DW_DLV_OK &&
            dwarf_lineendsequence(list[i], &ends, &error) == DW_DLV_OK &&
            !ends && low < high)
            *vec_add(&t->lines) = (struct line){low, high, (unsigned)number};
}

static int compare_lines(const void *x, const void *y)
{
    const struct line *a = x, *b = y;

    return a->low != b->low ? (a->low > b->low) - (a->low < b->low)
                            : (a->high > b->high) - (a->high < b->high);
}

/* False: libdwarf does not read the file. Units that it refuses end it. */
static bool read_theirs(struct theirs *t, const char *path)
{
    Dwarf_Error error = NULL;
    Dwarf_Unsigned length, types, next;
    Dwarf_Off abbrevs;
    Dwarf_Half width, offset_size, extension, kind;
    Dwarf_Sig8 signature;

    *t = (struct theirs){.base = 0};
#ifdef DW_LIBDWARF_VERSION_MAJOR
    if (dwarf_init_path(path, NULL, 0, DW_GROUPNUMBER_ANY, NULL, NULL,
                        &t->debug, &error) != DW_DLV_OK)
#else
    if (dwarf_init_path(path, NULL, 0, DW_DLC_READ, DW_GROUPNUMBER_ANY, NULL,
                        NULL, &t->debug, NULL, 0, NULL, &error) != DW_DLV_OK)
#endif
        return false;
    while (dwarf_next_cu_header_d(t->debug, 1, &length, &t->version, &abbrevs,
                                  &width, &offset_size, &extension, &signature,
                                  &types, &next, &kind, &error) == DW_DLV_OK) {
        Dwarf_Die unit = NULL;
        Dwarf_Addr low = 0;

        if (dwarf_siblingof_b(t->debug, NULL, 1, &unit, &error) != DW_DLV_OK)
            continue;
        (void)dwarf_lowpc(unit, &low, &error);
        t->base = low;
        read_entries(t, unit, 0, (struct piece){.name = NULL}, false);
        read_lines(t, unit);
    }
    if (t->lines.len)
        qsort(t->lines.data, t->lines.len, sizeof(*t->lines.data),
              compare_lines);
    return true;
}

static void close_theirs(struct theirs *t)
{
    Dwarf_Error error = NULL;

    vec_release(&t->functions);
    vec_release(&t->pieces);
    vec_release(&t->lines);
    (void)dwarf_finish(t->debug
#ifndef DW_LIBDWARF_VERSION_MAJOR
                       ,
                       &error
#endif
    );
    (void)error;
}

/* ---- comparing ---- */

static bool same_name(const char *ours, const struct piece *p)
{
    size_t n = strlen(p->name), have = ours ? strlen(ours) : 0;

    if (!n)
        return !ours || ours[0] == '(';
    if (!ours || have < n || strcmp(ours + have - n, p->name) != 0)
        return false;
    return have == n ||
           (!p->linkage && have > n + 2 && ours[have - n - 1] == ':');
}

/* The pieces of a function at an address, outermost first; their number. */
static size_t chain_of(const struct theirs *t, const struct body *f,
                       uint64_t address, const struct piece **chain)
{
    size_t n = 0;

    for (size_t i = f->first; i < f->end && n < DEBUG_FRAMES_MAX; i++) {
        const struct piece *p = &t->pieces.data[i];

        if (p->depth == n && address >= p->low && address < p->high)
            chain[n++] = p;
    }
    return n;
}

static bool same_chain(const struct debug_frame *ours, size_t count,
                       const struct theirs *t, const struct body *f,
                       uint64_t address)
{
    const struct piece *chain[DEBUG_FRAMES_MAX];
    size_t n = chain_of(t, f, address, chain);

    if (n != count)
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct piece *p = chain[n - 1 - i];

        if (!same_name(ours[i].function, p) ||
            ours[i].inlined != (p->depth > 0) ||
            (i && ours[i].line != chain[n - i]->call_line))
            return false;
    }
    return true;
}

/* Of another function that has the byte, too. */
static bool is_chain_of_other(const struct debug_frame *ours, size_t count,
                              const struct theirs *t, uint64_t address)
{
    for (size_t i = 0; i < t->functions.len; i++)
        if (same_chain(ours, count, t, &t->functions.data[i], address))
            return true;
    return false;
}

/* `any`: libdwarf has a row for the address. */
static bool has_line(const struct theirs *t, uint64_t address, unsigned number,
                     bool *any)
{
    enum { LOOK_BACK = 64 }; /* rows of other sequences */
    size_t i;

    BISECT(i, t->lines.len, t->lines.data[i].low <= address);
    *any = false;
    for (size_t k = 0; k < LOOK_BACK && i; k++, i--) {
        const struct line *l = &t->lines.data[i - 1];

        if (address >= l->high)
            continue;
        *any = true;
        if (l->number == number)
            return true;
    }
    return false;
}

static void compare_at(const struct theirs *t, struct dwarf *dwarf,
                       const struct body *f, uint64_t address, const char *path)
{
    const struct piece *chain[DEBUG_FRAMES_MAX];
    struct debug_frame ours[DEBUG_FRAMES_MAX];
    bool plain, any;
    size_t n = dwarf_frames(dwarf, address, ours, DEBUG_FRAMES_MAX, &plain);
    bool right = same_chain(ours, n, t, f, address) ||
                 is_chain_of_other(ours, n, t, address);

    if (!chain_of(t, f, address, chain))
        return; /* of code that was dropped */
    totals.addresses++;
    totals.chains += n > 1;
    if (!right)
        for (size_t i = 0; i < n; i++)
            printf("  %s:%u%s\n", ours[i].function ? ours[i].function : "?",
                   ours[i].line, ours[i].inlined ? " inlined" : "");
    ck_assert_msg(right, "%s: 0x%llx is of %s", path,
                  (unsigned long long)address, t->pieces.data[f->first].name);
    right = has_line(t, address, ours[0].line, &any);
    totals.lines += any;
    ck_assert_msg(right || !any, "%s: 0x%llx is of line %u", path,
                  (unsigned long long)address, ours[0].line);
}

static void compare_function(const struct theirs *t, struct dwarf *dwarf,
                             const struct body *f, const char *path)
{
    for (size_t i = f->first; i < f->end; i++) {
        const struct piece *p = &t->pieces.data[i];

        compare_at(t, dwarf, f, p->low, path);
        compare_at(t, dwarf, f, p->high - 1, path);
        for (uint64_t at = p->low; !p->depth && at < p->high; at += STEP)
            compare_at(t, dwarf, f, at, path);
    }
    totals.functions++;
}

/* The number of functions compared. */
static size_t compare_file(const char *path)
{
    struct container *in = container_open(path, NULL);
    struct elf_image image;
    struct elf_dwarf d = {.image = NULL};
    struct dwarf *dwarf;
    struct theirs t;
    size_t before = totals.functions;

    ck_assert_ptr_nonnull(in);
    ck_assert(!elf_image_open(&image, path, in->entries[0].data,
                              in->entries[0].size, NULL));
    dwarf = elf_dwarf_open(&d, &image);
    if (read_theirs(&t, path) && dwarf)
        for (size_t i = 0; i < t.functions.len; i++)
            compare_function(&t, dwarf, &t.functions.data[i], path);
    close_theirs(&t);
    elf_dwarf_release(&d);
    elf_image_close(&image);
    container_close(in);
    totals.programs++;
    return totals.functions - before;
}

/* ---- the files ---- */

TEST(compiled_programs)
{
    static const char *const options[] = {
        "-g -O2",
        "-g -O0",
        "-gdwarf-2 -gstrict-dwarf -O2",
        "-gdwarf-3 -O2",
        "-gdwarf-4 -O2 -ffunction-sections",
        "-gdwarf-5 -O2 -gz=zlib",
        "-gdwarf-4 -O2 -gz=zlib-gnu",
        "-gdwarf-5 -O1 -fdebug-types-section",
        "-gdwarf64 -O2",
        "-g -O2 -flto",
    };
    static const char *const commands[] = {
        "clang -g -O2 p.c -o other",
        "clang -gdwarf-4 -O2 p.c -o other",
        "clang -gdwarf-2 -O1 p.c -o other",
        "g++ -g -O2 -x c++ p.c -o other",
        ("printf '%s\\n' 'fn mix(x: u32) -> u32 { x.rotate_left(3) ^ 7 }' "
        "'fn main() { let v: Vec<u32> = std::env::args().map(|a| "
        "mix(a.len() as u32)).collect(); println!(\"{}\", "
        "v.iter().sum::<u32>()); }' >p.rs && rustc -g -O p.rs -o other"),
    };

    for (size_t i = 0; i < COUNT(options); i++)
        if (!compiled_build("one", options[i]) ||
            !compare_file(compiled_path("one")))
            suite_skip(1, options[i]);
    for (size_t i = 0; i < COUNT(commands); i++)
        if (!compiled_run(commands[i]) || !compare_file(compiled_path("other")))
            suite_skip(1, commands[i]);
    ck_assert_uint_gt(totals.chains, 50);
}

/* The library of a shared build, the program, or else this test itself. */
TEST(topfn_itself)
{
    static const char *const names[] = {"/libtopfn.so", "/topfn"};
    char path[1000] = "";
    ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 20);
    char *folder = n > 0 ? strrchr(path, '/') : NULL;

    for (size_t i = 0; folder && i < COUNT(names); i++) {
        strcpy(folder, names[i]);
        if (!access(path, R_OK))
            break;
    }
    if (!folder || access(path, R_OK) != 0)
        strcpy(path, "/proc/self/exe");
    ck_assert_uint_gt(compare_file(path), 100);
}

/* Sections of the fuzz corpus (tests/fuzz/fuzz_dwarf.c), in a file. */
static void compare_sections(const char *seed)
{
    static const char *const names[] = {
        ".debug_info", ".debug_abbrev",   ".debug_line",
        ".debug_str",  ".debug_line_str", ".debug_str_offsets",
        ".debug_addr", ".debug_ranges",   ".debug_rnglists"};
    enum { N = COUNT(names) };
    struct container *in = container_open(seed, NULL);
    struct reader r =
        reader_of(seed, in->entries[0].data, in->entries[0].size, 0, NULL);
    struct elf_part parts[N] = {{.name = NULL}};
    struct blob bytes[N] = {{0}}, file;
    char path[TEMP_PATH];

    for (size_t i = 0; i < N; i++) {
        struct bytes b = reader_bytes(&r, reader_u16(&r));

        blob_bytes(&bytes[i], b.data, b.len);
        parts[i] =
            (struct elf_part){names[i], SHT_PROGBITS, 0, 0, &bytes[i], 0, 0};
    }
    file = elf_of(parts, N);
    temp_file(path, file.data, file.len);
    compare_file(path);
    unlink(path);
    for (size_t i = 0; i < N; i++)
        free(bytes[i].data);
    free(file.data);
    container_close(in);
}

TEST(fuzz_corpus)
{
    static const char *const sections[] = {"clang5", "dwarf5", "package",
                                           "split"};
    static const char *const files[] = {"dwarf4-zlib", "dwarf5",
                                        "scopes-without-any"};
    char path[100];

    for (size_t i = 0; i < COUNT(sections); i++) {
        snprintf(path, sizeof(path), "testdata/fuzz/dwarf/%s", sections[i]);
        compare_sections(path);
    }
    for (size_t i = 0; i < COUNT(files); i++) {
        snprintf(path, sizeof(path), "testdata/fuzz/elf/%s", files[i]);
        compare_file(path);
    }
}

SUITE
{
    int status;

    if (!compiled_prepare())
        return 1;
    status = run_tests();
    compiled_remove();
    return status;
}

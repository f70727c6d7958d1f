/*
 * mkcontainer KIND FILE...    makes sample containers for testdata/
 *
 *     zip IN NAME OUT         a zip archive with IN under NAME, deflated
 *     zip IN NAME IN NAME... OUT
 *                             the same with several files, four at most
 *     vspx IN OUT             the same as Visual Studio 2013 writes it
 *     opc IN OUT              a .diagsession of Visual Studio 2022
 *     ole IN OUT              a .diagsession of Visual Studio 2019
 *     vsp OUT                 a recording of a small program
 *     cab IN OUT, cab-stored IN OUT
 *                             IN in a cabinet
 *     nrbf OUT, xpress OUT, metadata OUT, jitdump OUT, jitdump-big OUT
 *                             seeds of fuzz targets
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cab_writer.h"
#include "tests/support/jitdump_writer.h"
#include "tests/support/nrbf_writer.h"
#include "tests/support/ole_writer.h"
#include "tests/support/vsp_writer.h"
#include "tests/support/zip_writer.h"

static const char metadata[] =
    "<?xml version=\"1.0\"?>\r\n"
    "<Package xmlns=\"urn:diagnosticshub-package-metadata-2-1\">"
    "<Tools><Tool Id=\"{96F1F3E8-F762-4CD2-8ED9-68EC25C2C722}\"/></Tools>"
    "<Content><Resource Id=\"{ABC}\" Type=\"DiagnosticsHub.Resource.EtlFile\""
    " Name=\"sc.user_aux.etl\" ResourcePackageUriPrefix=\"ABC\""
    " IsDirectoryOnDisk=\"false\"/></Content></Package>\r\n";

static struct blob read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct blob b = {0};
    int c;

    if (!file) {
        perror(path);
        exit(1);
    }
    while ((c = getc(file)) != EOF)
        blob_u8(&b, (uint8_t)c);
    fclose(file);
    return b;
}

static int write_all(const char *path, const struct blob *b)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(b->data, 1, b->len, file) != b->len || fclose(file)) {
        perror(path);
        return 1;
    }
    return 0;
}

static struct blob make_zip(const char *in, const char *name,
                            const char *other, const char *text)
{
    struct blob trace = read_all(in);
    struct zip_member members[] = {
        {name, trace.data, trace.len, true},
        {other, text, strlen(text), false},
    };

    return zip_make(members, 2);
}

enum { MOST_FILES = 4 };

static struct blob make_zip_of(char **in, size_t count)
{
    struct zip_member members[MOST_FILES];

    for (size_t i = 0; i < count; i++) {
        struct blob file = read_all(in[2 * i]);

        members[i] =
            (struct zip_member){in[2 * i + 1], file.data, file.len, true};
    }
    return zip_make(members, count);
}

static struct blob make_ole(const char *in)
{
    static const char *const folders[] = {"ABC"};
    struct blob trace = read_all(in);
    struct blob e1 = ole_pack(trace.data, trace.len, 65536);
    struct blob set = ole_property_set(folders, 1);
    struct ole_stream streams[] = {
        {"\5Mgj4efc5D0geeas1LvgnikgsJe", set.data, set.len},
        {"E1", e1.data, e1.len},
        {"metadata.xml", metadata, sizeof(metadata) - 1},
    };

    return ole_make(streams, 3);
}

static void put_samples(struct vsp_writer *w)
{
    static const uint64_t main_run[] = {0x401010, 0x900010, 0x702000};
    static const uint64_t broken[] = {0x401020, 0xBAADF00D, 0x702000};
    static const uint64_t system[] = {0x701234, 0x900020, 0x702000};

    vsp_block(w, 4);
    for (uint64_t i = 0; i < 12; i++)
        vsp_sample(w, 2000 + 1000 * i, 11, main_run, 3, false);
    for (uint64_t i = 0; i < 5; i++)
        vsp_sample(w, 20000 + 1000 * i, 11, system, 3, false);
    vsp_sample(w, 30000, 12, broken, 3, true);
}

static struct blob make_vsp(void)
{
    struct vsp_writer w;

    vsp_begin(&w, 4);
    w.block_size = 4096;
    vsp_block(&w, 1);
    vsp_process(&w, 100, 10, "C:\\work\\orders.exe");
    vsp_thread(&w, 110, 10, 11);
    vsp_thread(&w, 111, 10, 12);
    vsp_module(&w, 120, true, 0x400000, 0x10000, 77, "C:\\work\\orders.exe");
    vsp_module(&w, 121, true, 0x700000, 0x10000, 5, "C:\\sys\\ntdll.dll");
    vsp_block(&w, 8);
    vsp_method(&w, 950, 0x900000, 0x40, 0x06000001, 10, 3, true);
    put_samples(&w);
    vsp_end(&w);
    vsp_saved_names(&w, "C:\\work\\orders.exe", 0x10000, 77,
                    "C:\\work\\M.dll", 3);
    return w.b;
}

/* The size, then the block. */
static struct blob make_xpress(void)
{
    static const char text[] = "abcdefghijklmnopqrstuvwxyz";
    uint8_t bytes[1000];
    struct blob packed, b = {0};

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)text[i * i % 26];
    packed = ole_pack(bytes, sizeof(bytes), sizeof(bytes));
    blob_u16(&b, sizeof(bytes));
    blob_bytes(&b, packed.data + 24, packed.len - 24);
    return b;
}

static struct blob make_cab(const char *in, bool packed)
{
    struct blob file = read_all(in), b = {0};

    cab_make(&b, file.data, file.len, packed);
    return b;
}

/* Code with lines, moved away, and other code in its place. */
static struct blob make_jitdump(bool big_endian)
{
    static const struct jitdump_line lines[] = {
        {0x1000, 3, "orders.js"}, {0x1010, 5, "\xFF"}};
    struct jitdump_writer w = {.big_endian = big_endian};

    jitdump_begin(&w);
    jitdump_lines(&w, 0x1000, lines, 2);
    jitdump_load(&w, 0x1000, 0x40, 1, "total");
    jitdump_move(&w, 0x1000, 0x5000, 0x40, 1);
    jitdump_load(&w, 0x1000, 0x20, 2, "lookup");
    jitdump_other(&w, 3, 0);
    return w.b;
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";
    struct blob b = {0};

    if (!strcmp(kind, "zip") && argc == 5)
        b = make_zip(argv[2], argv[3], "LogFile.txt", "log");
    else if (!strcmp(kind, "zip") && argc >= 7 && argc % 2 &&
             argc <= 3 + 2 * MOST_FILES)
        b = make_zip_of(argv + 2, ((size_t)argc - 3) / 2);
    else if (!strcmp(kind, "vspx") && argc == 4)
        b = make_zip(argv[2], "VSProfilingData\\orders.etl",
                     "VSProfilingData\\Metadata\\vsperfmetadata.xml",
                     "<TaskName>CPU</TaskName>");
    else if (!strcmp(kind, "opc") && argc == 4)
        b = make_zip(argv[2], "abc/sc.user_aux.etl", "metadata.xml", metadata);
    else if (!strcmp(kind, "ole") && argc == 4)
        b = make_ole(argv[2]);
    else if (!strcmp(kind, "vsp") && argc == 3)
        b = make_vsp();
    else if (!strncmp(kind, "cab", 3) && argc == 4)
        b = make_cab(argv[2], !strcmp(kind, "cab"));
    else if (!strncmp(kind, "jitdump", 7) && argc == 3)
        b = make_jitdump(!strcmp(kind, "jitdump-big"));
    else if (!strcmp(kind, "nrbf") && argc == 3)
        b = nrbf_symbols(4, 0x400000);
    else if (!strcmp(kind, "xpress") && argc == 3)
        b = make_xpress();
    else if (!strcmp(kind, "metadata") && argc == 3)
        blob_bytes(&b, metadata, sizeof(metadata) - 1);
    if (!b.len) {
        fprintf(stderr, "usage: mkcontainer KIND [IN [NAME]] OUT\n");
        return 64;
    }
    return write_all(argv[argc - 1], &b);
}

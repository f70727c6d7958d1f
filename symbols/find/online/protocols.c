/*
 * Microsoft's symbol server: GET SERVER/NAME/KEY/
 *
 *     NAME      the file; names of PDBs and images, keys as search.h has them
 *     NAM_      a cabinet that has it: the last letter is an underscore
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/base/path.h"
#include "symbols/find/online/ask.h"

/*
 * debuginfod: GET SERVER/buildid/HEX/
 *
 *     executable  the program or library
 *     debuginfo   its debug file
 */

enum { ADDRESS_SIZE = BUILD_ID_TEXT + 32 };

static bool debuginfod_has(const struct wanted *wanted)
{
    return (wanted->kind == WANTED_ELF || wanted->kind == WANTED_ELF_NAMES ||
            wanted->kind == WANTED_ELF_DWARF) &&
           wanted->identity.build_id_size > 1;
}

static char *debuginfod_address(const struct wanted *wanted)
{
    const struct identity *id = &wanted->identity;
    char *debuginfod_address = mem_new(ADDRESS_SIZE, 1), hex[BUILD_ID_TEXT];

    build_id_text(id->build_id, id->build_id_size, hex);
    snprintf(debuginfod_address, ADDRESS_SIZE, "buildid/%s/%s", hex,
             wanted->kind == WANTED_ELF ? "executable" : "debuginfo");
    return debuginfod_address;
}

static void debuginfod_ask(struct ask *a)
{
    const struct identity *id = &a->wanted->identity;
    char *from = debuginfod_address(a->wanted);
    char *place = build_id_path("", id->build_id, id->build_id_size,
                                a->wanted->kind == WANTED_ELF ? "" : ".debug");

    ask_file(a, from, place + 1, false);
    free(from);
    free(place);
}

const struct protocol debuginfod_protocol = {.has = debuginfod_has,
                                             .address = debuginfod_address,
                                             .ask = debuginfod_ask};

static bool has(const struct wanted *wanted)
{
    return (wanted->kind == WANTED_PDB || wanted->kind == WANTED_PE) &&
           wanted->key[0];
}

static bool is_plain(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z') || strchr("-._~", c);
}

/* A name as a part of an URL's path (RFC 3986, section 2). */
static char *url_part(const char *name)
{
    char *part = mem_new(3 * strlen(name) + 1, 1), *to = part;

    for (; *name; name++) {
        if (is_plain(*name))
            *to++ = *name;
        else
            to += sprintf(to, "%%%02X", (unsigned char)*name);
    }
    return part;
}

/* NAME/KEY/LAST */
static char *in_store(const char *name, const char *key, const char *last)
{
    char *folder = path_join(name, key);
    char *path = path_join(folder, last);

    free(folder);
    return path;
}

/* Makes the path of an URL; `last` NULL: NAME once more. */
static char *address_of(const struct wanted *wanted, const char *last)
{
    char *name = url_part(wanted->name);
    char *address = in_store(name, wanted->key, last ? last : name);

    free(name);
    return address;
}

static char *address(const struct wanted *wanted)
{
    return address_of(wanted, NULL);
}

static enum answer ask_whole(struct ask *a, const char *place)
{
    char *from = address(a->wanted);
    enum answer answer = ask_file(a, from, place, false);

    free(from);
    return answer;
}

static void ask_cabinet(struct ask *a, const char *place)
{
    const char *name = a->wanted->name;
    char *packed = text_dup(name), *last, *from;

    packed[strlen(packed) - 1] = '_';
    last = url_part(packed);
    from = address_of(a->wanted, last);
    (void)ask_file(a, from, place, true);
    free(packed);
    free(last);
    free(from);
}

static void ask(struct ask *a)
{
    const struct wanted *w = a->wanted;
    char *place = in_store(w->name, w->key, w->name);

    if (ask_whole(a, place) == ANSWER_ABSENT)
        ask_cabinet(a, place);
    free(place);
}

const struct protocol symsrv_protocol = {
    .has = has, .address = address, .ask = ask};

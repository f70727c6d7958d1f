/*
 * debuginfod: GET SERVER/buildid/HEX/
 *
 *     executable  the program or library
 *     debuginfo   its debug file
 */
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/mem.h"
#include "symbols/find/build_id.h"
#include "symbols/find/online/ask.h"

enum { ADDRESS_SIZE = BUILD_ID_TEXT + 32 };

static bool has(const struct wanted *wanted)
{
    return (wanted->kind == WANTED_ELF || wanted->kind == WANTED_ELF_NAMES ||
            wanted->kind == WANTED_ELF_DWARF) &&
           wanted->identity.build_id_size > 1;
}

static char *address(const struct wanted *wanted)
{
    const struct identity *id = &wanted->identity;
    char *address = mem_new(ADDRESS_SIZE, 1), hex[BUILD_ID_TEXT];

    build_id_text(id->build_id, id->build_id_size, hex);
    snprintf(address, ADDRESS_SIZE, "buildid/%s/%s", hex,
             wanted->kind == WANTED_ELF ? "executable" : "debuginfo");
    return address;
}

static void ask(struct ask *a)
{
    const struct identity *id = &a->wanted->identity;
    char *from = address(a->wanted);
    char *place =
        build_id_path("", id->build_id, id->build_id_size,
                      a->wanted->kind == WANTED_ELF ? "" : ".debug");

    ask_file(a, from, place + 1);
    free(from);
    free(place);
}

const struct protocol debuginfod_protocol = {
    .has = has, .address = address, .ask = ask};

/*
 * go_table_writer - tables of functions as Go's linkers write them.
 *
 *     struct blob trees = {0};
 *     struct blob table = go_table_made(GO_1_20, &trees);
 *     free(table.data);
 *     free(trees.data);
 *
 * Two functions, from GO_TEXT on: `main.work`, 0x40 bytes of which those from
 * 0x10 to 0x20 are `main.twice` of another file, inlined into the call at 4;
 * and `main.run`, 0x20 bytes. Lines: 10, in what is inlined 70, then 11.
 */
#ifndef TOPFN_TESTS_GO_TABLE_WRITER_H
#define TOPFN_TESTS_GO_TABLE_WRITER_H

#include "symbols/elf/go_table.h"
#include "tests/support/blob.h"

#define GO_TEXT ((uint64_t)0x401000)

/* Addresses of trees before 1.18 begin at 0x9000. */
struct blob go_table_made(enum go_table_version version, struct blob *trees);

#endif

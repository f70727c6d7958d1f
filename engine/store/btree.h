/*
 * btree - the tables of a new database, laid down from the first row on.
 *
 *     struct page_file file;
 *     page_file_open(&file, "new.topfn", pages);  // SQLite made it so far
 *     struct btree tree;
 *     btree_open(&tree, &file, root);
 *     btree_add(&tree, id, row); ...              // ids count up
 *     btree_close(&tree);
 *     if (page_file_close(&file)) ...             // an SQLite result code
 *
 * SQLite makes the file, with its schema and with empty tables whose root
 * pages it tells. An INSERT of one row costs it ten times what there is to
 * do for rows that come in order into a file that nobody else sees: to put
 * them one behind the other. Several trees may be written in turn; what is
 * written is the same in every run.
 *
 * Pages are as in https://www.sqlite.org/fileformat2.html section 1.6.
 */
#ifndef TOPFN_BTREE_H
#define TOPFN_BTREE_H

#include "engine/base/reader.h"
#include "engine/base/vec.h"
#include "engine/store/schema.h"

struct page_file {
    int fd;
    uint32_t pages;       /* those in `waiting` too */
    VEC(uint8_t) waiting; /* the last pages, not yet written */
    uint64_t begun;       /* to be synced: bytes */
    int result;           /* of SQLite: the first failure */
};

void page_file_open(struct page_file *file, const char *path, uint32_t pages);
int page_file_close(struct page_file *file);

/* A page of the tree and the largest id below it. */
struct btree_child {
    uint32_t page, last;
};

struct btree {
    struct page_file *file;
    uint32_t root;
    VEC(struct btree_child) children; /* full leaves */
    uint32_t last;                    /* id */
    size_t cells, top;                /* of the leaf: cells begin at `top` */
    uint8_t leaf[STORE_PAGE_SIZE];
};

void btree_open(struct btree *tree, struct page_file *file, uint32_t root);
void btree_add(struct btree *tree, uint32_t id, struct bytes row);
void btree_close(struct btree *tree);

#endif

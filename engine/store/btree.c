#include "engine/store/btree.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "engine/store/record.h"

/*
 * A page of a tree:
 *   OFFSET SIZE DESCRIPTION
 *   0      1    5 of pages above, 13 of leaves
 *   1      2    0: nothing was deleted
 *   3      2    cells
 *   5      2    offset of the cells
 *   7      1    0: no gaps between cells
 *   8      4    last child; not of leaves
 * then the offset of each cell, 2 bytes, in order of ids; cells fill the page
 * from its end. All numbers are big-endian.
 *
 * A cell above: the page of a child and, as a varint, the largest id below.
 * A cell of a leaf: size of the row and id as varints, the row, and of a row
 * that does not fit the page of its rest: the page after (4 bytes), bytes.
 */
enum {
    PAGE_ABOVE = 5,
    PAGE_LEAF = 13,
    LEAF_HEADER = 8,
    ABOVE_HEADER = 12,
    CELL_ABOVE_MOST = 4 + VARINT_BYTES + 2, /* with its offset */
    CHILDREN_MOST = (STORE_PAGE_SIZE - ABOVE_HEADER) / CELL_ABOVE_MOST,
    LINK = 4,
    ROW_LOCAL = STORE_PAGE_SIZE - 35, /* of a row that is in one piece */
    ROW_LEAST = (STORE_PAGE_SIZE - 12) * 32 / 255 - 23, /* in its leaf */
    CELL_MOST = 2 * VARINT_BYTES + ROW_LOCAL + LINK,
    WAITING_PAGES = 32,
    /* Where SQLite locks bytes; what is there is no page. */
    LOCK_PAGE = (1 << 30) / STORE_PAGE_SIZE + 1,
    OFFSET_PAGES = 28, /* in the file: how many pages there are */
};

static void put_u16(uint8_t *at, size_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void put_u32(uint8_t *at, uint32_t value)
{
    store_u32(at, __builtin_bswap32(value));
}

/* ---- the file ---- */

static void write_at(struct page_file *f, const uint8_t *bytes, size_t n,
                     uint64_t offset)
{
    while (n && !f->result) {
        ssize_t done = pwrite(f->fd, bytes, n, (off_t)offset);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0) {
            f->result = errno == ENOSPC ? SQLITE_FULL : SQLITE_IOERR_WRITE;
            return;
        }
        bytes += done;
        n -= (size_t)done;
        offset += (uint64_t)done;
    }
}

/* The file is synced in the end: its device can begin meanwhile. */
static void begin_sync(struct page_file *f)
{
#ifdef SYNC_FILE_RANGE_WRITE
    enum { AT_ONCE = 8 << 20 };
    uint64_t end = (uint64_t)f->pages * STORE_PAGE_SIZE;

    if (f->fd < 0 || end - f->begun < AT_ONCE)
        return;
    (void)sync_file_range(f->fd, (off_t)f->begun, (off_t)(end - f->begun),
                          SYNC_FILE_RANGE_WRITE);
    f->begun = end;
#else
    (void)f;
#endif
}

static void write_waiting(struct page_file *f)
{
    size_t n = f->waiting.len;

    write_at(f, f->waiting.data, n, (uint64_t)f->pages * STORE_PAGE_SIZE - n);
    f->waiting.len = 0;
    begin_sync(f);
}

/* The page that the next add_page becomes. */
static uint32_t next_page(const struct page_file *f)
{
    return f->pages + (f->pages + 1 == LOCK_PAGE ? 2 : 1);
}

static void append(struct page_file *f, const uint8_t *page)
{
    if (f->waiting.len == (size_t)WAITING_PAGES * STORE_PAGE_SIZE)
        write_waiting(f);
    vec_reserve(&f->waiting, (size_t)WAITING_PAGES * STORE_PAGE_SIZE);
    memcpy(f->waiting.data + f->waiting.len, page, STORE_PAGE_SIZE);
    f->waiting.len += STORE_PAGE_SIZE;
    f->pages++;
}

/* Returns its number. */
static uint32_t add_page(struct page_file *f, const uint8_t *page)
{
    static const uint8_t nothing[STORE_PAGE_SIZE];

    if (f->pages + 1 == LOCK_PAGE)
        append(f, nothing);
    append(f, page);
    return f->pages;
}

void page_file_open(struct page_file *f, const char *path, uint32_t pages)
{
    *f = (struct page_file){.pages = pages};
    f->fd = open(path, O_WRONLY | O_CLOEXEC);
    if (f->fd < 0)
        f->result = SQLITE_CANTOPEN;
}

int page_file_close(struct page_file *f)
{
    uint8_t pages[4];

    put_u32(pages, f->pages);
    write_waiting(f);
    write_at(f, pages, sizeof(pages), OFFSET_PAGES);
    if (f->fd >= 0 && close(f->fd) && !f->result)
        f->result = SQLITE_IOERR_CLOSE;
    vec_release(&f->waiting);
    return f->result;
}

/* ---- leaves ---- */

static void begin_leaf(struct btree *t)
{
    t->cells = 0;
    t->top = STORE_PAGE_SIZE;
}

/* Header and nothing between offsets and cells, of a page with `header` bytes
 * before the offsets. */
static void end_page(uint8_t *page, uint8_t type, size_t header, size_t cells,
                     size_t top)
{
    size_t used = header + 2 * cells;

    page[0] = type;
    put_u16(page + 1, 0);
    put_u16(page + 3, cells);
    put_u16(page + 5, top);
    page[7] = 0;
    memset(page + used, 0, top - used);
}

static void end_leaf(struct btree *t)
{
    end_page(t->leaf, PAGE_LEAF, LEAF_HEADER, t->cells, t->top);
    *vec_add(&t->children) =
        (struct btree_child){add_page(t->file, t->leaf), t->last};
    begin_leaf(t);
}

/* How much of a row stays in its leaf. The rest fills whole pages if it can. */
static size_t local_part(size_t n)
{
    size_t local;

    if (n <= ROW_LOCAL)
        return n;
    local = ROW_LEAST + (n - ROW_LEAST) % (STORE_PAGE_SIZE - LINK);
    return local <= ROW_LOCAL ? local : ROW_LEAST;
}

/* Returns the first page. */
static uint32_t add_rest(struct page_file *f, const uint8_t *at, size_t n)
{
    uint32_t first = next_page(f);
    uint8_t page[STORE_PAGE_SIZE];

    while (n) {
        size_t part = n < sizeof(page) - LINK ? n : sizeof(page) - LINK;
        uint32_t own = next_page(f);
        uint32_t after = own + (own + 1 == LOCK_PAGE ? 2 : 1);

        put_u32(page, n > part ? after : 0);
        memcpy(page + LINK, at, part);
        memset(page + LINK + part, 0, sizeof(page) - LINK - part);
        add_page(f, page);
        at += part;
        n -= part;
    }
    return first;
}

void btree_open(struct btree *t, struct page_file *file, uint32_t root)
{
    t->file = file;
    t->root = root;
    t->children.data = NULL;
    t->children.len = t->children.cap = 0;
    t->last = 0;
    begin_leaf(t);
}

void btree_add(struct btree *t, uint32_t id, struct bytes row)
{
    size_t local = local_part(row.len);
    size_t linked = local < row.len ? LINK : 0;
    size_t head = varint_size((uint32_t)row.len) + varint_size(id);
    size_t size = head + local + linked;
    uint32_t rest = 0;
    uint8_t *at;

    if (linked)
        rest = add_rest(t->file, row.data + local, row.len - local);
    if (t->top - LEAF_HEADER - 2 * t->cells < size + 2)
        end_leaf(t);
    t->top -= size;
    put_u16(t->leaf + LEAF_HEADER + 2 * t->cells++, t->top);
    at = t->leaf + t->top;
    at += varint_put(at, (uint32_t)row.len);
    at += varint_put(at, id);
    memcpy(at, row.data, local);
    if (linked)
        put_u32(at + local, rest);
    t->last = id;
}

/* ---- pages above ---- */

/* Of at least two children: the last has no cell. */
static void make_above(const struct btree_child *children, size_t n,
                       uint8_t *page)
{
    size_t top = STORE_PAGE_SIZE;

    for (size_t i = 0; i + 1 < n; i++) {
        uint8_t cell[4 + VARINT_BYTES];
        size_t size = 4 + varint_put(cell + 4, children[i].last);

        put_u32(cell, children[i].page);
        top -= size;
        memcpy(page + top, cell, size);
        put_u16(page + ABOVE_HEADER + 2 * i, top);
    }
    end_page(page, PAGE_ABOVE, ABOVE_HEADER, n - 1, top);
    put_u32(page + LEAF_HEADER, children[n - 1].page);
}

/* Children become those of one level up, shared out evenly so that none is
 * alone. */
static void add_level(struct btree *t)
{
    size_t n = t->children.len;
    size_t above = (n + CHILDREN_MOST - 1) / CHILDREN_MOST;
    uint8_t page[STORE_PAGE_SIZE];

    for (size_t i = 0; i < above; i++) {
        size_t from = n * i / above, to = n * (i + 1) / above;

        make_above(t->children.data + from, to - from, page);
        t->children.data[i] = (struct btree_child){
            add_page(t->file, page), t->children.data[to - 1].last};
    }
    t->children.len = above;
}

void btree_close(struct btree *t)
{
    if (t->children.len) {
        end_leaf(t);
        while (t->children.len > CHILDREN_MOST)
            add_level(t);
        make_above(t->children.data, t->children.len, t->leaf);
    } else {
        end_page(t->leaf, PAGE_LEAF, LEAF_HEADER, t->cells, t->top);
    }
    write_at(t->file, t->leaf, STORE_PAGE_SIZE,
             (uint64_t)(t->root - 1) * STORE_PAGE_SIZE);
    vec_release(&t->children);
}

/*
 * page_tree - the distinct stacks of one or two sides, as a page has them.
 *
 *     struct page_stacks stacks = {0};
 *     struct page_tree tree = {0};
 *
 *     page_stacks_add(&stacks, &(struct page_side){.p = p, .sel = sel});
 *     page_stacks_finish(&stacks);
 *     page_tree_make(&tree, &stacks, 200000, 50000);
 *     use(tree.nodes.data, tree.nodes.len);
 *     page_tree_release(&tree);
 *     page_stacks_release(&stacks);
 *
 * A node is a function and the path of its callers, in any process; inlined
 * calls are nodes of their own. The tree has parents before their children and
 * siblings sorted by name, so that the order of samples does not matter. If
 * there are too many nodes, those with fewest samples go. A sample keeps its
 * function, as a leaf of the nearest caller that stays: so the tree has exact
 * exclusive counts. Inclusive counts are those of the whole recording.
 */
#ifndef TOPFN_REPORT_PAGE_H
#define TOPFN_REPORT_PAGE_H

#include <stddef.h>

#include "engine/analysis/filter.h"
#include "engine/base/arena.h"
#include "engine/base/map.h"
#include "engine/base/out.h"
#include "engine/base/vec.h"
#include "engine/diff/pair.h"

struct page_function {
    const char *label, *name, *module;   /* as text for a person */
    uint8_t kind;                        /* enum code_kind */
    bool nameless, waits, mine, runtime; /* as --group means the last two */
    uint32_t id; /* the profile's function, or the unit of the pairs */
    uint64_t inclusive[2]; /* samples with it on their stack, of each side; or
                              of one side all, and those of running threads */
};

struct page_node {
    uint32_t parent, function;
    uint32_t depth; /* of the root 0 */
    bool inlined;
    uint64_t count[2]; /* samples that end here; as `inclusive` */
};

typedef VEC(struct page_node) page_nodes;

/* The selected samples of a profile, which are added to a page. */
struct page_side {
    const struct profile *p;
    const struct selection *sel;
    const struct selection *running; /* of them, without waiting threads; NULL:
                                        none waits */
    bool after;
    const struct diff_pairs *pairs; /* NULL: functions are the profile's */
    const uint32_t *unit_of;        /* of `pairs`, by function */
};

/* They are in order of arrival until page_stacks_finish sorts them. */
struct page_stacks {
    VEC(struct page_function) functions;
    page_nodes nodes; /* the first is the root */
    struct map node_ids, unit_ids;
    uint32_t *node_of; /* by stack, of the side added last: its node; 0: none */
    size_t stack_count;
    bool has_running; /* the second counts are a part of the first */
    uint32_t *heaviest, *heaviest_functions; /* all, most samples first */
    struct arena arena;                      /* texts */
};

struct page_tree {
    VEC(struct page_function) functions; /* the last is "[other]" */
    page_nodes nodes;
    uint32_t *place; /* by node of the stacks: where its samples are */
    size_t left_out; /* nodes */
    uint64_t left_out_samples; /* whose stack lacks callers or its function */
};

void page_stacks_add(struct page_stacks *stacks, const struct page_side *side);
/* Call it once, after all sides were added. */
void page_stacks_finish(struct page_stacks *stacks);
void page_stacks_release(struct page_stacks *stacks);

/* The `nodes` with most samples, and leaves for the samples of others; beyond
 * that many functions the rest are "[other]". The stacks must outlive it. */
void page_tree_make(struct page_tree *tree, const struct page_stacks *stacks,
                    size_t nodes, size_t functions);
void page_tree_release(struct page_tree *tree);

/*
 * page_bytes - columns of numbers, packed as text for a page.
 *
 *     struct page_bytes bytes = {0};
 *     page_bytes_text(&bytes, text, n);
 *     page_bytes_pack(&bytes);
 *     page_bytes_base64(&bytes, out);
 *     page_bytes_release(&bytes);
 *
 * A number is seven bits a byte, lowest first, the eighth says that there are
 * more (LEB128); a change may be negative: 0, -1, 1, -2 are 0, 1, 2, 3. Packed
 * they are a stream of zlib.
 */

struct page_bytes {
    VEC(uint8_t) bytes;
};

void page_bytes_number(struct page_bytes *b, uint64_t value);
void page_bytes_change(struct page_bytes *b, int64_t value);
void page_bytes_text(struct page_bytes *b, const char *text, size_t n);

/* Replaces the bytes by their compressed form. */
void page_bytes_pack(struct page_bytes *b);
/* Packs them if that is no longer than `most` as text; else returns false and
 * leaves all as it was. */
bool page_bytes_pack_within(struct page_bytes *b, size_t most);

/* RFC 4648, section 4; and how long that is. */
size_t page_bytes_text_size(const struct page_bytes *b);
void page_bytes_base64(const struct page_bytes *b, struct out *out);
void page_bytes_release(struct page_bytes *b);

/*
 * page_data - what a page holds, packed to a size that can be mailed.
 *
 *     struct page_data data = {0};
 *     page_data_make(&data, sides, 1);
 *     page_data_release(&data);
 *
 * Blocks, each packed; one of sources may be added:
 *
 *     names     JSON: functions, modules, threads, processes
 *     tree      columns of the nodes: depth, function, inlined
 *               (0 or 1), samples before, samples after; then by function the
 *               inclusive samples before, and after. The page has the second
 *               counts of two sides only; of one side with waiting samples
 *               it has the inclusive samples of running threads.
 *     samples   of one side. By thread the number of its rows; then columns of
 *               all rows, by thread and time: change of the step in time, of
 *               the node, the number of samples less 1, the code of the
 *               innermost frame (algebra.h: bits of enum leaf_kind, above them
 *               the tier, the state of the thread where rows are the time of
 *               threads, and PAGE_WAITS), and the processor, where there is
 *               room. The first row of a thread counts from 0.
 *
 * Samples of a thread that are alike within a step are one row. Processors
 * go first, then steps become longer, then nodes fewer, until everything has
 * its place. The tree gets half of the room, and what samples leave of theirs.
 */

enum {
    PAGE_MOST = 3,             /* megabytes */
    PAGE_SOURCE_MOST = 600000, /* bytes of these, where sources are wanted */
    PAGE_STATE_SHIFT = 9,      /* of enum thread_state, three bits */
    PAGE_WAITS = 1 << 15,      /* the sample is of a waiting thread */
};

struct page_data {
    struct page_stacks stacks;
    struct page_tree tree;
    VEC(uint32_t) threads;   /* of the profile: those with samples */
    VEC(uint32_t) processes; /* of these */
    struct page_bytes names, nodes, samples;
    struct page_bytes source; /* page_source.h */
    size_t sources;           /* functions that have it */
    bool wants_source, sources_cut;
    bool sources_of_first; /* of a side's runs */
    size_t megabytes;      /* of the page at most; 0: PAGE_MOST */
    uint64_t sample_count; /* of all sides */
    size_t rows;
    bool has_cpus;
    int64_t step, begin, end; /* nanoseconds: of a step, of the time that the
                                 page shows */
};

void page_data_make(struct page_data *data, const struct page_side *sides,
                    size_t count);
void page_data_release(struct page_data *data);

void page_names(struct page_data *data, const struct profile *p);
void page_threads(struct page_data *data, const struct page_side *side);
/* These are not packed yet. */
void page_rows(struct page_data *data, const struct page_side *side,
               int64_t steps, bool has_cpus);

/*
 * page_files - what every page has in it: report/page/, as it was built in.
 *
 * The Makefile writes them as C. A hash is what a Content-Security-Policy
 * calls the text: 'sha256-...'.
 */

extern const char page_body[], page_script[], page_style[];
extern const size_t page_body_size, page_script_size, page_style_size;
extern const char page_svg[]; /* the script of a flame graph */
extern const size_t page_svg_size;
extern const char page_script_hash[], page_style_hash[];

#endif

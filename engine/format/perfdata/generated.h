/*
 * generated - unwind data of generated code, which a runtime writes into its
 * jitdump (jitdump_records.h) before each piece of code.
 *
 *     struct pd_code_frames code = {0};
 *     uint32_t piece = pd_code_at(&code, r, pid, jitdump,
 *                                 address, time);
 *     if (piece != NO_ID) {
 *         void *image = pd_code_open(&code, piece, source);
 *         ... source->find(image, address, &row) ...
 *     }
 *     pd_code_frames_release(&code, source);
 *
 * The dump of a process is read when it is first asked for. Questions come in
 * order of time: code that was loaded later than a question is not there yet.
 */
#ifndef TOPFN_PERFDATA_GENERATED_H
#define TOPFN_PERFDATA_GENERATED_H

#include "engine/base/arena.h"
#include "engine/format/perfdata/mapping_tree.h"
#include "engine/format/perfdata/perfdata.h"

/* Pieces have numbers that no module has. */
#define PD_CODE_FIRST ((uint32_t)1 << 31)

struct pd_code_piece {
    uint64_t start, size, time;
    struct bytes frames; /* .eh_frame; empty: there is none */
    bool sought;
    void *opened;
};

/* A process: pieces[next .. end) are loaded later. */
struct pd_code_process {
    uint32_t root;
    size_t next, end;
};

struct pd_code_frames {
    VEC(struct pd_code_piece) pieces;
    VEC(struct pd_code_process) processes;
    struct map process_ids; /* (pid, jitdump) -> process */
    struct pd_mapping_tree tree;
    struct arena kept;
};

/* NO_ID: no code was generated there, as far as a dump says. `jitdump`: the
 * path of the one that the process mapped, a string, or "". */
uint32_t pd_code_at(struct pd_code_frames *code, struct pd_reading *r,
                    uint32_t pid, uint32_t jitdump, uint64_t address,
                    uint64_t time);
/* NULL: it has no unwind data. */
void *pd_code_open(struct pd_code_frames *code, uint32_t piece,
                   const struct frame_rules_source *source);
void pd_code_frames_release(struct pd_code_frames *code,
                            const struct frame_rules_source *source);

#endif

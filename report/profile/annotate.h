/*
 * annotate - instructions of a function, with the samples taken at each.
 *
 *     work · app.exe · exclusive 40 (40.0 %) · inclusive 90 (90.0 %)
 *     work in app.exe · 0x1030 to 0x1058 · 40 samples
 *
 *     samples          address    instruction
 *                                   app.c:12  x += step(x);
 *          10  25.0 %   0x1030  >   mov eax, dword ptr [rcx]
 *                                   | step app.c:5  return x * 31;
 *          30  75.0 %   0x1032      | imul eax, eax, 0x1f
 *           0           0x1035      call 0x1100 -> app.exe!push
 *
 * The command line fills it in from images and debug files; this only writes.
 * `>` marks what is jumped to from inside, bars what is inlined, and how
 * deep. JSON: schema "topfn.annotate/1".
 */
#ifndef TOPFN_REPORT_ANNOTATE_H
#define TOPFN_REPORT_ANNOTATE_H

#include "engine/base/arena.h"
#include "engine/base/reader.h"
#include "engine/base/vec.h"
#include "report/report.h"

struct annotated_frame {
    const char *function;
    const char *file; /* NULL unknown */
    uint32_t line;    /* 0 unknown */
};

struct annotated_instruction {
    uint64_t address; /* RVA */
    struct bytes bytes;
    const char *text;
    uint64_t samples; /* taken at it */
    /* The frames it belongs to, innermost first. */
    size_t frame, frame_count;
    bool is_target, has_target;
    uint64_t target;
    const char *target_name; /* NULL: in the same part, or unknown */
};

/* Code in one piece. */
struct annotated_part {
    uint32_t module_id; /* NO_ID: no module */
    const char *module;
    const char *name; /* of the physical function; NULL unknown */
    const char *image; /* path; NULL: not found, and `problem` tells */
    const char *problem;
    uint64_t start, end; /* of a problem with the whole image 0 */
    uint64_t samples;
    VEC(struct annotated_instruction) instructions;
    VEC(struct annotated_frame) frames;
};

struct annotated {
    const struct rank_row *function;
    VEC(struct annotated_part) parts;
};

#endif

/*
 * printed - the lines that `perf script` prints.
 *
 *     shop 40/41 [002] 12.345678:  1001001 cpu-clock:u:
 *     	        55d0c1a2b234 total+0x14 (/srv/shop/shop)
 *
 * Before the time stand the thread's name and ids and maybe its CPU, behind it
 * maybe the period, the event, and for a sample without a stack its only frame.
 * Names may have blanks, colons and brackets. The fields that perf was asked
 * for (-F) decide which of these a text has; all of its samples have the same
 * ones. (format.md, section 10)
 */
#ifndef TOPFN_PRINTED_H
#define TOPFN_PRINTED_H

#include <stdbool.h>

#include "engine/base/arena.h"
#include "engine/base/reader.h"

enum { PRINTED_NOBODY = UINT32_MAX }; /* an id that is not printed, or is -1 */

struct printed_head {
    struct bytes name;  /* of the thread; empty: not printed */
    uint32_t pid, tid;  /* equal if only the thread's is printed */
    bool has_pid, has_tid, has_time;
    uint16_t cpu;
    uint64_t time;      /* ns */
    uint64_t period;    /* 0: not printed */
    struct bytes event; /* empty: not printed */
    struct bytes rest;
};

struct printed_frame {
    uint64_t address;
    struct bytes symbol; /* empty: not known */
    struct bytes file;   /* "[kernel.kallsyms]"; empty: not known */
    bool inlined;        /* into the next frame, which has the file */
};

/* The next line, without its end, which *at moves behind. */
bool printed_line(struct bytes text, size_t *at, struct bytes *line);

/* False, and nothing said of *head or *frame: the line is something else. A
 * head without a time looks like many a text: it is one only if other samples
 * have the same fields (printed_same_fields) and frames follow it. */
bool printed_head(struct bytes line, struct printed_head *head);
bool printed_frame(struct bytes line, struct printed_frame *frame);

/* True if samples of a text have at most a name or ids in their heads, as
 * perf script -F comm,ip,sym prints them, or no head (-F ip,sym): nothing but
 * their frames, in perf's column, tells that it is one. */
bool printed_is_bare(struct bytes text);
bool printed_is_column(struct bytes line);

/* The head of a sample of such a text: its ids, if they are all it has. A
 * name without ids is nobody's. */
struct printed_head printed_bare_head(struct bytes line);

bool printed_same_fields(const struct printed_head *a,
                         const struct printed_head *b);

/* Other records that perf prints when asked to (--show-mmap-events). */
bool printed_record(struct bytes line);

/* True if it is the text of simpleperf report-sample. */
bool printed_simpleperf(struct bytes text);

/* Rewrites the text as perf script prints it. The result lives in the arena. */
struct bytes printed_simpleperf_script(struct arena *arena, struct bytes text);

#endif

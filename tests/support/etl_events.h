/*
 * The events of a CPU profile, one call per record, over etl_writer.
 *
 *     struct etl_at at = { .cpu = 0, .tick = etl_tick(w, 10500000) };
 *     uint64_t frames[] = { 0x401234, 0x401100 };
 *     etl_sampled_profile(w, at, frames[0], tid, 0);
 *     at.tick += 60;
 *     etl_stack(w, at, sample_tick, pid, tid, frames, 2);
 *
 * Addresses are u64 and written in the width their record has.  Frame 0 is the
 * innermost.  Texts are UTF-8, borrowed for the call.
 */
#ifndef TESTS_SUPPORT_ETL_EVENTS_H
#define TESTS_SUPPORT_ETL_EVENTS_H

#include "tests/support/etl_writer.h"

enum etl_phase { ETL_START, ETL_END, ETL_DC_START, ETL_DC_END, ETL_DEFUNCT };

/* --- samples (PerfInfo) ------------------------------------------------- */

enum { ETL_IN_DPC = 1, ETL_IN_ISR = 2 };

void etl_sampled_profile(struct etl_writer *w, struct etl_at at, uint64_t ip,
                         uint32_t tid, unsigned bits);
/* hook type 72 SetInterval, 73 CollectionStart, 74 CollectionEnd; the
 * interval in 100 ns. */
void etl_interval(struct etl_writer *w, struct etl_at at, unsigned type,
                  uint32_t interval);

/* --- stacks ------------------------------------------------------------- */

void etl_stack(struct etl_writer *w, struct etl_at at, uint64_t event_tick,
               uint32_t pid, uint32_t tid, const uint64_t *frames, size_t n);
void etl_stack_key(struct etl_writer *w, struct etl_at at,
                   uint64_t event_tick, uint32_t pid, uint32_t tid,
                   uint64_t key, bool user);

enum etl_key_event {
    ETL_KEY_CREATE = 34,
    ETL_KEY_DELETE = 35,
    ETL_KEY_RUNDOWN = 36
};
void etl_key_definition(struct etl_writer *w, struct etl_at at,
                        enum etl_key_event event, uint64_t key,
                        const uint64_t *frames, size_t n);

/* --- processes, threads ------------------------------------------------- */

struct etl_process {
    uint32_t pid, parent;
    uint32_t flags;            /* v4: 2 WOW64 */
    bool no_sid;               /* the 4-byte form of the SID block */
    const char *image;         /* file name */
    const char *command_line;
};
/* version 0..4; ETL_DEFUNCT is version 5 and adds the exit time. */
void etl_process(struct etl_writer *w, struct etl_at at, enum etl_phase phase,
                 unsigned version, const struct etl_process *p);

/* version 0..4; name NULL: none (v3) or empty (v4). */
void etl_thread(struct etl_writer *w, struct etl_at at, enum etl_phase phase,
                unsigned version, uint32_t pid, uint32_t tid,
                const char *name);
void etl_context_switch(struct etl_writer *w, struct etl_at at,
                        uint32_t new_tid, uint32_t old_tid);

/* --- images ------------------------------------------------------------- */

struct etl_image {
    uint32_t pid;              /* 0: a kernel module */
    uint64_t base, size;
    uint32_t checksum;
    uint32_t link_time;
    const char *name;          /* NT path */
};
/* version 0..3; START is Load, END Unload. */
void etl_image(struct etl_writer *w, struct etl_at at, enum etl_phase phase,
               unsigned version, const struct etl_image *i);

/* The ImageID class; these stand just before the image record, same tick. */
void etl_image_id(struct etl_writer *w, struct etl_at at,
                  const struct etl_image *i, const char *original_name);
void etl_image_rsds(struct etl_writer *w, struct etl_at at,
                    const struct etl_image *i, const struct etl_guid *guid,
                    uint32_t age, const char *pdb);
void etl_volume_mapping(struct etl_writer *w, struct etl_at at,
                        const char *nt_prefix, const char *dos_prefix);

/* --- other kernel events ------------------------------------------------ */

void etl_disk_read(struct etl_writer *w, struct etl_at at, uint32_t size,
                   uint64_t offset, uint32_t tid);
void etl_hard_fault(struct etl_writer *w, struct etl_at at, uint64_t address,
                    uint32_t tid);

/* --- .NET --------------------------------------------------------------- */

enum etl_method_event {
    ETL_METHOD_LOAD,
    ETL_METHOD_UNLOAD,
    ETL_METHOD_DC_START,
    ETL_METHOD_DC_END
};

struct etl_method {
    uint64_t id, module_id;
    uint64_t start;
    uint32_t size, token;
    uint32_t flags;            /* 8 jitted, bits 7..9 tier */
    const char *class_name, *name, *signature;
    uint64_t rejit_id;         /* v2 */
    bool with_stack;           /* the event carries one, as an item */
};
/* at.pid names the process, at.pointer_size its bitness; version 0..2. */
void etl_method_verbose(struct etl_writer *w, struct etl_at at,
                        enum etl_method_event event, unsigned version,
                        const struct etl_method *m);
/* CLR 2.0: a classic record, the layout of version 0. */
void etl_method_clr2(struct etl_writer *w, struct etl_at at,
                     enum etl_method_event event, const struct etl_method *m);

struct etl_mapped { int32_t il; uint32_t native; };
/* Which IL the method's code came from; load or rundown, version 0 or 1. */
void etl_il_map(struct etl_writer *w, struct etl_at at,
                enum etl_method_event event, unsigned version,
                const struct etl_method *m, const struct etl_mapped *map,
                unsigned count);

struct etl_module {
    uint64_t id, assembly_id, domain_id;
    uint32_t flags;
    const char *il_path, *native_path;
    struct etl_guid pdb_guid;  /* v2 */
    uint32_t pdb_age;
    const char *pdb_path;
};
void etl_module(struct etl_writer *w, struct etl_at at,
                enum etl_method_event event, unsigned version,
                const struct etl_module *m);

/* --- scripts (Microsoft-JScript) ---------------------------------------- */

struct etl_script_method {
    uint64_t context, start, size;
    uint32_t id;
    uint64_t source_id;
    uint32_t line, column;
    const char *name;
};
void etl_script_method(struct etl_writer *w, struct etl_at at,
                       enum etl_method_event event,
                       const struct etl_script_method *m);
void etl_script_source(struct etl_writer *w, struct etl_at at,
                       enum etl_method_event event, uint64_t source_id,
                       uint64_t context, const char *url);

/* --- fillers ------------------------------------------------------------ */

/* A TraceLogging event with its schema and one u32 and one string field. */
void etl_tracelogging(struct etl_writer *w, struct etl_at at, uint32_t value,
                      const char *text);

#endif

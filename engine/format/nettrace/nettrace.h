/*
 * nettrace - .NET EventPipe streams: netperf v3, nettrace v4, v5 and v6.
 *
 * A stream is a header and blocks: descriptions of event kinds (metadata),
 * stacks and threads, which later blocks refer to by number, and events. The
 * way of the data through this folder:
 *
 *   nettrace.c   the header, all files of a profile, what they amount to
 *   objects.c    framing of v3 to v5: objects, resynchronised after damage
 *   blocks.c     framing of v6: sized blocks; threads, labels
 *   blobs.c      one block of events: headers, plain and compressed
 *   kinds.c      metadata: which event is which, and what it is used for
 *   tables.c     what numbers stand for: stacks, and threads with the events
 *                they lost
 *   events.c     what is made of an event: samples and deferred methods
 *   universal.c  processes, mappings and symbols of the Linux recorder
 *
 * Events are in file order, which is not the order of time: samples are
 * sorted in the end, and what gives names is resolved by time anyway.
 * Reference: format.md.
 */
#ifndef TOPFN_NETTRACE_H
#define TOPFN_NETTRACE_H

#include "engine/attribution/clr.h"
#include "engine/attribution/observations.h"
#include "engine/attribution/trace_format.h"

extern const struct trace_format nettrace_format;

/* The use of the events of a kind, where it is none of enum clr_use. */
enum nt_use {
    NT_RUNDOWN_END = CLR_JIT + 1,
    NT_PROCESS_INFO,
    NT_UNIVERSAL, /* Universal.System */
};

/* Events of a kind are a step of a thread's life: attribution/thread_time.h. */
enum nt_role {
    NT_ROLE_NONE,
    NT_ROLE_SAMPLE,
    NT_ROLE_SWITCH,
    NT_ROLE_LOCK,   /* a wait begins */
    NT_ROLE_HANDLE, /* another wait begins */
    NT_ROLE_LOCK_END,
    NT_ROLE_HANDLE_END,
};

/* The kind of event that is a sample. */
enum nt_source { NT_THREAD_SAMPLE, NT_CPU_SAMPLE, NT_OTHER_EVENT };

/* A kind of event, as metadata describes it. */
struct nt_kind {
    uint32_t provider, name; /* strings */
    uint32_t event_id, version;
    uint8_t use;    /* enum clr_use or nt_use */
    uint8_t clr;    /* enum clr_provider, of .NET's own events */
    uint8_t source; /* enum nt_source */
    uint8_t role;   /* enum nt_role, where the time of threads is asked for */
    bool sampled;   /* every event is a sample */
    bool in_bytes;  /* that weighs what it says was allocated */
    uint8_t opcode, level;
    uint64_t keywords;
    const uint8_t *guid; /* of the provider, where v6 says it; or NULL */
    /* How its payload is laid out, as the file says it: v3 to v5 from the
     * count of fields to the end of the tags, v6 the fields only. */
    struct bytes fields;
    struct bytes optional; /* v6: entries behind the fields (kinds.c) */
    uint64_t count;
};

/* Entries of a row of v6 metadata behind the fields. */
enum nt_optional_kind {
    NT_OPTIONAL_OPCODE = 1,
    NT_OPTIONAL_KEYWORDS = 3,
    NT_OPTIONAL_MESSAGE,
    NT_OPTIONAL_DESCRIPTION,
    NT_OPTIONAL_PAIR,
    NT_OPTIONAL_GUID, /* value.data: 16 bytes */
    NT_OPTIONAL_LEVEL,
    NT_OPTIONAL_VERSION,
};

struct nt_optional {
    uint8_t kind; /* enum nt_optional_kind */
    uint64_t number;
    struct bytes key, value;
};

/* The next entry. Entries have no sizes: false at an unknown one, behind which
 * nothing can be read. */
bool nt_read_optional(struct reader *r, struct nt_optional *entry);

/* One label of a list. */
enum nt_label_kind {
    NT_LABEL_ACTIVITY = 1,
    NT_LABEL_RELATED,
    NT_LABEL_TRACE, /* 16 bytes, as W3C trace ids are */
    NT_LABEL_SPAN,
    NT_LABEL_TEXT,
    NT_LABEL_NUMBER,
    NT_LABEL_OPCODE,
    NT_LABEL_KEYWORDS,
    NT_LABEL_LEVEL,
    NT_LABEL_VERSION,
};

struct nt_label {
    uint8_t kind;            /* enum nt_label_kind */
    struct bytes key, value; /* UTF-8; key of texts and numbers */
    const uint8_t *id;       /* 16 bytes: activity, related, trace */
    uint64_t number;         /* span, opcode, ...; of NT_LABEL_NUMBER zigzag */
};

/* The next label; true if it is the last of its list. Labels have no sizes:
 * after an unknown one the reader has failed. */
bool nt_read_label(struct reader *r, struct nt_label *label);

/* Ids are of 16 bits where schemas are looked up; of more none has one. */
static inline uint16_t nt_kind_id(const struct nt_kind *k)
{
    return k->event_id < UINT16_MAX ? (uint16_t)k->event_id : UINT16_MAX;
}

/* Properties that a label list gives its events in place of their kind's; -1:
 * it does not. */
struct nt_labels {
    int16_t opcode, level, version;
    bool has_keywords;
    uint64_t keywords;
    const uint8_t *activity, *related; /* or NULL */
    struct bytes list;                 /* all of it, as it lies in the file */
};

/* A thread, in v6 one definition of a thread index. */
struct nt_thread {
    uint64_t id;   /* as events refer to it */
    uint32_t pid, tid;
    uint32_t key;  /* observe_thread_key, or NO_ID until it is sampled */
    struct bytes name; /* v6, UTF-8; or empty */
    uint32_t last; /* sequence number of its last event as a writer */
    bool counted;  /* `last` is known */
    bool gone;     /* removed (v6) */
    uint64_t lost;
};

/* A stack as the file holds it; interned when a sample first has it. */
struct nt_stack {
    const uint8_t *frames;
    uint32_t size; /* bytes */
    uint32_t run;  /* + 1; 0 while not interned */
};

/* A method event, decoded only if its code was sampled. */
struct nt_method {
    const uint8_t *payload;
    int64_t time;
    uint64_t start; /* of the code */
    uint32_t length;
    uint32_t size; /* of the payload */
    uint32_t pid;
    uint16_t id;
    uint8_t version;
    uint8_t provider; /* enum clr_provider */
};

enum { NT_CHOICES = 11 }; /* events that have a short name (kinds.c) */

/* All files of a profile together. */
struct nt_recording {
    struct observations *seen;
    const struct nt_sink *sink; /* gets the events; NULL: a profile's */
    struct profile *profile;
    struct strings *strings;
    const struct read_options *options;
    struct samples samples; /* `leaf`: enum nt_source */
    uint64_t most_samples, left_out; /* samples beyond as many */
    VEC(struct nt_method) methods;
    struct map count_ids;  /* string -> index in event_counts */
    int64_t zero_unix_ns;  /* of time 0: the earliest start of a file */
    VEC(struct time_range) recorded; /* by file: from its start to its end */
    bool runtime, rundown; /* .NET events were there; its method list was */
    bool cut_off;
    bool machine_wide;     /* of the Linux recorder, which walks stacks */
    uint64_t choices[NT_CHOICES]; /* events met, by short name (kinds.c) */
    bool chosen;                  /* events of options->event are there, */
    enum metric_id chosen_metric; /* and what they are called */
    int64_t last_unload;   /* of a module; TIME_MIN: none */
};

/* One event, whatever its header looked like. */
struct nt_event {
    uint64_t thread, capture_thread;
    uint64_t time; /* ticks */
    uint32_t kind, sequence, processor, stack, labels;
    uint32_t size;
    const uint8_t *payload;
    const uint8_t *frames; /* v3 has the stack here */
    uint32_t frames_size;
    const uint8_t *activity, *related; /* up to v5; or NULL */
    bool sorted; /* no later event of the file is earlier */
};

/* Bytes of a block, of which those before `pos` are read. */
struct nt_block {
    const uint8_t *data;
    size_t size, pos;
    uint64_t offset; /* of data[0] in the file */
    bool metadata;   /* a MetadataBlock */
    bool compressed;
    struct nt_event last; /* a compressed header tells what is different */
};

/* One file while it is read. */
struct nt_file {
    struct nt_recording *recording;
    const char *name;
    const uint8_t *data;
    size_t size;
    struct err *err;  /* the first damage, with its offset */
    unsigned version; /* 3, 4 (which v5 cannot be told from) or 6 */
    /* From the Trace object or block. */
    bool described;
    unsigned pointer_size;
    uint32_t pid, cpus;
    uint64_t frequency, sync;
    int64_t start_unix_ns;
    bool description_only; /* read nothing else */
    int64_t shift; /* added to times: from time 0 to this file's start */
    /* Tables. */
    VEC(struct nt_kind) kinds;
    struct map kind_ids;
    VEC(struct nt_thread) threads;
    struct map thread_ids;
    uint32_t last_thread; /* index that was looked up last */
    VEC(struct nt_stack) stacks;
    struct map stack_ids;
    VEC(struct nt_labels) labels;
    struct map label_ids;
    struct nt_universal *universal; /* NULL before its first event */
    struct nt_block events_block; /* read to its end, unless a sink paused */
    bool paused;
    /* Counts of what the file has. */
    int64_t last_ticks;  /* of the latest event, since the start */
    uint64_t events, blocks, blocks_skipped; /* blocks of events */
    uint64_t damaged;    /* places where something could not be read */
    uint64_t unknown_blocks;
    uint64_t no_kind, no_stack, no_labels; /* references to nothing */
    uint64_t backwards;  /* sequence numbers that went back */
    bool newer_blocks;   /* than are known: it was said */
    bool stopped;        /* nothing after this can be understood */
    bool complete;       /* the end marker was there */
};

/* Callbacks that get all events instead of a profile. `kind` is an index. */
struct nt_sink {
    void *context;
    /* False: the rest of the block is left for the next nt_step. */
    bool (*event)(void *context, struct nt_file *f, uint32_t kind,
                  const struct nt_event *e);
    /* Stacks and threads met so far will be forgotten, and all events to
     * come are later than those before. */
    void (*barrier)(void *context, struct nt_file *f);
    /* False: a block of events of these times, in ticks, is not read. */
    bool (*wants)(void *context, const struct nt_file *f, uint64_t min,
                  uint64_t max);
};

/* nettrace.c */

/* A file whose events go to recording->sink, block by block: opened up to its
 * first block, then read until nt_step returns false. */
enum err_code nt_open(struct nt_file *file, struct nt_recording *recording,
                      const struct entry *entry, size_t *pos, struct err *err);
bool nt_step(struct nt_file *file, size_t *pos);
/* For a file that is still being written: how many bytes it must have before
 * the block at `pos` is complete, as far as can be told by now. */
size_t nt_wanted(const struct nt_file *file, size_t pos);
/* Warns of what was found, and frees the tables. */
void nt_close(struct nt_file *file);

/* Notes that the bytes [offset, offset + size) could not be used. The
 * message of the first such place is kept in file->err. */
void nt_damage(struct nt_file *file, uint64_t offset, uint64_t size,
               const char *what);

/* Nanoseconds since time 0. */
int64_t nt_time(const struct nt_file *file, uint64_t ticks);

/* The system time at which the recording began: 8 x i16. */
int64_t nt_unix_time(struct reader *r);

/* The description of the trace is read: false, and noted as damage at
 * `offset`, when it makes no sense. */
bool nt_check_description(struct nt_file *file, uint64_t offset);

/* Facts of the profile: what every version says of itself, and one number. */
void nt_describe(const struct nt_file *file);
void nt_number_fact(const struct nt_file *file, const char *name,
                    const char *field, uint64_t n);

/* objects.c */
size_t nt_wanted_object(const struct nt_file *file, size_t pos);
/* The object at *pos, which is moved; false at the end. */
bool nt_step_object(struct nt_file *file, size_t *pos);

/* blocks.c */
/* The block at *pos, which is moved; false at the end. */
bool nt_step_block(struct nt_file *file, size_t *pos);
/* The label list of the event; NULL: it has none. */
const struct nt_labels *nt_labels_of(struct nt_file *file,
                                     const struct nt_event *event);
/* A v6 string: varuint32 length, UTF-8. */
struct bytes nt_string(struct reader *r);
uint32_t nt_varint32(struct reader *r);

/* blobs.c */

/* An EventBlock or MetadataBlock of v4 and later, header included. */
void nt_read_event_block(struct nt_file *file, const struct nt_block *block);
/* v3: no header, every blob is complete. */
void nt_read_v3_block(struct nt_file *file, const struct nt_block *block);
/* Goes on where a sink paused; false: it did not. */
bool nt_resume_block(struct nt_file *file);

/* kinds.c */
void nt_read_kind(struct nt_file *file, struct reader *r);
void nt_read_kinds_v6(struct nt_file *file, struct reader *r);
void nt_forget_kinds(struct nt_file *file);
/* Adds the events of every kind to the profile's counts. */
void nt_count_kinds(struct nt_file *file);

/* tables.c */
void nt_read_stacks(struct nt_file *file, struct reader *r);
void nt_forget_stacks(struct nt_file *file);
/* The addresses of a stack number; none for an unknown one. */
struct bytes nt_stack_frames(const struct nt_file *file, uint32_t number);
/* The run of a stack number; 0 for an empty stack or none. */
uint32_t nt_stack_run(struct nt_file *file, uint32_t number);
uint32_t nt_frames_run(struct nt_file *file, const uint8_t *frames,
                       uint32_t size);

/* The index of a thread, added if new; v6: NO_ID when it is not defined. */
uint32_t nt_thread_index(struct nt_file *file, uint64_t id);
/* False when the index is taken or, for removal, not there. */
bool nt_define_thread(struct nt_file *file, const struct nt_thread *thread);
bool nt_remove_thread(struct nt_file *file, uint64_t id, uint32_t last);
void nt_forget_threads(struct nt_file *file);
/* An event of this number was written; the last one was this number. */
void nt_thread_wrote(struct nt_file *file, uint32_t thread, uint32_t number);
void nt_thread_is_at(struct nt_file *file, uint64_t id, uint32_t number);
/* Warns of what was lost, by thread. */
void nt_report_losses(const struct nt_file *file);

/* events.c */
void nt_take_event(struct nt_file *file, const struct nt_kind *kind,
                   const struct nt_event *event);
/* "thread, allocation": the short names that `--event` may have here, in the
 * profile's facts; "" for none. */
const char *nt_describe_choices(struct nt_recording *rec);

/* All files are read: samples and methods become facts. */
void nt_finish_events(struct nt_recording *rec);

/* True if every event of this kind is a point of its thread's time
 * (thread weights). */
bool nt_is_point(const struct nt_recording *rec, const struct nt_kind *kind);
/* universal.c */

/* Identity of a mapped file, as the recorder read it. */
struct nt_image_metadata {
    struct identity identity;
    /* The executable segment of an ELF file. */
    bool has_segment;
    uint64_t segment_address, segment_offset;
};

/* Everything that can be read of it; the rest stays unknown. */
void nt_parse_image_metadata(struct nt_image_metadata *out, struct bytes json,
                             struct strings *strings);

void nt_universal_event(struct nt_file *file, const struct nt_kind *kind,
                        uint32_t pid, int64_t time, struct reader *r);
/* The file is read: mappings become facts. */
void nt_universal_finish(struct nt_file *file);

#endif

/*
 * perfdata - recordings of Linux perf: files and what `perf record -o -`
 * writes into a pipe, of either byte order.
 *
 * A recording is a list of events (what was counted, and how its samples are
 * laid out) and a stream of records: samples, and what happened to processes
 * and their memory. The way of the data through this folder:
 *
 *   perfdata.c   probing; one recording from its header to observations
 *   header.c     the two kinds of header, the descriptions of events
 *   features.c   what the file says of the machine; names, build-ids
 *   events.c     what an event counts, and which ones are the samples
 *   records.c    the stream of records, resynchronised after damage;
 *   kernel_records.c  those that are not the recorder's own
 *   packed.c     records in a zstd stream
 *   rounds.c     samples in batches, read by several threads and joined
 *   batch.c      one batch: samples, and the runs of addresses in them
 *   layout.c     where a sample has what
 *   order.c      samples in order of time; how they are told
 *   tasks.c      what happened: processes, threads, mappings by time
 *   images.c     mapped files and the kernel as modules
 *   generated.c  perf-PID.map and jit-PID.dump beside the recording
 *   unwind.c     user stacks from copies of registers and stack memory
 *   script.c     what `perf script` prints of a recording, its own format;
 *   printed.c    its lines;
 *   printed_memory.c  addresses for their frames
 *
 * Records of several CPUs are not in order of time: samples are sorted in
 * the end, and so is what happened before it is told. Reference: format.md.
 */
#ifndef TOPFN_PERFDATA_H
#define TOPFN_PERFDATA_H

#include "engine/base/arena.h"
#include "engine/observations/observations.h"
#include "engine/observations/trace_format.h"

extern const struct trace_format perfdata_format;
extern const struct trace_format perf_script_format; /* text of it: script.c */

enum pd_sample_bits {
    PD_IP = 1 << 0,
    PD_TID = 1 << 1,
    PD_TIME = 1 << 2,
    PD_ADDR = 1 << 3,
    PD_READ = 1 << 4,
    PD_CALLCHAIN = 1 << 5,
    PD_ID = 1 << 6,
    PD_CPU = 1 << 7,
    PD_PERIOD = 1 << 8,
    PD_STREAM_ID = 1 << 9,
    PD_RAW = 1 << 10,
    PD_BRANCH_STACK = 1 << 11,
    PD_REGS_USER = 1 << 12,
    PD_STACK_USER = 1 << 13,
    PD_IDENTIFIER = 1 << 16,
};

/* Modes of a record's `misc`, in its low three bits. */
enum pd_mode {
    PD_MODE_UNKNOWN,
    PD_MODE_KERNEL,
    PD_MODE_USER,
    PD_MODE_HYPERVISOR,
    PD_MODE_GUEST_KERNEL,
    PD_MODE_GUEST_USER,
    PD_MODE_MASK = 7,
};

enum pd_event_type { PD_HARDWARE, PD_SOFTWARE, PD_OTHER_TYPE };

/* A sample begins with fields of 8 bytes: the size of all of them, and where
 * each ends; 0: there is none. */
struct pd_layout {
    uint8_t size, ip, task, time, id, cpu, period;
};

/* What was counted. */
struct pd_event {
    uint32_t type; /* enum pd_event_type, and others */
    uint64_t config;
    bool frequency;   /* `period` is samples per second */
    uint64_t period;  /* events per sample */
    uint64_t sample_type, read_format, branch_type, user_registers;
    bool sample_id_all; /* every record tells its time */
    bool monotonic;     /* by CLOCK_MONOTONIC, which programs can read */
    uint32_t max_stack; /* addresses of a call chain at most; 0: not told */
    struct pd_layout layout;
    uint32_t name;      /* string */
    uint64_t count;     /* samples met */
    bool chosen;        /* they are the profile's samples */
};

/* One sample, with what decides where its stack comes from. Pointers reach
 * into the record. */
struct pd_sample {
    uint64_t ip, time, period, id;
    uint32_t pid, tid, cpu;
    uint8_t mode;
    struct bytes chain;    /* u64 each */
    struct bytes branches; /* 24 bytes each, the latest first */
    uint64_t registers_abi; /* 0: none */
    struct bytes registers; /* u64 each, those of the event's mask */
    struct bytes stack;     /* as far as it was copied */
};

/* In `leaf` of a sample that is not told yet: `outer` is the index of a
 * pd_user_stack. */
enum { PD_WALKS = 2 };

/* Two minutes of a processor's cycles: no sample stands for more. */
#define PD_PERIOD_MOST (((uint64_t)1 << 39) - 1)

/* What the user part of a sample's stack is walked from. */
struct pd_user_stack {
    struct bytes registers, memory;
    uint64_t mask; /* which registers */
};

struct pd_mapping {
    uint64_t base, size, file_offset;
    uint32_t path; /* string */
    bool kernel;
    uint8_t build_id_size;
    uint8_t build_id[20];
    uint32_t major, minor; /* of the file's device; inode 0: not known */
    uint64_t inode;
    uint64_t time;  /* 0: before the recording */
    uint32_t older; /* the mapping made before it in the same memory */
    bool first;     /* of a program: what is older was so before exec */
};

enum pd_happening_kind { PD_COMM, PD_EXEC, PD_FORK, PD_EXIT, PD_MMAP };

/* What happened to a process, until all of it is sorted by time. */
struct pd_happening {
    uint64_t time; /* 0: before the recording */
    uint8_t kind;  /* enum pd_happening_kind */
    uint32_t pid, tid, parent_pid, parent_tid;
    uint32_t what; /* PD_COMM, PD_EXEC: name; PD_MMAP: mapping */
};

/* A function of the kernel that came or went: a BPF program. */
struct pd_kernel_symbol {
    uint64_t time, start, size;
    bool gone;
    struct text_slice name;
};

struct pd_build_id {
    uint32_t path;
    uint8_t size;
    uint8_t bytes[20];
};

struct pd_unpacker;
struct pd_rounds;

enum pd_record_type {
    PD_RECORD_MMAP = 1,
    PD_RECORD_LOST = 2,
    PD_RECORD_COMM = 3,
    PD_RECORD_EXIT = 4,
    PD_RECORD_THROTTLE = 5,
    PD_RECORD_FORK = 7,
    PD_RECORD_SAMPLE = 9,
    PD_RECORD_MMAP2 = 10,
    PD_RECORD_AUX = 11,
    PD_RECORD_LOST_SAMPLES = 13,
    PD_RECORD_KSYMBOL = 17,
    /* Written by the tool, not by the kernel. */
    PD_RECORD_HEADER_ATTR = 64,
    PD_RECORD_TRACING_DATA = 66,
    PD_RECORD_BUILD_ID = 67,
    PD_RECORD_AUXTRACE = 71,
    PD_RECORD_EVENT_UPDATE = 78,
    PD_RECORD_FEATURE = 80,
    PD_RECORD_COMPRESSED = 81,
    PD_RECORD_COMPRESSED2 = 83,
    PD_RECORD_TYPES = 96, /* room for kinds to come */
};

struct pd_record {
    uint32_t type;
    uint16_t misc;
    struct reader body;
    uint64_t offset; /* in the file */
    bool lasting;    /* its bytes stay where they are */
};

/* A recording while it is read. */
struct pd_reading {
    struct observations *seen;
    struct profile *profile;
    struct strings *strings;
    const struct read_options *options;
    const struct entry *entry;
    const char *name;
    const uint8_t *data;
    size_t size;
    bool swapped; /* not little-endian */
    bool pipe;
    bool wide;    /* pointers have 64 bits */
    bool arm;     /* 64-bit ARM; else x64 */
    /* What the header said. */
    size_t records_at, records_size;
    VEC(struct pd_event) events;
    struct map event_ids; /* id of a counter -> event */
    bool chose;           /* events are chosen */
    VEC(struct pd_build_id) build_ids;
    struct map build_id_of; /* path -> index */
    struct map identified;  /* path: whether it was looked at */
    uint64_t wall_clock, wall_clock_at; /* ns since 1970, and when; or 0 */
    /* What the records said. */
    struct observed_samples samples; /* their times those of the recorder */
    uint64_t period; /* of all, as long as they have no periods of their own */
    VEC(struct pd_user_stack) stacks;
    struct arena copies; /* of stacks whose records do not last */
    uint64_t copied;     /* bytes of runs that could stay in the file */
    VEC(struct pd_happening) happenings;
    VEC(struct pd_mapping) mappings;
    VEC(struct pd_kernel_symbol) kernel_symbols;
    struct pd_rounds *rounds;
    struct pd_unpacker *unpacker;
    uint64_t record_counts[PD_RECORD_TYPES];
    uint64_t first_time, last_time; /* of records that have one */
    uint64_t lost, lost_samples, throttled, aux_bytes;
    uint64_t cut_stacks; /* deeper than what was copied of them */
    uint64_t cut_memories; /* of processes: what was mapped before others */
    uint64_t guest; /* samples with frames in a guest */
    bool kernel_ran; /* samples have frames in it */
    bool walks_cut; /* stacks were left, as their memory has so many parts */
    bool damaged;
    struct err damage; /* the first */
};

/* perfdata.c */

struct pd_reading *pd_reading_new(const struct entry *entry,
                                  const struct read_options *options,
                                  struct observations *seen);
void pd_reading_free(struct pd_reading *r);
/* Decides which of the events are the profile's; an error if none is. */
enum err_code pd_choose(struct pd_reading *r, struct err *err);
/* Tells all that was gathered. */
void pd_finish(struct pd_reading *r);

/* Notes bytes that could not be used; the message of the first such place is
 * kept. */
void pd_damage(struct pd_reading *r, uint64_t offset, uint64_t size,
               const char *what);
uint32_t pd_text(struct pd_reading *r, struct bytes text);
/* Notes a record's time; 0 is none. */
void pd_met_time(struct pd_reading *r, uint64_t time);
/* Nanoseconds since time 0, once all records are read. */
int64_t pd_time(const struct pd_reading *r, uint64_t time);

/* header.c */

/* False, and why in `err`, when nothing can be read. */
bool pd_read_header(struct pd_reading *r, struct err *err);
/* One perf_event_attr, of the size it states or, if it states none, all of
 * `reader`; the counters that it is for are ids behind it. */
void pd_read_attributes(struct pd_reading *r, struct reader *reader,
                        struct reader *ids);

/* features.c */
enum { PD_FEATURES = 256 };
void pd_read_feature(struct pd_reading *r, unsigned feature,
                     struct reader *f);
void pd_update_event(struct pd_reading *r, struct reader *f);
void pd_read_build_id(struct pd_reading *r, uint16_t misc,
                      struct reader *f);

/* events.c */
void pd_name_event(struct pd_reading *r, struct pd_event *event);
/* The other way, as far as it matters, of an event whose name is known. */
void pd_type_by_name(const struct pd_reading *r, struct pd_event *event);
void pd_choose_events(struct pd_reading *r);
/* Of the chosen events; false: there are none. */
bool pd_state_metric(struct pd_reading *r);
bool pd_clock_is_monotonic(const struct pd_reading *r);
int64_t pd_interval(const struct pd_reading *r);
void pd_count_events(struct pd_reading *r);
/* Of what samples have periods: "cycles" (a string). */
uint32_t pd_period_of(const struct pd_reading *r);
/* Of a record by its counter, its index; NO_ID: of none. */
uint32_t pd_event_of(const struct pd_reading *r, uint64_t id);

/* records.c */
void pd_read_records(struct pd_reading *r);
/* The records in `bytes`, as far as they are whole: how many bytes that is.
 * `offset` is for messages. */
size_t pd_take_records(struct pd_reading *r, struct bytes bytes,
                       uint64_t offset, bool lasting);

/* kernel_records.c */
void pd_take_kernel_record(struct pd_reading *r, struct pd_record *record);

/* packed.c */
void pd_unpack(struct pd_reading *r, struct bytes packed, uint64_t offset);
void pd_unpack_end(struct pd_reading *r);

/* layout.c */
void pd_lay_out(struct pd_event *event);
/* False: the record does not hold it all. */
bool pd_read_sample(const struct pd_reading *r, const struct pd_event *e,
                    struct reader *body, struct pd_sample *sample);
/* The counter that a sample is of, by the layout of the first event. */
uint64_t pd_sample_id(const struct pd_reading *r, struct bytes body);

/* rounds.c */
/* Records of which the first is a sample, whole: how many bytes of samples
 * there are until another record, or what is cut off. */
size_t pd_gather(struct pd_reading *r, struct bytes records, bool lasting);
/* Samples that were gathered are among those of the reading then. */
void pd_gather_end(struct pd_reading *r);
void pd_rounds_free(struct pd_reading *r);

/* order.c */
/* Room for `n` samples more, whose periods are in this range. */
void pd_expect(struct pd_reading *r, size_t n, uint64_t least_period,
               uint64_t most_period);
void pd_sort_samples(struct pd_reading *r);
/* Sorted ones, which the observations get. */
void pd_tell_samples(struct pd_reading *r);

/* tasks.c */
void pd_tell_happenings(struct pd_reading *r);

/* unwind.c */
struct pd_walker;

struct pd_walker *pd_walker_new(struct pd_reading *r);
/* Gives sample `i` its user part, in memory as mapped since `newest`. */
void pd_walk(struct pd_walker *w, size_t i, uint32_t newest);
void pd_walker_free(struct pd_walker *w);

/* images.c */
uint32_t pd_module(struct pd_reading *r, const struct pd_mapping *mapping);
/* An unprivileged recorder is told no address of the kernel. */
void pd_place_kernel(struct pd_mapping *mapping);
/* The kernel, if samples have frames in it and no record tells where it is. */
void pd_tell_kernel(struct pd_reading *r);
/* Functions of the kernel that came and went, BPF programs for example. */
void pd_tell_kernel_symbols(struct pd_reading *r);
/* Whether paths of the recording may be files of this machine. */
bool pd_recorded_here(const struct pd_reading *r);
/* Memory that a runtime or the program itself fills with code. */
bool pd_is_generated(const char *path);
/* Whether an address in it is one in a file; else it is where it is. */
bool pd_has_file_offsets(const char *path);

/* generated.c */
void pd_read_generated(struct pd_reading *r, uint32_t pid);

#endif

/*
 * perfdata - recordings of Linux perf: files and what `perf record -o -`
 * writes into a pipe, of either byte order.
 *
 * A recording is a list of events (what was counted, and how its samples are
 * laid out) and a stream of records: samples, and what happened to processes
 * and their memory. The way of the data through this folder:
 *
 *   perfdata.c   probing; one recording from its header to observations
 *   header.c     the two kinds of header, the descriptions of events; what the
 *                file says of the machine, names, build-ids
 *   events.c     what an event counts, and which ones are the samples
 *   records.c    the stream of records, resynchronised after damage
 *   packed.c     records in a zstd stream
 *   samples.c    samples: their stacks, counters and order in time
 *   layout.c     where a sample has what
 *   switches.c   context switches and wakeups, for the time of threads
 *   tasks.c      what happened: processes, threads, mappings by time
 *   simpleperf.c  what Android's recorder adds
 *   images.c     mapped files, also copied ones, and the kernel as modules
 *   generated.c  perf-PID.map and jit-PID.dump beside the recording: names and
 *                unwind data of generated code
 *   unwind.c     user stacks from copies of registers and stack memory;
 *   expression.c  DWARF expressions in their rules;
 *   mapping_tree.c  which mapping an address belongs to
 *   script.c     what `perf script` prints of a recording, its own format;
 *   printed.c    its lines
 *
 * Records of several CPUs are not in order of time: samples are sorted in
 * the end, and so is what happened before it is told. Reference: format.md.
 */
#ifndef TOPFN_PERFDATA_H
#define TOPFN_PERFDATA_H

#include "engine/attribution/observations.h"
#include "engine/attribution/trace_format.h"
#include "engine/base/arena.h"
#include "engine/base/budget.h"

extern const struct trace_format perfdata_format;
extern const struct trace_format perf_script_format; /* text of it: script.c */

/* The machines whose copied registers are walked from. perf numbers registers
 * in its own way on every machine: registers of one that is not known must
 * never be read as those of another. */
enum pd_machine {
    PD_MACHINE_UNKNOWN, /* the recording does not say */
    PD_X64,
    PD_ARM64,
    PD_MACHINE_OTHER, /* none of these */
};

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
    PD_SAMPLE_BITS = 25, /* greater ones are not known */
};

/* Numbers that are read with each counter, by an event's `read_format`. */
enum pd_read_bits {
    PD_READ_ENABLED = 1 << 0,
    PD_READ_RUNNING = 1 << 1,
    PD_READ_ID = 1 << 2,
    PD_READ_GROUP = 1 << 3,
    PD_READ_LOST = 1 << 4,
    PD_READ_BITS = 5,
};

enum { PD_BRANCH_BITS = 20 }; /* of an event's `branch_type` */

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

/* An event that was counted. */
struct pd_event {
    uint32_t type; /* enum pd_event_type, and others */
    uint64_t config;
    bool frequency;      /* `period` is samples per second */
    bool starts_program; /* counts from the start of a command */
    bool inherited;      /* threads that began later have counters of one id */
    bool user_only;  /* the kernel is sampled where it is entered, at most */
    uint64_t period; /* events per sample */
    uint64_t sample_type, read_format, branch_type, user_registers;
    bool sample_id_all; /* every record tells its time */
    bool monotonic;     /* by CLOCK_MONOTONIC, which programs can read */
    uint32_t max_stack; /* addresses of a call chain at most; 0: not told */
    uint32_t name;       /* string */
    uint64_t count;      /* samples met */
    const char *unknown; /* field with a bit that topfn does not know: samples
                            cannot be read; or NULL */
    uint8_t unknown_bit;
    bool chosen; /* they are the profile's samples */
    bool off_cpu;   /* each is time that its thread did not run */
    uint8_t role;   /* enum pd_role, where the time of threads is asked for */
};

/* A sample of the event is a sample of its thread, or a step of its life. */
enum pd_role { PD_ROLE_SAMPLE, PD_ROLE_SWITCH, PD_ROLE_WAKEUP };

/* The name of the event of perf record --off-cpu. */
#define PD_OFF_CPU "offcpu-time"

/* Offsets of fields in the raw data of tracepoints, and the size of one. */
struct pd_sched_fields {
    uint16_t state_at, state_size; /* sched_switch: prev_state */
    uint16_t prev_at, next_at;     /* prev_pid, next_pid */
    uint16_t woken_at;             /* sched_wakeup and sched_waking: pid */
};

/* One sample, with what decides where its stack comes from. Pointers reach
 * into the record. */
struct pd_sample {
    uint64_t ip, time, period, id;
    uint32_t pid, tid, cpu;
    uint8_t mode;
    struct bytes counters;  /* those that were read: u64 value, and more */
    uint8_t counter_size;   /* bytes of each */
    uint8_t counter_id;     /* where its u64 id is; 0: it has none */
    struct bytes chain;     /* u64 each */
    struct bytes branches;  /* 24 bytes each, the latest first */
    uint64_t registers_abi; /* 0: none */
    struct bytes registers; /* u64 each, those of the event's mask */
    struct bytes stack;     /* as far as it was copied */
    struct bytes raw;       /* data of a tracepoint */
};

/* In `leaf` of a sample that is not told yet: `outer` is the index of a
 * pd_user_stack; it is that of a cookie, whose chain takes the place of the
 * address, if that is user code's. */
enum { PD_WALKS = 2, PD_DEFERRED = 4, PD_DEFERRED_LEAF = 8 };

/* Two minutes of a processor's cycles: no sample stands for more. */
#define PD_PERIOD_MOST (((uint64_t)1 << 39) - 1)

/* In `period` of a sample until the counters are resolved: what else it says
 * is the index of a pd_counter. */
#define PD_COUNTED ((uint64_t)1 << 63)

/* A counter's value, read when a sample was taken. */
struct pd_counter {
    uint64_t time, id, value; /* of all events so far; resolved: since the
                                 sample before */
    uint32_t tid;             /* 0: threads do not matter */
    uint32_t event;
};

/* The user part of samples, which the kernel delivers when the thread goes
 * back to user code. They name it by its cookie. */
struct pd_deferred {
    uint64_t cookie;
    uint32_t tid;
    uint32_t run;
};

/* Registers and memory from which the user part of a stack is walked. With a
 * chain of the recorder's, a run, only the caller of its leaf is looked for:
 * frame pointers do not lead to it where the leaf has no frame. */
struct pd_user_stack {
    struct bytes registers, memory;
    uint64_t mask;  /* which registers */
    uint32_t chain; /* 0: none */
    bool in_kernel; /* the sample's own address is none of the user's */
    bool foreign;   /* the registers are of a kind that is not read */
};

struct pd_mapping {
    uint64_t base, size, file_offset;
    uint32_t path; /* string */
    bool kernel;
    bool generated; /* code of a runtime, as simpleperf says */
    bool data;      /* could not be run when it was mapped */
    uint8_t build_id_size;
    uint8_t build_id[20];
    uint32_t major, minor; /* of the file's device; inode 0: not known */
    uint64_t inode;
    uint64_t time;  /* 0: before the recording */
    uint32_t older; /* the mapping made before it in the same memory */
    bool first;     /* of a program: what is older was so before exec */
};

enum pd_happening_kind { PD_COMM, PD_EXEC, PD_FORK, PD_EXIT, PD_MMAP };

/* A change of a process, kept until all of them are sorted by time. */
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

/* A file whose functions the recording names: simpleperf.c. */
struct pd_symbol_file {
    uint32_t path; /* string */
    uint32_t kind;
    bool message;    /* as one of Protocol Buffers */
    bool has_offset; /* where in the file its lowest address is: */
    uint64_t lowest, offset;
    struct bytes symbols;
};

struct pd_unpacker;
struct pd_code_frames;

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
    PD_RECORD_SWITCH = 14,
    PD_RECORD_SWITCH_CPU_WIDE = 15,
    PD_RECORD_KSYMBOL = 17,
    PD_RECORD_CALLCHAIN_DEFERRED = 22,
    /* Written by the tool, not by the kernel. */
    PD_RECORD_HEADER_ATTR = 64,
    PD_RECORD_TRACING_DATA = 66,
    PD_RECORD_BUILD_ID = 67,
    PD_RECORD_AUXTRACE = 71,
    PD_RECORD_EVENT_UPDATE = 78,
    PD_RECORD_FEATURE = 80,
    PD_RECORD_COMPRESSED = 81,
    PD_RECORD_COMPRESSED2 = 83,
    /* Android's simpleperf numbers its own types from here. */
    PD_SIMPLEPERF_TYPES = 32768,
    PD_RECORD_KERNEL_SYMBOL = 32769,
    PD_RECORD_SPLIT = 32772,
    PD_RECORD_SPLIT_END = 32773,
    PD_RECORD_EVENT_ID = 32774,
    PD_RECORD_TYPES = 1 << 16, /* no record has a greater type */
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
    bool wide; /* pointers have 64 bits */
    enum pd_machine machine;
    bool width_told;
    /* From the header. */
    size_t records_at, records_size;
    VEC(struct pd_event) events;
    struct map event_ids;         /* id of a counter -> event */
    bool chose;                   /* events are chosen */
    struct budget ids_read;       /* of counters */
    struct budget events_visited; /* that records go through */
    bool untimed;                 /* no event tells times: the order of the file
                                     stands for them (perf record --per-thread) */
    bool in_folder; /* the recorder wrote a folder: samples of its threads may
                       be in files of their own */
    bool again; /* records are read a second time, for their samples alone */
    VEC(struct pd_build_id) build_ids;
    struct map build_id_of;             /* path -> index */
    struct map identified;              /* path: whether it was looked at */
    uint64_t wall_clock, wall_clock_at; /* ns since 1970, and when; or 0 */
    /* From the records. */
    struct samples samples;              /* their times those of the recorder */
    uint64_t period;                     /* of the first */
    bool periods_differ;                 /* from that */
    VEC(uint8_t) words, branches, exact; /* of the stack of a sample */
    VEC(struct pd_user_stack) stacks;
    struct arena copies;   /* of stacks whose records do not last */
    const uint8_t *packed; /* records that do not, and their place */
    uint64_t packed_place;
    struct pd_sched_fields sched;
    VEC(struct pd_counter) counters;
    VEC(uint64_t) cookies; /* of samples whose user part comes later; */
    VEC(struct pd_deferred) deferred; /* what came */
    VEC(struct pd_happening) happenings;
    VEC(struct pd_mapping) mappings;
    VEC(struct pd_kernel_symbol) kernel_symbols;
    VEC(struct pd_symbol_file) symbol_files;
    struct map symbol_file_of; /* path -> index */
    struct map symbol_sets;    /* (distance, index) -> set of symbols */
    uint64_t symbols_told, unnamed_mappings;
    VEC(uint8_t) pieces;      /* of a record that was split */
    struct bytes kernel_rows; /* text of /proc/kallsyms */
    uint32_t kernel_set;      /* of symbols; 0: not told */
    uint64_t started;         /* seconds since 1970, or 0 */
    struct pd_unpacker *unpacker;
    uint64_t *record_counts;        /* PD_RECORD_TYPES; samples are not in it */
    uint64_t first_time, last_time; /* of what was recorded */
    uint64_t task_time;             /* of the last FORK or EXIT */
    uint64_t lost, lost_by_counters; /* of these the more */
    uint64_t lost_samples, throttled, aux_bytes;
    uint64_t cut_stacks;    /* deeper than what was copied of them */
    uint64_t cut_memories;  /* of processes: what was mapped before others */
    uint64_t guest;         /* samples with frames in a guest */
    uint64_t missing_dumps; /* jitdumps that processes mapped */
    uint32_t missing_dump;  /* string: the path of the first */
    bool kernel_ran;        /* samples have frames in it */
    uint64_t kernel_least;  /* address that was sampled in the kernel */
    uint64_t kernel_from;   /* where its space begins */
    bool walks_cut;         /* stacks were left: too many mappings */
    bool rules_cut;         /* unwind data asked for too much work */
    uint32_t newest_attributes; /* bytes, if more than are known */
    uint32_t packing; /* how records are packed: PD_ZSTD; 0: not told */
    bool damaged;
    struct err damage;  /* the first */
    struct err refusal; /* why samples cannot be read at all */
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
/* Nanoseconds since time 0, once all records are read; below 0 for processes
 * that existed before. */
int64_t pd_time(const struct pd_reading *r, uint64_t time);

/* header.c */

/* False, and why in `err`, when nothing can be read. */
bool pd_read_header(struct pd_reading *r, struct err *err);
/* One perf_event_attr, of the size it states or, if it states none, all of
 * `reader`; the counters that it is for are ids behind it. */
void pd_read_attributes(struct pd_reading *r, struct reader *reader,
                        struct reader *ids);

/* Its samples have a field that is not known. */
void pd_refuse_event(struct pd_reading *r, const struct pd_event *event);

enum { PD_KNOWN_ATTRIBUTES = 144 }; /* Linux 6.19 */
enum { PD_ZSTD = 1 };
enum { PD_SIMPLEPERF_FEATURES = 128, PD_FEATURES = 256 };
void pd_read_feature(struct pd_reading *r, unsigned feature, struct reader *f);
void pd_update_event(struct pd_reading *r, struct reader *f);
void pd_read_build_id(struct pd_reading *r, uint16_t misc, struct reader *f);

/* simpleperf.c */
void pd_read_symbol_files(struct pd_reading *r, struct reader *f,
                          bool messages);
/* Reads facts about simpleperf and the device. */
void pd_read_meta_info(struct pd_reading *r, struct reader *f);
/* Its own records. */
void pd_take_simpleperf_record(struct pd_reading *r, struct pd_record *record);
/* The set of symbols that the recording has of a mapping of this file; 0:
 * none. */
uint32_t pd_file_symbols(struct pd_reading *r, const struct pd_mapping *m);

/* events.c */
void pd_name_event(struct pd_reading *r, struct pd_event *event);
/* Call before going through all events because of one record: a file may ask
 * for that only as often as its size allows. False: it did more often, which
 * is said once. */
bool pd_take_events(struct pd_reading *r);
/* Names all events of this type and number. */
void pd_name_events(struct pd_reading *r, uint32_t type, uint64_t config,
                    uint32_t name);
/* The other way, as far as it matters, of an event whose name is known. */
void pd_type_by_name(const struct pd_reading *r, struct pd_event *event);
void pd_choose_events(struct pd_reading *r);
/* The first event of CPU time, else the first at all. */
const struct pd_event *pd_first_event(const struct pd_reading *r);
/* "cycles" of "cpu_core/cycles/P", "cycles:u", "cycles#2". */
bool pd_event_is_called(const char *event, const char *name);
/* When all samples are counted: true if those of the chosen events are none
 * and others were chosen in their place. */
bool pd_choose_others(struct pd_reading *r);
/* States the metric of the chosen events; false: there are none. */
bool pd_state_metric(struct pd_reading *r);
bool pd_clock_is_monotonic(const struct pd_reading *r);
int64_t pd_interval(const struct pd_reading *r);
void pd_count_events(struct pd_reading *r);
/* There are records, and each is of a type that topfn does not know. */
bool pd_knows_no_record(const struct pd_reading *r);
/* The event that periods count: "cycles" (a string). */
uint32_t pd_period_of(const struct pd_reading *r);
/* The index of the event that has this counter; NO_ID: none has. */
uint32_t pd_event_of(const struct pd_reading *r, uint64_t id);

/* switches.c */

/* Chooses the events that tell what threads do. */
void pd_choose_sched(struct pd_reading *r);
/* The description of tracepoints that perf copied from the kernel. */
void pd_read_tracing_data(struct pd_reading *r, struct reader *f);
/* Sets the thread of the row of a sample of a chosen event, and what it tells
 * of threads as its `period` (attribution/thread_time.h). */
void pd_set_happening(const struct pd_reading *r, const struct pd_event *e,
                      const struct pd_sample *s, struct observed_sample *row);
/* SWITCH and SWITCH_CPU_WIDE: the thread of the record goes out or comes in. */
void pd_take_switch(struct pd_reading *r, const struct pd_record *rec,
                    const struct pd_sample *identity);
/* Sets `off_cpu` of the events. If they are all that tells of blocked time,
 * and that is asked for, they are the samples. */
void pd_find_off_cpu(struct pd_reading *r);
/* Completes a sample of such an event. False: it is damaged. */
bool pd_read_off_cpu(const struct pd_reading *r, struct pd_sample *s);
/* Switches of which only some were recorded tell nothing of time: an error. If
 * they are the samples, a warning says it. */
enum err_code pd_check_switches(struct pd_reading *r, struct err *err);

/* records.c */
void pd_read_records(struct pd_reading *r);
/* Records to the end of `bytes`, packed ones as a stream of their own. */
void pd_read_stream(struct pd_reading *r, struct bytes bytes, uint64_t offset);
/* The records in `bytes`, as far as they are whole: how many bytes that is.
 * `offset` is for messages. */
size_t pd_take_records(struct pd_reading *r, struct bytes bytes,
                       uint64_t offset, bool lasting);
/* Where a record is in the order of the file: a time for those without one.
 * Packed records lie between the offsets of their payload and of the next. */
enum { PD_PLACE_BITS = 24 };
uint64_t pd_place(const struct pd_reading *r, const uint8_t *record,
                  bool lasting);

/* NULL: a type that is not known. */
const char *pd_record_name(uint32_t type);

/* packed.c */
void pd_unpack(struct pd_reading *r, struct bytes packed, uint64_t offset);
void pd_unpack_end(struct pd_reading *r);

/* layout.c */
/* False: the record does not hold it all. */
bool pd_read_sample(const struct pd_reading *r, const struct pd_event *e,
                    struct reader *body, struct pd_sample *sample);
/* The counter that a sample is of, by the layout of the first event. */
uint64_t pd_sample_id(const struct pd_reading *r, struct bytes body);

/* samples.c */
/* The body of a SAMPLE record. */
void pd_take_sample(struct pd_reading *r, uint16_t misc, struct bytes record,
                    bool lasting);
void pd_keep_sample(struct pd_reading *r, const struct observed_sample *sample);
void pd_take_deferred(struct pd_reading *r, struct pd_record *record,
                      uint32_t tid);
/* When all records are read: gives samples the user parts that came later. */
void pd_join_deferred(struct pd_reading *r);
/* Gives samples that read counters what these counted since the one before,
 * and leaves out those that counted nothing. */
void pd_resolve_counters(struct pd_reading *r);
void pd_sort_samples(struct pd_reading *r);
/* The observations get the sorted samples. */
void pd_tell_samples(struct pd_reading *r);

/* tasks.c */
void pd_tell_happenings(struct pd_reading *r);

/* unwind.c */
/* As uname calls it. */
enum pd_machine pd_machine_by_name(struct bytes name);

struct pd_walker;

struct pd_walker *pd_walker_new(struct pd_reading *r);
/* Adds a mapping; takes the root of the process's tree and returns the new one.
 */
uint32_t pd_walker_map(struct pd_walker *w, uint32_t root, uint32_t owner,
                       uint32_t mapping);
/* Another owner of a tree's nodes. */
uint32_t pd_walker_owner(struct pd_walker *w);
/* Gives sample `i` its user part, in the memory of a tree. `jitdump`: as for
 * pd_read_generated. */
void pd_walk(struct pd_walker *w, size_t i, uint32_t root, uint32_t jitdump);
void pd_walker_free(struct pd_walker *w);

/* images.c */
uint32_t pd_module(struct pd_reading *r, const struct pd_mapping *mapping);
/* "[kernel.kallsyms]_text" is called after the symbol where it begins. */
uint32_t pd_without_symbol(struct pd_reading *r, uint32_t path);
#define PD_KERNEL_PATH "[kernel.kallsyms]"
/* An unprivileged recorder is told no address of the kernel. */
void pd_place_kernel(const struct pd_reading *r, struct pd_mapping *mapping);
/* Functions of the kernel that came and went, BPF programs for example. */
void pd_tell_kernel_symbols(struct pd_reading *r);
/* True if paths of the recording may be files of this machine. */
bool pd_recorded_here(const struct pd_reading *r);
/* Memory that a runtime or the program itself fills with code. */
bool pd_is_generated(const char *path);
/* True if addresses in it are offsets in a file. */
bool pd_has_file_offsets(const char *path);

/* True if memory without a file, linked to what is older, holds a copy
 * of an image that lay there before: its part of that image. `program`: the
 * mapping of the program itself, or NO_ID. */
bool pd_find_remapped(const struct pd_reading *r, uint32_t program,
                      uint32_t mapping, struct pd_mapping *part);

/* generated.c */
/* Lists of a process's code. `jitdump`: the path of the one that it mapped, a
 * string; "" if it mapped none. */
void pd_read_generated(struct pd_reading *r, uint32_t pid, uint32_t jitdump);
/* "/home/me/.debug/jit/app/jit-13.dump" */
bool pd_is_jitdump(const char *path, uint32_t *number);

#endif

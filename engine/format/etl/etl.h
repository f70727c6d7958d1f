/*
 * etl - Windows event trace logs.
 *
 * A file is a plain concatenation of buffers; a buffer is a 72-byte header
 * and events of one CPU in order of time. There is no index and no magic.
 * The way of the data through this folder:
 *
 *   log_header.c  the log file header (first event of the first buffer)
 *   index.c       the list of buffers, in order of their first event
 *   decode.c      one buffer -> small facts, on any thread: samples (choice.h),
 *                 stacks, rare records              (event.h, lz77.h)
 *   merge.c       facts of all buffers in order of time            (ahead.h)
 *   correlate.c   samples and parts of stacks -> samples with stacks; the rule
 *                 of which belongs to which stands there           (parts.h)
 *   records.c     the rare records: processes, images; records_code.c: methods
 *   counts.c      how many events of each kind there were          (hooks.h)
 *
 * Times in this folder are raw ticks of the recording's clock, compared
 * exactly; they become nanoseconds when they leave it.
 */
#ifndef TOPFN_ETL_H
#define TOPFN_ETL_H

#include "engine/attribution/observations.h"
#include "engine/attribution/trace_format.h"
#include "engine/base/unpacking.h"

extern const struct trace_format etl_format;

enum etl_clock { CLOCK_QPC = 1, CLOCK_SYSTEM = 2, CLOCK_CYCLES = 3 };

/* One log file and what its header says. */
struct etl_file {
    const char *name;
    const uint8_t *data;
    size_t size;
    uint32_t buffer_size; /* of an unpacked buffer, at most */
    uint32_t pointer_size;
    uint32_t os_major, os_minor, os_build, cpus;
    uint32_t mode; /* LogFileMode */
    bool packed;   /* buffers may be compressed */
    enum etl_clock clock;
    uint64_t frequency;  /* ticks per second of event times */
    uint64_t first_time; /* of the first event */
    uint64_t start;      /* FILETIME of first_time */
    uint32_t events_lost, buffers_lost;
    uint32_t buffers_written; /* as the header states; 0 not closed */
};

/* LogFileMode bits that matter to a reader. */
enum { MODE_CIRCULAR = 0x2, MODE_PACKED = 0x4000000 };

/* Frames of a part of a stack that Windows writes at most. */
enum { ETL_DEEPEST = 192 };

enum { BUFFER_HEADER = 72, LARGEST_BUFFER = 16 * 1024 * 1024 };

/* Tells if these bytes begin with a log file header buffer. */
enum format_probe etl_probe(const uint8_t *data, size_t size);

/* Nanoseconds since 1970 of a FILETIME; 0 for a time that no trace can be
 * from. */
int64_t etl_unix_time(uint64_t filetime);

/* Adds the header of a log to the facts of the profile;
 * and the first two group masks of its Extension events. */
void etl_header_facts(const struct etl_file *file, struct profile *p);
void etl_group_masks(const uint32_t masks[2], struct profile *p);

enum err_code etl_file_open(struct etl_file *file, const struct entry *entry,
                            struct err *err);

/* One buffer that holds events. */
struct etl_buffer {
    uint64_t offset;     /* in the file */
    uint64_t first_time; /* of its first event that has a time */
    uint64_t sequence;
    uint32_t size;   /* bytes in the file, cut at its end */
    uint32_t filled; /* bytes of header and events once unpacked */
    uint16_t file;   /* index */
    uint16_t cpu;
    bool packed;
};

typedef VEC(struct etl_buffer) etl_buffers;

/* Adds the buffers of file number `number`; damage is noted in `p`, and so is
 * a file that ends before its last buffer. */
void etl_index_file(etl_buffers *buffers, const struct etl_file *file,
                    uint16_t number, struct profile *p);

/* The same buffer by buffer, of a file that is still being written. */
struct etl_index {
    uint64_t at; /* of the next buffer in the file */
    uint32_t found;
    struct unpack_budget budget;
};

#define ETL_INDEX ((struct etl_index){.budget = {.costly = true}})

/* Up to where the file must be there for the next step. */
uint64_t etl_index_wanted(const struct etl_index *index,
                          const struct etl_file *file);

/* Adds the next buffer, if it holds events. Returns false at the end of the
 * data. */
bool etl_index_step(struct etl_index *index, etl_buffers *buffers,
                    const struct etl_file *file, uint16_t number,
                    struct profile *p);

/* Sorts by (first_time, cpu, sequence). */
void etl_index_sort(etl_buffers *buffers);

/* The events of a buffer: a view into the file, or `scratch` filled with
 * what was unpacked. `scratch` has room for buffer->filled bytes. */
struct bytes etl_buffer_events(const struct etl_file *file,
                               const struct etl_buffer *buffer,
                               uint8_t *scratch, bool *damaged);

struct etl_choice;

/* The kinds of facts that a buffer is decoded into. */
enum etl_fact_kind {
    ETL_SAMPLE,     /* `value` is the instruction pointer */
    ETL_PART,       /* of the stack of the event at `value`: frames */
    ETL_KEYED_PART, /* the same, by key */
    ETL_DEFINITION, /* frames of the key in `value` */
    ETL_CLR_STACK,  /* of the thread's latest event of the runtime: frames */
    ETL_CLR_EVENT,  /* of the runtime, and no sample */
    ETL_RECORD,     /* a rare record, for records.c */
};

/* Properties of an ETL_SAMPLE. */
enum {
    ETL_BIT_DPC = 1,
    ETL_BIT_ISR = 2,
    ETL_BIT_NO_ADDRESS = 4, /* an event without an instruction pointer */
    ETL_BIT_NO_THREAD = 8,  /* the one is meant that its stack names */
    ETL_BIT_PROCESS = 16,   /* `pid` is its process */
};

struct etl_fact {
    uint64_t time;
    uint64_t value;
    union {
        const uint8_t *bytes; /* frames, or a whole record */
        uint64_t key;         /* ETL_KEYED_PART */
        uint64_t weight;      /* ETL_SAMPLE: 0 is 1 */
    };
    uint32_t tid, pid;
    uint32_t count;    /* frames, or bytes of a record */
    uint32_t run;      /* number of the frames (ahead.c), or 0 */
    uint16_t cpu;
    uint8_t kind;
    uint8_t bits : 5; /* ETL_SAMPLE: ETL_BIT_... */
    bool user : 1;    /* frames or key are of user mode */
    bool wide : 1;    /* frames have 8 bytes, not 4 */
};

/* All of them are written by one core and read by another. */
_Static_assert(sizeof(struct etl_fact) <= 48, "a fact is no larger");

static inline struct callchain etl_fact_frames(const struct etl_fact *fact)
{
    return (struct callchain){fact->bytes, fact->count, fact->wide ? 8 : 4,
                              NULL};
}

/* Frames of a fact that have no number yet. */
struct etl_run {
    struct callchain_print print;
    uint32_t fact; /* index among those of its buffer */
};

enum { ETL_SOURCES = 64 };

/* Events met, by what they are. One per worker, added up at the end. */
struct etl_counts {
    uint32_t *hooks; /* by group and type, 65,536 of them */
    struct map providers;      /* (what tells kinds apart, id) -> entry */
    struct arena kept;         /* what entries refer to */
    VEC(struct etl_provider_count) entries;
    uint64_t malformed;
    uint64_t idle_not_kept; /* samples */
    uint64_t event_stacks; /* stacks carried as extended items */
    uint64_t sources;      /* of counters, a bit each */
};

struct etl_provider_count {
    uint8_t guid[16];
    uint16_t id; /* event id, or opcode of a classic event */
    uint8_t version, opcode;
    bool classic;
    bool message; /* of WPP */
    struct bytes tracelogging, traits; /* none: the event is not so */
    uint64_t count;
};

void etl_counts_init(struct etl_counts *counts);
void etl_counts_release(struct etl_counts *counts);

/* Names them and adds them to the profile's event counts, sorted by name. */
void etl_counts_report(struct etl_counts *const *counts, size_t n,
                       struct observations *seen);

/* A decoded buffer. */
struct etl_decoded {
    VEC(struct etl_fact) facts; /* in order of time */
    VEC(struct etl_run) runs;   /* of these */
    size_t next;                /* first one not merged yet */
    uint64_t last_time;         /* the latest of any event */
    uint8_t *unpacked;          /* NULL: facts point into the file */
    size_t unpacked_size;
    const struct etl_buffer *buffer;
    uint32_t damaged_at; /* event bytes from here on were dropped, or 0 */
    const char *damage;  /* why; NULL for none */
    struct etl_decoded *spare; /* the next of those not in use (ahead.h) */
};

void etl_decode(struct etl_decoded *out, const struct etl_file *file,
                const struct etl_buffer *buffer,
                const struct etl_choice *choice, bool without_idle,
                struct etl_counts *counts);

/* All logs of one recording. */
struct etl_recording {
    struct etl_file *files;
    size_t file_count;
    etl_buffers buffers;
    struct observations *seen;
    const struct etl_choice *choice; /* of samples; NULL: those of the CPU */
    bool without_idle;
    size_t ahead;       /* buffers decoded ahead; 0: as suits the threads */
    uint32_t kinds;     /* string: short names of what was met */
    uint64_t zero;      /* tick that is time 0 */
    uint64_t last_time; /* tick of the last event */
};

/* Opens the logs of one recording and lists their buffers; what they are is
 * told to the profile. Afterwards, also a failed one, etl_close. */
enum err_code etl_open(struct etl_recording *recording,
                       const struct entry *entries, size_t count,
                       struct profile *profile, struct err *err);
void etl_close(struct etl_recording *recording);

/* The same without its buffers, which etl_index_step is to add. */
enum err_code etl_open_headers(struct etl_recording *recording,
                               const struct entry *entries, size_t count,
                               struct profile *profile, struct err *err);

enum { FILETIME_PER_SECOND = 10000000, NS_PER_SECOND = 1000000000 };

/* Nanoseconds of ticks of a clock, rounded down; the most that fit where they
 * do not. Nearly all recorders' clocks have the ticks of FILETIME. */
static inline int64_t etl_ticks_ns(uint64_t ticks, uint64_t frequency)
{
    enum { NS_PER_FILETIME = NS_PER_SECOND / FILETIME_PER_SECOND };
    uint64_t seconds;

    if (frequency == FILETIME_PER_SECOND)
        return ticks > INT64_MAX / NS_PER_FILETIME
                   ? INT64_MAX
                   : (int64_t)(ticks * NS_PER_FILETIME);
    seconds = ticks / frequency;
    if (seconds > INT64_MAX / NS_PER_SECOND - 1)
        return INT64_MAX;
    return (int64_t)(seconds * NS_PER_SECOND +
                     (uint64_t)((unsigned __int128)(ticks % frequency) *
                                NS_PER_SECOND / frequency));
}

/* Nanoseconds since the recording's start. */
static inline int64_t etl_time(const struct etl_recording *r, uint64_t ticks)
{
    uint64_t frequency = r->files[0].frequency;

    return ticks < r->zero ? -etl_ticks_ns(r->zero - ticks, frequency)
                           : etl_ticks_ns(ticks - r->zero, frequency);
}

/* Samples and their stacks. */
struct etl_correlator;

struct etl_correlator *etl_correlator_new(struct etl_recording *recording);

/* Takes facts that are not ETL_RECORD; they come in order of time. `lasting`:
 * their bytes outlive the recording's facts. */
void etl_correlate(struct etl_correlator *c, const struct etl_fact *facts,
                   size_t count, bool lasting);

/* After the last fact: every key gets its frames, or has none. */
void etl_correlator_finish(struct etl_correlator *c);

/* Rare records, kept in order of time until all are in. */
struct etl_records;

struct etl_records *etl_records_new(struct etl_recording *recording);
void etl_records_add(struct etl_records *records, const struct etl_fact *fact,
                     bool lasting);

/* Reads all into facts. */
void etl_records_finish(struct etl_records *records);
void etl_records_free(struct etl_records *records);

/* Decodes all buffers and hands on their facts in order of time. */
void etl_merge(struct etl_recording *recording,
               const struct read_options *options,
               struct etl_correlator *correlator, struct etl_records *records);

#endif

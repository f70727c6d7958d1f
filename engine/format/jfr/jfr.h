/*
 * jfr - what the files of this reader share. (format.md)
 *
 * A recording is a row of chunks, and each can be read alone: it has its own
 * metadata (which fields an event has), its own constants (stacks, methods,
 * names) and its own clock. jfr.c goes through the chunks twice: first for the
 * number of events and what they say of the process, then for the samples.
 *
 *     struct jfr_chunk c = {0};
 *     if (jfr_chunk_open(&c, f, at)) {
 *         struct jfr_event e;
 *         struct reader r = jfr_events(&c);
 *         while (jfr_next(&c, &r, &e))
 *             ...
 *     }
 *     jfr_chunk_close(&c);
 */
#ifndef TOPFN_JFR_H
#define TOPFN_JFR_H

#include "engine/attribution/named_code.h"
#include "engine/attribution/trace_format.h"
#include "engine/base/budget.h"
#include "engine/base/map.h"
#include "engine/base/reader.h"
#include "engine/base/strings.h"
#include "engine/base/vec.h"

/* Fields are also places in an array of values. */
enum jfr_word {
#define WORD(word, text) word,
#include "engine/format/jfr/word_list.h"
#undef WORD
    JFR_WORDS,
    JFR_FIELDS = JFR_C_STACK_TRACE,       /* the words before it are fields */
    JFR_CONSTANT_CLASSES = JFR_C_BOOLEAN, /* and behind them constants */
};

struct jfr_field {
    uint64_t class_id;
    uint32_t name;    /* text */
    bool is_constant; /* the number of one stands in its place */
    bool is_array;
};

/* One step on the way through a value: a field that can be read at once, or
 * the beginning of an array. */
struct jfr_step {
    uint8_t kind;    /* enum jfr_step_kind */
    uint8_t width;   /* bytes of a number where they are not compressed */
    uint8_t field;   /* enum jfr_word; JFR_NO_WORD: nobody asks for it */
    uint32_t length; /* steps behind it that make one element of the array */
};

struct jfr_layout {
    uint32_t first, count; /* of the chunk's steps */
};

struct jfr_class {
    uint64_t id;
    uint32_t name;                     /* text */
    uint32_t first_field, field_count; /* of the chunk's fields */
    struct jfr_layout layout;
    uint8_t state; /* enum jfr_layout_state */
    uint64_t events;
};

struct jfr_constant {
    size_t at;      /* of its value in the chunk */
    uint32_t id;    /* what it was found to be (a thread: + 1, 0 none); NO_ID:
                       not asked for yet */
    uint32_t other; /* module of a method, end of a stack */
    uint32_t file;  /* of a method: a string of the profile */
};

/* The value of a field. A text or an array lies at `at`, and has `number`
 * bytes, characters or elements. */
struct jfr_value {
    uint64_t number;
    size_t at;
    uint8_t encoding; /* enum jfr_encoding */
    struct jfr_layout element;
};

enum jfr_encoding {
    JFR_NULL,
    JFR_EMPTY,
    JFR_CONSTANT, /* `number` is its key */
    JFR_UTF8,
    JFR_CHARS,
    JFR_LATIN1,
    JFR_ENCODINGS
};

struct jfr_file {
    struct profile *p;
    struct named_code code;
    const struct entry *entry;
    struct strings *texts;       /* as the file has them */
    VEC(uint32_t) profile_texts; /* by text: that of the profile + 1, or 0 */
    VEC(uint8_t) scratch;
    VEC(struct named_frame) frames; /* of the stack that is read */
    struct budget names;            /* bytes that composed names may take */
    /* Fields of events that weigh, or are shown, and where their values go;
     * NULL: none. */
    const char *asked_weight, *asked_value;
    uint8_t value_place;
    uint32_t process;   /* NO_ID: none is known yet */
    struct map threads; /* (number, process and kind) */
    int64_t start_ns;   /* of the recording, since 1970 */
    uint64_t missing;   /* stacks and names that are not in the file */
    bool surveyed;      /* damage was told: the second time through is silent */
    char unread[64];    /* why a chunk could not be read; or "" */
};

struct jfr_chunk {
    struct jfr_file *f;
    struct reader bytes;
    bool compressed; /* numbers are */
    bool unfinished; /* it is still being written, or cut off */
    size_t end;      /* of the events that can be read */
    uint64_t constants_at, metadata_at, start_ticks, frequency;
    int64_t start_ns, duration_ns;
    VEC(size_t) checkpoints;
    VEC(uint32_t) strings; /* of the metadata: texts */
    VEC(struct jfr_class) classes;
    VEC(struct jfr_field) fields;
    VEC(struct jfr_step) steps;
    uint32_t visits; /* of fields, while layouts were made */
    struct map class_ids, constant_ids;
    uint32_t class_named[JFR_WORDS]; /* by word; NO_ID: there is none */
    VEC(struct jfr_constant) constants;
};

struct jfr_event {
    uint64_t type;
    struct reader body; /* behind its type */
};

/* How an event is counted. */
struct jfr_counted {
    const char *event;
    const char *alias;     /* what --event calls it in all formats; or NULL */
    const char *unit;      /* NULL: that of the metric */
    enum metric_id metric; /* METRIC_EVENTS: called as the event is */
    uint8_t weight;        /* field; JFR_NO_WORD: 1 each */
};

/* A kind of events, of all chunks. */
struct jfr_event_total {
    uint32_t name; /* text */
    bool has_stack;
    uint64_t count;
};

struct jfr_chunk_place {
    size_t at, size;
    uint32_t process; /* NO_ID: it does not say */
};

/* A garbage collection, and a measure of the heap before or after one. */
struct jfr_collection {
    struct collection what;
    size_t chunk;
};

struct jfr_heap {
    uint64_t number, used;
    size_t chunk;
    bool after;
};

struct jfr_recording {
    struct jfr_file f;
    VEC(struct jfr_event_total) totals;
    struct map total_of; /* by text */
    VEC(struct jfr_chunk_place) chunks;
    int64_t end_ns;  /* of the last chunk, since 1970 */
    int64_t last_ns; /* of the last sample, since the start */
    bool unfinished;
    VEC(struct jfr_collection) collections;
    VEC(struct jfr_heap) heaps;
    uint64_t lost_bytes;
    uint64_t lost_samples; /* of CPU time */
    /* The event that is counted. */
    uint32_t event; /* text; 0: there is none */
    struct jfr_counted how;
    uint64_t interval_ns;
    const char *missing_field; /* that was asked for, and is in no event */
    char fields[300];          /* that they have, for a message */
    bool has_field;            /* a chunk has it */
    bool waits;                /* a sampled thread did not run */
    bool other_clock; /* samples were taken at events of another kind */
};

/* ---- chunk.c ---- */

enum { JFR_HEADER_SIZE = 68 };

/* Opens the chunk at this place of the file, and reads its metadata. False:
 * nothing in it can be read, which the profile was told. c->bytes.len says how
 * many bytes it has. */
bool jfr_chunk_open(struct jfr_chunk *c, struct jfr_file *f, size_t at);
void jfr_chunk_close(struct jfr_chunk *c);

/* A reader that stands at the first event, and the next event. */
struct reader jfr_events(const struct jfr_chunk *c);
bool jfr_next(const struct jfr_chunk *c, struct reader *r, struct jfr_event *e);

/* A number of `width` bytes, or a compressed one. */
uint64_t jfr_number(const struct jfr_chunk *c, struct reader *r,
                    unsigned width);

/* ns since the recording's start, and ns of ticks. */
int64_t jfr_time(const struct jfr_chunk *c, uint64_t ticks);
uint64_t jfr_nanoseconds(const struct jfr_chunk *c, uint64_t ticks);

/* ---- metadata.c ---- */

void jfr_read_metadata(struct jfr_chunk *c, struct reader body);

/* Returns the class of that id, or NULL. */
struct jfr_class *jfr_class_of(struct jfr_chunk *c, uint64_t id);

/* How a value of this class is read. False: topfn does not know, as its fields
 * contradict each other or contain themselves. */
bool jfr_layout_of(struct jfr_chunk *c, struct jfr_class *class,
                   struct jfr_layout *layout);

/* Goes through one value and sets the values of the fields that have a word.
 * `values` may be NULL. */
void jfr_read(const struct jfr_chunk *c, struct jfr_layout layout,
              struct reader *r, struct jfr_value *values);

void jfr_read_text(const struct jfr_chunk *c, struct reader *r,
                   struct jfr_value *value);

/* ---- constants.c ---- */

/* Notes where the constants of the chunk are. */
void jfr_note_constants(struct jfr_chunk *c);

/* *constant becomes that of this class and key, or NULL. If nobody asked for it
 * before, its id becomes 0, and *values the values of its fields: true if they
 * could be read; the caller sets the id then. */
bool jfr_read_constant(struct jfr_chunk *c, enum jfr_word class, uint64_t key,
                       struct jfr_constant **constant,
                       struct jfr_value values[JFR_FIELDS]);

/* Returns a text as the file has it, a string of the file; 0: none. */
uint32_t jfr_text(struct jfr_chunk *c, const struct jfr_value *value);

/* The text of a constant that is nothing but one: `field` of `class`. */
uint32_t jfr_constant_text(struct jfr_chunk *c, enum jfr_word class,
                           enum jfr_word field, uint64_t key);

/* The same text as a string of the profile. */
uint32_t jfr_profile_text(struct jfr_file *f, uint32_t text);

/* ---- stacks.c ---- */

/* The profile's stack; *end becomes how it ends. */
uint32_t jfr_stack_of(struct jfr_chunk *c, uint64_t key, uint8_t *end);

/* Texts for a person, strings of the profile: a class, a thread. */
uint32_t jfr_class_text(struct jfr_chunk *c, uint64_t key);

/* The profile's thread. */
uint32_t jfr_thread_of(struct jfr_chunk *c, uint64_t key);

/* ---- collections.c ---- */

/* Takes an event of a garbage collection, or of the heap at one, in the chunk
 * that comes next in r->chunks. */
void jfr_take_collection(struct jfr_recording *r, struct jfr_chunk *c,
                         const struct jfr_value *values);
void jfr_take_heap(struct jfr_recording *r, struct jfr_chunk *c,
                   const struct jfr_value *values);

/* Gives the profile its collections when all are known. */
void jfr_state_collections(struct jfr_recording *r);

/* ---- choice.c ---- */

/* Chooses the event that is counted, and what it weighs. */
enum err_code jfr_choose_event(struct jfr_recording *r,
                               const struct read_options *options,
                               struct err *err);

/* States what the profile counts, and what else could be counted. */
void jfr_state_metric(struct jfr_recording *r);

/* Call for each chunk: the field of the class that --by asks for; NULL: it asks
 * for none. Notes fields that are asked for and not there. */
const struct jfr_field *jfr_asked_field(struct jfr_recording *r,
                                        const struct jfr_chunk *c,
                                        const struct jfr_class *class);

/* ERR_NOT_FOUND: no event has a field that was asked for. */
enum err_code jfr_fields_found(const struct jfr_recording *r, struct err *err);

uint64_t jfr_weight_of(const struct jfr_recording *r, const struct jfr_chunk *c,
                       const struct jfr_value *values);

extern const char *const jfr_words[JFR_WORDS];

#endif

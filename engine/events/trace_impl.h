/*
 * trace_impl - what the files of this room share.
 *
 * The way of an event: a reader (etl_events.c, nettrace_events.c) fills in a
 * struct event; kinds.c tells its kind, once for all events alike; a schema of
 * it is found in builtin.c or in what the survey of the trace brought to light
 * (schemas.c); trace.c filters and hands on.
 */
#ifndef TOPFN_EVENTS_TRACE_IMPL_H
#define TOPFN_EVENTS_TRACE_IMPL_H

#include "engine/attribution/event_naming.h"
#include "engine/attribution/trace_format.h"
#include "engine/base/arena.h"
#include "engine/base/budget.h"
#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "engine/events/events.h"
#include "engine/events/schema.h"
#include "engine/model/profile.h"

/* A row per format that has events. */
struct event_reader {
    const struct trace_format *format;
    enum err_code (*open)(struct event_trace *trace, struct err *err);
    void (*close)(struct event_trace *trace);
    /* Collects schemas and threads for the whole trace; may be NULL. */
    void (*survey)(struct event_trace *trace);
    void (*begin)(struct event_cursor *cursor);
    /* Fills in cursor->event; false at the end. */
    bool (*next)(struct event_cursor *cursor);
    void (*end)(struct event_cursor *cursor);
};

extern const struct event_reader etl_events, nettrace_events;

/* Distinct byte strings, numbered; compared in full. */
struct event_keys {
    struct map ids;
    VEC(struct bytes) list;
};

/* The number of `key`; when it is new, that of its copy in the arena. */
uint32_t event_key(struct event_keys *keys, struct arena *arena,
                   const void *key, size_t size, bool *fresh);

/* The key of a classic or manifest event. */
struct event_id {
    uint8_t guid[16];
    uint16_t id; /* or opcode */
    uint8_t version;
    bool classic;
};

/* A schema found in the trace, read when it is first asked for. */
struct found_schema {
    struct event_id id;
    enum event_source source;
    struct bytes bytes;       /* TRACE_EVENT_INFO */
    uint32_t manifest, event; /* or an event of a manifest */
    bool read;
    const struct described *described; /* once read; NULL: damaged */
};

/* The name of a provider, as the first manifest or else the first embedded
 * schema of it says. */
struct found_provider {
    const char *manifest;
    struct bytes info; /* TRACE_EVENT_INFO */
    const char *name;  /* of that, once asked for */
};

/* An enumeration of a merged log, to be found by provider and name. */
struct found_names {
    uint8_t guid[16];
    struct event_names names;
};

/* Chunks of an EventSource manifest that are still coming in. */
struct manifest_parts {
    uint8_t guid[16];
    uint32_t pid, tid;
    uint16_t total, next;
    uint8_t *xml;
    size_t size, room;
};

struct found_manifest;

struct thread_life {
    uint64_t time;
    uint32_t tid, pid;
};

/* The offsets at which the payload of a kernel event names the process and the
 * thread that it is about; -1: it does not. */
struct subject {
    int pid_at, tid_at;
};

/* A kind, and what readers of kernel events have to know of it. */
struct known_kind {
    struct event_kind kind;
    struct subject subject;
    bool met; /* not only described */
};

/* A kind of kernel events that was met lately. */
struct recent_hook {
    uint32_t key;                   /* hook, version, width */
    const struct known_kind *known; /* NULL: none */
};

enum {
    RECENT_HOOKS = 64,
    /* Bytes of texts in embedded schemas, whatever the size of the trace. */
    EVENT_TEXTS_FREE = 32 << 20,
    EVENT_DESCRIPTIONS = 4 << 20,
};

struct event_trace {
    struct entry *entries; /* the traces, of one format */
    size_t entry_count;
    void (*release)(void *owner); /* NULL: nothing goes with the trace */
    void *owner;
    const struct event_reader *reader;
    struct follow *follow; /* NULL: all of the trace is there */
    struct profile *notes;
    bool noted; /* a cursor has told the notes what it met */
    struct arena arena;
    void *state; /* the reader's */
    bool surveyed;
    bool only_names; /* of kinds; no built-in schema is made */
    /* kinds.c */
    VEC(struct known_kind *) kinds;
    struct event_keys kind_keys;
    struct map hook_kinds; /* (hook, version, width) -> kind */
    struct recent_hook recent_hooks[RECENT_HOOKS];
    struct map key_kinds; /* key -> kind */
    /* schemas.c */
    VEC(struct found_schema) found;
    struct event_keys found_keys;    /* struct event_id -> found */
    VEC(struct found_names *) names; /* by key; NULL: asked for, not there */
    struct event_keys names_keys;    /* provider's GUID and name */
    VEC(struct found_provider) providers; /* by key */
    struct event_keys provider_keys;      /* GUID */
    struct budget texts; /* bytes that texts of embedded schemas may take */
    /* Schemas looked at for all providers that are to be described. */
    struct budget descriptions;
    VEC(struct manifest_parts) parts;
    VEC(struct found_manifest *) manifests;
    struct map manifest_prints; /* of their bytes: each is read once */
    /* Threads by (tid, time): whose they were. */
    VEC(struct thread_life) threads;
    VEC(struct event_process) processes; /* by (pid, from) */
    bool named;                          /* they are known (process_names.c) */
};

struct event_cursor {
    struct event_trace *trace;
    struct event_options options;
    struct event event;
    void *state;           /* the reader's */
    struct profile *notes; /* the trace's, or one of its own */
    uint64_t number;
    bool uncounted; /* a part was skipped: numbers are unknown */
    struct event_effort effort;
    VEC(uint8_t) wanted; /* by kind: 0 not asked yet, 1 yes, 2 no */
};

/* kinds.c */

/* Completes what a schema told, so that no name is NULL. */
struct described;
void kind_complete_names(struct event_trace *trace,
                         const struct kind_request *request,
                         struct described *d);
/* "GC/Start"; the opcode Info says nothing. */
const char *kind_full_name(struct arena *arena, const char *name,
                           const char *type);

/* The kind of an event: its names and its schema. */
const struct known_kind *event_kind_of(struct event_trace *trace,
                                       const struct kind_request *request);

/* The same for a kernel event; only this tells its kind. */
const struct known_kind *event_hook_kind(struct event_trace *trace,
                                         uint16_t hook, uint8_t version,
                                         uint8_t width);

/* Runs the reader's survey, once. */
void event_survey(struct event_trace *trace);

/* Releases what was found out; files and their reader stay. */
void event_trace_forget(struct event_trace *trace);

/* Threads that were added are found again. */
void event_sort_threads(struct event_trace *trace);

/* schemas.c */

/* A schema with its names, as its source tells them; "" for none. */
struct described {
    const struct event_schema *schema;
    const char *provider, *name, *type_name, *message;
    uint16_t task;
    uint8_t opcode, level;
    uint64_t keywords;
};

/* Takes what the event carries about others, if it does: embedded schemas and
 * parts of manifests. */
void schemas_take_classic(struct event_trace *trace, const uint8_t *guid,
                          uint8_t opcode, struct bytes payload);
void schemas_take_manifest(struct event_trace *trace, const uint8_t *guid,
                           uint32_t pid, uint32_t tid, struct bytes payload);
/* False: the trace does not describe it. */
bool schemas_find(struct event_trace *trace, const struct event_id *id,
                  struct described *out);
/* The same of trace->found.data[i]. */
bool schemas_at(struct event_trace *trace, size_t i, struct described *out);
/* The provider's name by a manifest or another event; NULL: none has it. */
const char *schemas_provider(struct event_trace *trace, const uint8_t *guid);
/* The enumeration of a provider; NULL: none. */
const struct event_names *schemas_names(struct event_trace *trace,
                                        const uint8_t *guid, const char *name);
void schemas_release(struct event_trace *trace);

/* Sources of schemas, each into the trace's arena. False or NULL: damaged. */
bool tei_id(struct bytes blob, struct event_id *id);
const char *tei_provider(struct event_trace *trace, struct bytes blob);
bool tei_read(struct event_trace *trace, struct bytes blob,
              struct described *out);
bool event_map_read(struct event_trace *trace, struct bytes blob,
                    struct found_names *out);
bool tracelogging_read(struct arena *arena, struct bytes blob,
                       struct described *out);
/* The provider's name of its traits; NULL: none. */
const char *traits_name(struct arena *arena, struct bytes traits);
bool nettrace_fields_read(struct arena *arena, struct bytes fields, bool v6,
                          struct described *out);

/* manifest.c */
struct found_manifest *manifest_read(struct event_trace *trace,
                                     const uint8_t *guid, const uint8_t *xml,
                                     size_t size);
/* The key of event number `event`; false when there are no more. */
bool manifest_event(const struct found_manifest *manifest, uint32_t event,
                    struct event_id *id);
void manifest_describe(struct found_manifest *manifest, uint32_t event,
                       struct described *out);
const char *manifest_provider(const struct found_manifest *manifest);
void manifest_free(struct found_manifest *manifest);

/* builtin.c */
struct builtin_provider;
struct builtin_event;
bool builtin_hook(struct event_trace *trace, uint16_t hook, uint8_t version,
                  struct described *out);
bool builtin_classic(struct event_trace *trace, const uint8_t *guid,
                     uint8_t opcode, uint8_t version, struct described *out);
bool builtin_manifest(struct event_trace *trace, const uint8_t *guid,
                      const char *provider, uint16_t id, uint8_t version,
                      struct described *out);
/* "Microsoft-Windows-DotNETRuntime"; NULL. */
const char *builtin_name(const uint8_t *guid);
struct subject builtin_subject(const struct event_schema *schema,
                               unsigned width);
void builtin_each(const char *provider,
                  void (*each)(void *context, const struct builtin_provider *p,
                               const struct builtin_event *e),
                  void *context);

/* schema_text.c: a schema from its short form (see there). */
const struct event_schema *schema_of_text(struct arena *arena,
                                          const char *text);

/* schemas.c: what the arena of a trace keeps */

/* Fields that were collected, as an array in the arena. */
const struct event_field *event_fields_copy(struct arena *arena,
                                            const struct event_field *fields,
                                            size_t count);

/* Finishes an enumeration: names of values are sorted by them, so that each is
 * found in few steps, and of names of bits, which are tried one after the
 * other, the first few are kept. */
void event_names_finish(struct event_names *names, struct event_name *list);

/* Takes bytes from the budget of texts; false, and said, if they are not
 * there. */
bool event_texts_take(struct event_trace *trace, uint64_t bytes);

/* "win:Start" is Start; NULL stays that. */
const char *name_without_prefix(const char *name);

/* UTF-16 or other bytes as UTF-8 in the arena, terminated. */
const char *arena_utf16(struct arena *arena, struct bytes utf16);
const char *arena_text(struct arena *arena, struct bytes utf8);

/* The process of a thread at a time; EVENT_UNKNOWN. */
uint32_t event_thread_pid(const struct event_trace *trace, uint32_t tid,
                          uint64_t time);

enum event_format manifest_format(unsigned out_type);
enum event_format tracelogging_format(unsigned out_type);

/* Type and format of a field; unknown codes are bytes to the end. `utf8`: an
 * 8-bit text is. */
struct event_field field_of_codes(unsigned in_type, enum event_format format,
                                  bool utf8);

/* The numbers of "win:UInt32" and "xs:..." or "win:HexInt32"; 0 for none. */
unsigned in_type_named(const char *name);
unsigned out_type_named(const char *name);

#endif

/*
 * clr - .NET runtime events (methods, modules) as observations, whatever
 * container they came in. Layouts: clr-events.md, section 2.
 */
#ifndef TOPFN_CLR_H
#define TOPFN_CLR_H

#include "engine/attribution/observations.h"

struct lifetimes;

enum clr_provider { CLR_RUNTIME, CLR_RUNDOWN };

struct clr_event {
    enum clr_provider provider;
    uint16_t id;
    uint8_t version;
    uint8_t width; /* of pointers in its payload, bytes */
    uint32_t pid;
    uint64_t thread; /* that wrote it */
    int64_t time;
    /* The trace maps no images: a managed module stands for its image, and
     * is called by its file name without the extension and without ".ni". */
    bool without_images;
};

/* The thing that an event describes, if clr_event_take would use it. */
enum clr_use {
    CLR_UNUSED,
    CLR_METHOD,
    CLR_MODULE,
    CLR_IL_MAP,
    CLR_COLLECTION,
    CLR_JIT
};

enum clr_use clr_event_use(enum clr_provider provider, uint16_t id);

/* The flags of a method event, for code that was compiled at run time. */
struct clr_code {
    bool compiled, cold; /* split off from the method's body */
    uint8_t tier;
};

struct clr_code clr_code_of(uint32_t flags);

/* The code of a CLR_METHOD event. False when it is malformed. */
bool clr_method_range(const uint8_t *payload, size_t size, uint64_t *start,
                      uint32_t *length);

/* IL maps without a version do not say which body of a method they are of:
 * they stand directly before (rundown) or behind (runtime) the event of that
 * one. So a CLR_METHOD event is noted when it is met, in the order of its
 * thread, whether or not it is taken later. (clr_il_maps.c) */
void clr_method_met(struct observations *f, const struct clr_event *event,
                    const uint8_t *payload, size_t size);

/* Keeps a CLR_IL_MAP event. False when it is malformed. */
bool clr_il_map_take(struct observations *seen, const struct clr_event *event,
                     const uint8_t *payload, size_t size);

/* Gives the profile the maps of the methods that were sampled. `method_ids`:
 * by method fact, the profile's method or NO_ID. */
void match_il_maps(struct observations *seen, const uint32_t *method_ids);

/* The bytes that an allocation tick (id 10) or a sampled allocation (303) of
 * the runtime stands for; 0 when it is cut off. The runtime samples a byte
 * in 102,400 on average; the bytes that a sample stands for follow from its
 * size. */
uint64_t clr_allocation_bytes(uint16_t id, uint8_t version, unsigned width,
                              struct reader *payload);

/* True of the events that tell of garbage collections. clr_collection_take
 * keeps one, and clr_collections_state gives the profile its collections, and
 * their sums as facts, when all are there. (collections.c) */
bool clr_is_collection(enum clr_provider provider, uint16_t id);
void clr_collection_take(struct observations *seen,
                         const struct clr_event *event, struct reader *payload);
void clr_collections_state(struct observations *seen, struct lifetimes *lives);

/* True of the event that a method is being compiled. clr_jit_take keeps it and
 * loads of compiled methods, and passes over all others; clr_jit_state states
 * how many were compiled, by tier, and how long it took. (jit_times.c) */
bool clr_is_jit_start(enum clr_provider provider, uint16_t id);
void clr_jit_take(struct observations *seen, const struct clr_event *event,
                  const uint8_t *payload, size_t size);
void clr_jit_state(struct observations *seen);

/* Reads the payload into facts. False when it is malformed. The payload must
 * stay valid until attribute. */
bool clr_event_take(struct observations *seen, const struct clr_event *event,
                    struct reader *payload);

#endif

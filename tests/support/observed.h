/*
 * observed - observations made by hand, and what became of them.
 *
 *     struct observed o;
 *
 *     observed_begin(&o);
 *     see_process(&o, 0, SEEN_AT_START, 40, "app.exe");
 *     see_image(&o, 0, SEEN_AT_START, 40, 0x10000, 0x1000, "C:\\app.exe");
 *     see_sample(&o, 5, 41, 40, RUN(0x10010, 0x10020), NO_RUN);
 *     observed_attribute(&o);
 *     ck_assert_str_eq(sample_stack(&o, 0), "app.exe+0x20;app.exe+0x10");
 *     observed_end(&o);
 *
 * Pointers have 8 bytes, times are nanoseconds. Facts that need more than
 * these calls take are given to observe_... directly, with `o.seen`. Texts
 * that are returned are good for the next eight calls that return one.
 */
#ifndef TOPFN_TESTS_OBSERVED_H
#define TOPFN_TESTS_OBSERVED_H

#include "engine/attribution/observations.h"

struct observed {
    struct profile *p;
    struct observations *seen;
    struct arena names; /* what slices of names point to */
};

/* A first address of kernel space. */
#define KERNEL 0xFFFF800000000000u

/* Addresses of one part of a stack, innermost first. */
struct addresses {
    const uint64_t *list;
    uint32_t count;
};

#define RUN(...)                                                               \
    ((struct addresses){(const uint64_t[]){__VA_ARGS__},                       \
                        sizeof((const uint64_t[]){__VA_ARGS__}) /              \
                            sizeof(uint64_t)})
#define NO_RUN ((struct addresses){NULL, 0})

void observed_begin(struct observed *o);
void observed_end(struct observed *o);

/* From observations to a profile, as every format does it. */
void observed_attribute(struct observed *o);

uint32_t observed_string(struct observed *o, const char *text);

/* Text as a fact holds it. */
struct text_slice observed_slice(struct observed *o, const char *text);

void see_process(struct observed *o, int64_t time, enum observed_event event,
                 uint32_t pid, const char *name);
void see_thread(struct observed *o, int64_t time, enum observed_event event,
                uint32_t tid, uint32_t pid, const char *name);

/* `path` NULL: memory that no image is in. The module, or NO_ID. */
uint32_t see_image(struct observed *o, int64_t time, enum observed_event event,
                   uint32_t pid, uint64_t base, uint64_t size,
                   const char *path);

/* A method of that name alone; its fact's index is its method id. */
uint32_t see_method(struct observed *o, int64_t time, enum observed_event event,
                    uint32_t pid, uint64_t start, uint32_t size,
                    const char *name);

void see_symbol(struct observed *o, uint32_t set, uint64_t start, uint64_t size,
                const char *name);

/* Both parts of its stack; NO_RUN for one that it does not have. */
void see_sample(struct observed *o, int64_t time, uint32_t tid, uint32_t pid,
                struct addresses user, struct addresses kernel);

/* The same, but for an address alone that stands in for the inner part. */
void see_leaf(struct observed *o, int64_t time, uint32_t tid, uint32_t pid,
              struct addresses user, uint64_t address);

/* ---- what became of it ---- */

size_t sample_count(const struct observed *o);
uint32_t sample_flags_of(const struct observed *o, size_t sample);
enum stack_end sample_end_of(const struct observed *o, size_t sample);

/* Before observed_attribute: "user 0x20 0x10 kernel 0x3" with the runs of a
 * sample's two parts, innermost first; "leaf 0x5" for an address alone; "" for
 * none. Behind it, "pid 40" if the sample says its process. */
const char *sample_parts(const struct observed *o, size_t sample);

/* After it: locations outermost first, `;` between: "module+0xRVA",
 * "Method+0xOFFSET" and before it "module!" if an image holds it; addresses
 * that nothing holds with what is to blame: "0x1234 no_image". */
const char *sample_stack(const struct observed *o, size_t sample);
const char *location_text(const struct observed *o, uint32_t location);

/* "app.exe 40/41", the process and thread of a sample. */
const char *sample_thread(const struct observed *o, size_t sample);

#endif

/*
 * nettrace_writer - makes netperf v3 and nettrace v4 to v6 streams.
 *
 *     struct nettrace_writer *w = nettrace_writer_new(6, true);
 *     nettrace_kind(w, 1, "Universal.Events", 1, "cpu", 0);
 *     nettrace_thread(w, 1, 100, 101);
 *     nettrace_stack(w, 1, addresses, 3);
 *     nettrace_event(w, &(struct nettrace_event){.kind = 1, .thread = 1,
 *                                                .stack = 1, .time = 5});
 *     nettrace_end(w);
 *     use(w->out.data, w->out.len);
 *     nettrace_writer_free(w);
 *
 * Things of one sort that follow each other share a block. Writers of blocks
 * that are wrong on purpose begin one, append bytes and go on. The clock
 * counts nanoseconds; time 0 is 2025-02-03 04:05:06 UTC.
 */
#ifndef TOPFN_TESTS_NETTRACE_WRITER_H
#define TOPFN_TESTS_NETTRACE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/support/blob.h"

typedef struct blob byte_vec;

struct nettrace_event {
    uint32_t kind, sequence, processor, stack, labels;
    uint64_t thread, capture_thread, time;
    const void *payload;
    size_t size;
    const uint64_t *frames; /* v3: the stack itself */
    size_t depth;
};

/* Kinds of blocks, with their numbers in v6. */
enum nettrace_block {
    NT_BLOCK_NONE = -1,
    NT_BLOCK_END,
    NT_BLOCK_TRACE,
    NT_BLOCK_EVENTS,
    NT_BLOCK_METADATA,
    NT_BLOCK_SEQUENCE_POINT,
    NT_BLOCK_STACKS,
    NT_BLOCK_THREADS,
    NT_BLOCK_REMOVED_THREADS,
    NT_BLOCK_LABELS,
};

struct nettrace_writer {
    byte_vec out;
    unsigned version;
    bool compressed;
    byte_vec block;  /* the block being filled */
    int block_kind;  /* enum nettrace_block, or any number in v6 */
    uint32_t stacks; /* in it */
    struct nettrace_event last; /* what compressed headers refer to */
};

/* Process 1234, 8-byte pointers. */
struct nettrace_writer *nettrace_writer_new(unsigned version, bool compressed);
void nettrace_writer_free(struct nettrace_writer *w);

void nettrace_kind(struct nettrace_writer *w, uint32_t id,
                   const char *provider, uint32_t event_id, const char *name,
                   uint32_t version);
/* v6 only, as are removal and labels. */
void nettrace_thread(struct nettrace_writer *w, uint64_t index, uint64_t pid,
                     uint64_t tid);
void nettrace_remove_thread(struct nettrace_writer *w, uint64_t index,
                            uint32_t last);
/* Numbers in one block follow each other. v4 and later. */
void nettrace_stack(struct nettrace_writer *w, uint32_t id,
                    const uint64_t *frames, size_t depth);
void nettrace_event(struct nettrace_writer *w, const struct nettrace_event *e);
/* v4 and later; `threads` has n pairs of thread and number. */
void nettrace_sequence_point(struct nettrace_writer *w, uint32_t flags,
                             const uint64_t (*threads)[2], size_t n);

/* Ends the block being filled and begins one; what is put next goes there. */
void nettrace_begin_block(struct nettrace_writer *w, int kind);
void nettrace_end_block(struct nettrace_writer *w);

/* The end marker. */
void nettrace_end(struct nettrace_writer *w);

/* Pieces of payloads and blocks. */
void put_bytes(byte_vec *to, const void *bytes, size_t n);
void put_number(byte_vec *to, uint64_t value, unsigned bytes);
void put_varint(byte_vec *to, uint64_t value);
void put_utf16(byte_vec *to, const char *text);  /* terminated */
void put_string(byte_vec *to, const char *text); /* varint length, UTF-8 */
void put_short_string(byte_vec *to, const char *text); /* u16 length */

/* Payload of a verbose method event of .NET: R 143, R 144, D 144. */
void put_method(byte_vec *to, uint64_t start, uint32_t size, uint64_t module,
                const char *space, const char *name, const char *signature);
/* Payload of a module event, version 1: R 152, R 153, D 154. */
void put_module(byte_vec *to, uint64_t module, const char *path);

#endif

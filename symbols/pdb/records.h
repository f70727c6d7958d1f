/*
 * records - walking CodeView symbol records.
 *
 *     struct record rec;
 *     for (uint32_t at = 4; record_at(&symbols, at, &rec); at = rec.next)
 *         switch (rec.kind) ...
 *
 * Every record: u16 length of what follows, u16 kind, payload, padding to 4.
 * Inside of symbols/pdb only.
 */
#ifndef TOPFN_PDB_RECORDS_H
#define TOPFN_PDB_RECORDS_H

#include "engine/base/reader.h"

enum symbol_kind {
    S_END = 0x0006,
    S_THUNK32 = 0x1102,
    S_BLOCK32 = 0x1103,
    S_WITH32 = 0x1104,
    S_PUB32 = 0x110E,
    S_LPROC32 = 0x110F,
    S_GPROC32 = 0x1110,
    S_GMANPROC = 0x112A,
    S_LMANPROC = 0x112B,
    S_TRAMPOLINE = 0x112C,
    S_SEPCODE = 0x1132,
    S_LPROC32_ID = 0x1146,
    S_GPROC32_ID = 0x1147,
    S_INLINESITE = 0x114D,
    S_INLINESITE_END = 0x114E,
    S_PROC_ID_END = 0x114F,
    S_LPROC32_DPC = 0x1155,
    S_LPROC32_DPC_ID = 0x1156,
    S_INLINESITE2 = 0x115D,
};

struct record {
    uint32_t at, next; /* offsets in the symbols */
    uint16_t kind;
    struct reader r; /* the payload */
};

/* False at the end, and at a record that contradicts itself. */
static inline bool record_at(const struct bytes *symbols, uint32_t at,
                             struct record *rec)
{
    uint32_t length;

    if (at > symbols->len || symbols->len - at < 4)
        return false;
    length = load_u16(symbols->data + at);
    if (length < 2 || length > symbols->len - at - 2)
        return false;
    rec->at = at;
    rec->next = at + 2 + length;
    rec->kind = load_u16(symbols->data + at + 2);
    rec->r = reader_of("symbols", symbols->data + at + 4, length - 2,
                       at + 4, NULL);
    return true;
}

#endif

/*
 * universal - what the files on Universal.System share.
 */
#ifndef TOPFN_NETTRACE_UNIVERSAL_H
#define TOPFN_NETTRACE_UNIVERSAL_H

#include "engine/format/nettrace/nettrace.h"

/* What the recorder read from a mapped file. */
struct nt_image_metadata {
    struct identity identity;
    /* Of the executable segment of an ELF file. */
    bool has_segment;
    uint64_t segment_address, segment_offset;
};

/* Everything that can be read of it; the rest stays unknown. */
void nt_parse_image_metadata(struct nt_image_metadata *out, struct bytes json,
                             struct strings *strings);

#endif

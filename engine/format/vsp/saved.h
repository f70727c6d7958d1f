/*
 * saved - the names that a .vsp carries behind its blocks.
 *
 *     struct vsp_saved *saved = saved_read(name, data, size, p);
 *     struct saved_module *m = saved_find(saved, path, image_size, stamp);
 *     if (m && saved_native(saved, m, rva, &function)) ...
 *     saved_free(saved);
 *
 * The machine that analysed the recording saved what its debug files said of
 * the sampled addresses. Only modules whose symbols it had are there.
 */
#ifndef TOPFN_VSP_SAVED_H
#define TOPFN_VSP_SAVED_H

#include "engine/base/reader.h"
#include "engine/base/vec.h"
#include "engine/model/profile.h"

/* The name of an RVA. Text is UTF-16 of the file. */
struct saved_native {
    uint32_t rva, start, length;
    int32_t line, name, file; /* of the function; -1 none */
};

struct saved_line {
    uint32_t rva, line;
};

struct saved_managed {
    uint32_t token;
    uint32_t module; /* number in `modules` */
    struct bytes name, file;
};

struct saved_module {
    struct bytes path;
    const uint8_t *mvid; /* garbage for native modules */
    uint32_t image_size, timestamp;
    uint64_t native_count, native_at, managed_count, managed_at;
    uint64_t line_count, line_at, managed_line_count, managed_line_at;
    bool loaded;
    VEC(struct saved_native) functions, addresses; /* by rva */
    VEC(struct saved_line) lines;                  /* by rva */
};

struct vsp_saved {
    const char *name;
    const uint8_t *data;
    size_t size;
    struct profile *profile; /* for warnings */
    uint64_t budget;         /* bytes of tables that may still be read */
    VEC(struct bytes) pool;
    VEC(struct saved_module) modules;
    struct strings *paths;
    struct map by_path;         /* folded path -> first module */
    struct map managed_ids;     /* (mvid, token) -> managed */
    VEC(struct saved_managed) managed;
    VEC(struct saved_il_line) il_lines; /* by (module, token, first IL) */
};

struct saved_il_line {
    uint32_t module, token;
    int32_t first, last;
    uint32_t line;
};

/* Never NULL; a file without sections has nothing in it. */
struct vsp_saved *saved_read(const char *name, const uint8_t *data,
                             size_t size, struct profile *p);
void saved_free(struct vsp_saved *saved);

/* The module of this path with these image size and stamp; NULL for none. */
struct saved_module *saved_find(struct vsp_saved *saved, const char *path,
                                uint32_t image_size, uint32_t timestamp);

/* The function at `rva`: as saved for this very address, or the one around
 * it. False for none with a name. */
bool saved_native(struct vsp_saved *saved, struct saved_module *module,
                  uint32_t rva, struct saved_native *found);

/* The line of an address; 0 for none. */
uint32_t saved_line_of(const struct saved_module *module, uint32_t rva);

/* A managed method by its module's version and its token. */
bool saved_managed(const struct vsp_saved *saved, const uint8_t *mvid,
                   uint32_t token, struct saved_managed *found);

/* The line of an IL offset; 0 for none or hidden. */
uint32_t saved_il_line_of(const struct vsp_saved *saved, uint32_t module,
                          uint32_t token, int32_t il);

/* A string of the pool; empty for a number out of range. */
struct bytes saved_text(const struct vsp_saved *saved, int32_t ordinal);

#endif

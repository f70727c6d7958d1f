/*
 * presets - filters that a person gave a name.
 *
 *     struct preset preset = {.words = {0}};
 *     if (preset_find(&preset, "shop", &arena, &err)) ...
 *     vec_release(&preset.words);
 *
 * They are lines of $XDG_CONFIG_HOME/topfn/presets, or
 * ~/.config/topfn/presets:
 *
 *     # what we look at on Mondays
 *     shop = --process shop.exe --group just-my-code --mine 'Shop.*'
 *
 * Nothing is read from the folder of a trace.
 */
#ifndef TOPFN_PRESETS_H
#define TOPFN_PRESETS_H

#include "engine/base/arena.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"

struct preset {
    VEC(char *) words; /* the arena's */
};

/* The options behind this name. */
enum err_code preset_find(struct preset *preset, const char *name,
                          struct arena *arena, struct err *err);

/* The words of a line as a shell takes them: '...', "...", \x. False where a
 * quote does not end. */
bool preset_split(struct preset *preset, const char *line,
                  struct arena *arena);

#endif

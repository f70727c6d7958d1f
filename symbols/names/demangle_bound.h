/*
 * demangle_bound - whether a mangled name can be read at a bounded cost.
 *
 * libiberty counts no steps, and some names cost 2^n: a C++ conversion whose
 * arguments are read twice, a search for packs through types that name each
 * other, D's back references. What a name comes to is worked out beforehand,
 * from its text and from its parsed tree, so that the answer depends on the
 * name alone.
 *
 *     if (demangle_bound_cpp(name))
 *         tree = cplus_demangle_v3_components(name, options, &memory);
 *     if (tree && demangle_bound_tree(tree))
 *         cplus_demangle_print_callback(options, tree, take, &out);
 */
#ifndef TOPFN_DEMANGLE_BOUND_H
#define TOPFN_DEMANGLE_BOUND_H

#include <stdbool.h>
#include <stddef.h>

struct demangle_component;

/* Whether the text of a C++ name may be parsed. */
bool demangle_bound_cpp(const char *name);

/* Whether a parsed C++ name may be printed. */
bool demangle_bound_tree(struct demangle_component *tree);

/* Whether a D name may be demangled at all. */
bool demangle_bound_d(const char *name);

/* The longest text that a name of `n` characters may come to. */
size_t demangle_bound_text(size_t n);

#endif

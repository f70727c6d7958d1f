/*
 * demangle_spelling - newer C++ names in the spelling that libiberty knows.
 *
 *     name = demangle_older(name);
 *     tree = cplus_demangle_v3_components(name, options, &memory);
 *     if (tree && demangle_drop_parameters(tree)) ...
 *
 * What compilers have come to write since:
 *
 *     Ty, Tn TYPE, Tt ... E, Tp   kind of a template's parameter, before the
 *                                 argument. Types in it count for references,
 *                                 so it becomes an argument, which is marked
 *                                 and dropped from the tree.
 *     Tk NAME                     likewise, of a concept, whose own name does
 *                                 not count
 *     Dk NAME                     an auto that is constrained: becomes the type
 *                                 of an expression, which is made one in the
 *                                 tree
 *     u NAME ARGUMENTS            a type built in: likewise
 *     u NAME ... E                a value that the compiler tells of types, as
 *                                 __is_same: becomes a template
 *     TL NUMBER _ NUMBER _        a parameter of the template around: becomes
 *                                 that of the template itself
 *     Q EXPRESSION                in front of the E of arguments: becomes one,
 *                                 which is marked and dropped
 *     sr NAMES E NAME             a qualified name: becomes one identifier
 *     sr NAME ARGUMENTS E NAME    likewise: becomes "dt" of both, which is
 *                                 made one name in the tree
 *     C2 B TAG ARGUMENTS          a tag on a constructor, which makes
 *                                 libiberty take an argument for the result:
 *                                 dropped
 *     F NAME                      a friend that a class defines: the F is
 *                                 dropped
 *     Q EXPRESSION                at the end, what a template requires:
 *                                 dropped
 *
 * Whether a number begins an identifier depends on what stands around it; it
 * is guessed here, and a wrong guess gives a name that is none.
 */
#ifndef TOPFN_DEMANGLE_SPELLING_H
#define TOPFN_DEMANGLE_SPELLING_H

#include <stdbool.h>

struct demangle_component;

/* The caller frees it. */
char *demangle_older(const char *name);

/* False: the tree is not one to print. */
bool demangle_drop_parameters(struct demangle_component *tree);

#endif

/*
 * demangle_marks - how what is rewritten in a name is known again in its tree.
 *
 * No name that a compiler makes has these: values of type void, and
 * identifiers with a space.
 */
#ifndef TOPFN_DEMANGLE_MARKS_H
#define TOPFN_DEMANGLE_MARKS_H

/* The argument behind it is none, and all that follows. */
#define MARK      "LvTnE"
#define MARK_REST "LvTqE"

/* In front of what was behind "sr", and behind "u". */
#define QUALIFIED "sr "
#define BUILT_IN  "u "

#endif

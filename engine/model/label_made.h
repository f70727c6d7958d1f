/*
 * label_made - what the name of a type or a method says of the function that
 * a compiler made it of.
 *
 *     <>c, <>c__DisplayClass3_0      C#: holds lambdas, is not shown
 *     <Run>b__3_1, <Run>b__1         a lambda of Run
 *     <Run>g__Step|3_0               Step, a function in Run
 *     <Run>d__5, <<Run>b__3_1>d      a state machine: MoveNext is Run's body
 *     <Main>$                        Main of top-level statements
 *     _Closure$__2-0, _Lambda$__2-1  VB: holds lambdas; a lambda
 *     VB$StateMachine_5_Run          VB: a state machine
 *     step@33-1                      F#: a closure in step; Invoke is its body
 */
#ifndef TOPFN_LABEL_MADE_H
#define TOPFN_LABEL_MADE_H

#include "engine/model/label_impl.h"

enum made_kind { AS_WRITTEN, CLOSURE, MACHINE, CLOSURE_OF };

/* What the compiler made of the innermost types. */
struct made {
    enum made_kind kind;
    struct span function;  /* what it was made of; of MACHINE, CLOSURE_OF */
    struct span ordinal;   /* "3": of the method that has the lambdas */
    struct span arguments; /* types given to that method */
};

/* What a type's name says; false if a person wrote it. */
bool made_type(struct made *made, struct span name);
/* "<Run>b__3" in its two parts; false if it is not of that form. */
bool split_made(struct span name, struct span *function, struct span *rest);
bool is_fsharp_closure(struct span name, struct span *function);
/* "Name" of a type that one file has for itself: "<File>F0123__Name". */
struct span without_file(struct span name);

static inline struct span span_empty(const char *at)
{
    return span_of(at, at);
}

/* Without a prefix that it has. */
static inline struct span span_behind(struct span s, const char *prefix)
{
    return span_of(s.at + strlen(prefix), s.end);
}

#endif

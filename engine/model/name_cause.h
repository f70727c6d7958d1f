/*
 * name_cause - why code has no function name.
 *
 * One row each: a word for machines (JSON, databases) and a phrase for a
 * person. Who shows causes walks the table, so that a new one is shown
 * everywhere:
 *
 *     for (unsigned i = CAUSE_NONE + 1; i < CAUSE_KINDS; i++)
 *         puts(name_cause_name((enum name_cause)i));
 */
#ifndef TOPFN_NAME_CAUSE_H
#define TOPFN_NAME_CAUSE_H

enum name_cause {
    CAUSE_NONE,       /* it has one */
    CAUSE_NO_IMAGE,   /* no image and no method held the address then */
    CAUSE_NO_SYMBOLS, /* the image is known, but no debug file of it */
    CAUSE_HYPERCALL,  /* the hypervisor's call page: shown under that name */
    CAUSE_NO_STACK,   /* the sample has no stack and no address */
    CAUSE_NO_RUNDOWN, /* the runtime was not asked to list its methods */
    CAUSE_CUT_OFF,    /* it would have listed them after the recording's end */
    CAUSE_UNLOADED,   /* code of a module unloaded since, as far as known */
    CAUSE_MISMATCH,   /* there is a debug file, of another build */
    CAUSE_BROKEN,     /* there is a debug file, which cannot be read */
    CAUSE_OUTSIDE,    /* the debug file has nothing at the address */
    CAUSE_FREED,      /* a method was there, which the runtime had freed */
    CAUSE_KINDS
};

const char *name_cause_name(enum name_cause cause);   /* "no_image", ... */
const char *name_cause_phrase(enum name_cause cause); /* "no image", ... */

#endif

#include "engine/model/name_cause.h"

static const struct {
    const char *word, *phrase;
} rows[CAUSE_KINDS] = {
    [CAUSE_NONE] = {"none", "named"},
    [CAUSE_NO_IMAGE] = {"no_image", "no image"},
    [CAUSE_NO_SYMBOLS] = {"no_symbols", "no symbols"},
    [CAUSE_HYPERCALL] = {"hypercall_page", "hypercall page"},
    [CAUSE_NO_STACK] = {"no_stack", "no stack"},
    [CAUSE_NO_RUNDOWN] = {"no_rundown", "no rundown"},
    [CAUSE_CUT_OFF] = {"cut_off", "recording cut off"},
    [CAUSE_UNLOADED] = {"unloaded", "code unloaded"},
    [CAUSE_MISMATCH] = {"identity_mismatch", "symbols of another build"},
    [CAUSE_BROKEN] = {"broken_file", "broken symbols"},
    [CAUSE_OUTSIDE] = {"address_outside", "not in symbols"},
    [CAUSE_FREED] = {"code_freed", "code freed"},
};

const char *name_cause_name(enum name_cause cause)
{
    return rows[cause].word;
}

const char *name_cause_phrase(enum name_cause cause)
{
    return rows[cause].phrase;
}

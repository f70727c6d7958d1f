#include "engine/model/stack_end.h"

static const struct {
    const char *word, *phrase;
} rows[STACK_ENDS] = {
    [STACK_END_UNKNOWN] = {"unknown", "not known"},
    [STACK_END_ROOT] = {"complete", "complete"},
    [STACK_END_NO_UNWIND_DATA] = {"no_unwind_data", "no unwind data"},
    [STACK_END_GENERATED_CODE] = {"generated_code", "generated code"},
    [STACK_END_MACHINE] = {"machine_not_read", "machine not supported"},
    [STACK_END_NO_USER_PART] = {"no_user_part", "user part missing"},
    [STACK_END_DEPTH] = {"depth_limit", "depth limit"},
    [STACK_END_COPY] = {"copied_stack_too_short", "copied stack too short"},
    [STACK_END_LEAF_FRAME] = {"caller_missing", "caller missing"},
    [STACK_END_BROKEN] = {"broken", "broken stack"},
    [STACK_END_NO_STACK] = {"no_stack", "no stack"},
};

const char *stack_end_word(enum stack_end end)
{
    return rows[end].word;
}

const char *stack_end_phrase(enum stack_end end)
{
    return rows[end].phrase;
}

/* Every end has its own word and phrase, and lies in flags beside others. */
#include "engine/model/profile.h"
#include "tests/support/suite.h"

TEST(rows_are_complete_and_distinct)
{
    for (unsigned i = 0; i < STACK_ENDS; i++) {
        const char *word = stack_end_word((enum stack_end)i);
        const char *phrase = stack_end_phrase((enum stack_end)i);

        ck_assert(word && *word && phrase && *phrase);
        ck_assert(!strchr(word, ' '));
        for (unsigned j = 0; j < i; j++) {
            ck_assert_str_ne(word, stack_end_word((enum stack_end)j));
            ck_assert_str_ne(phrase, stack_end_phrase((enum stack_end)j));
        }
    }
    ck_assert_str_eq(stack_end_word(STACK_END_DEPTH), "depth_limit");
    ck_assert_str_eq(stack_end_phrase(STACK_END_COPY),
                     "copied stack too short");
}

TEST(flags_keep_what_else_they_hold)
{
    uint16_t others = stack_end_put(SAMPLE_FLAGS_ALL, STACK_END_UNKNOWN);

    for (unsigned i = 0; i < STACK_ENDS; i++) {
        enum stack_end end = (enum stack_end)i;
        uint16_t flags = stack_end_put(SAMPLE_FLAGS_ALL, end);

        ck_assert_int_eq(stack_end_of(flags), end);
        ck_assert_uint_eq(stack_end_put(flags, STACK_END_UNKNOWN), others);
        ck_assert_uint_eq(flags, others | stack_end_flags(end));
    }
    ck_assert_uint_lt((unsigned)STACK_ENDS, 16);
}

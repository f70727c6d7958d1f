/* Every cause has its own word and phrase. */
#include "engine/model/code.h"
#include "tests/support/suite.h"

TEST(rows_are_whole_and_distinct)
{
    for (unsigned i = 0; i < CAUSE_KINDS; i++) {
        const char *word = name_cause_name((enum name_cause)i);
        const char *phrase = name_cause_phrase((enum name_cause)i);

        ck_assert(word && *word && phrase && *phrase);
        ck_assert(!strchr(word, ' '));
        for (unsigned j = 0; j < i; j++) {
            ck_assert_str_ne(word, name_cause_name((enum name_cause)j));
            ck_assert_str_ne(phrase, name_cause_phrase((enum name_cause)j));
        }
    }
    ck_assert_str_eq(name_cause_name(CAUSE_NO_RUNDOWN), "no_rundown");
    ck_assert_str_eq(name_cause_phrase(CAUSE_MISMATCH),
                     "symbol file of another build");
}

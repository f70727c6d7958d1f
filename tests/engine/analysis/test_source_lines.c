#include "engine/analysis/source_lines.h"

#include "engine/analysis/rank.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

static void check_sums(const struct profile *p, const struct selection *sel)
{
    struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    struct function_lines *lines = mem_new(r->len, sizeof(*lines));
    uint32_t *ids = mem_new(r->len, sizeof(*ids));

    for (size_t i = 0; i < r->len; i++)
        ids[i] = r->rows[i].id;
    source_lines_count(p, sel, ids, r->len, lines);
    for (size_t i = 0; i < r->len; i++) {
        uint64_t exclusive = 0;

        for (size_t k = 0; k < lines[i].counts.len; k++) {
            const struct line_count *c = &lines[i].counts.data[k];

            exclusive += c->exclusive;
            ck_assert_uint_le(c->exclusive, c->inclusive);
            ck_assert_uint_le(c->inclusive, r->rows[i].inclusive);
        }
        ck_assert_uint_eq(exclusive, r->rows[i].exclusive);
    }
    source_lines_release(lines, r->len);
    free(lines);
    free(ids);
    ranking_free(r);
}

TEST(lines_add_up_to_their_function)
{
    random_selections(check_sums);
}

#include "engine/analysis/startup.h"

#include "engine/analysis/filter.h"
#include "tests/support/cells.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

/* How many frames of a stack are folded, by a profile of that stack alone. */
static unsigned folded_frames(const char *stack)
{
    struct builder *b = builder_new("app.etl");
    struct profile *p;
    uint8_t *classes;
    uint32_t path[32], n = 0;
    enum startup_phase phase = STARTUP_SYSTEM, end = STARTUP_SYSTEM;
    unsigned folded = 0;

    builder_samples(b, builder_thread(b, 10, "a.exe", 11), 1, stack);
    p = builder_finish(b);
    classes = startup_classes(p);
    for (uint32_t f = 0; f < p->functions.len; f++)
        ck_assert_uint_eq(startup_class_of(p, f), classes[f]);
    for (uint32_t s = p->samples.stack[0]; s; s = p->stacks.data[s].parent) {
        uint32_t location = p->stacks.data[s].location;

        path[n++] = p->frames.data[p->frame_start.data[location]].function;
    }
    for (uint32_t i = n; i--;)
        end = startup_next(end, (enum startup_class)classes[path[i]]);
    for (uint32_t i = n; i--;) {
        phase = startup_next(phase, (enum startup_class)classes[path[i]]);
        folded += startup_folds(phase, end);
    }
    free(classes);
    profile_free(p);
    return folded;
}

static void check_case(const struct cells *row)
{
    cells_expect_number(row, 1, folded_frames(row->cell[0]));
}

TEST(folds_by_its_table)
{
    cells_each("tests/engine/analysis/startup.cells", "cases", check_case);
}

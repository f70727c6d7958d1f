#include "tests/support/drawn_starts.h"

#include <math.h>

struct starts starts_new(unsigned functions, double percent, uint32_t seed)
{
    return (struct starts){.program = program_new(functions, 1),
                           .percent = percent,
                           .every = 1,
                           .state = drawn_state(seed)};
}

struct profile *starts_record(struct starts *starts, unsigned samples,
                              uint32_t seed)
{
    struct program program = starts->program;

    for (unsigned i = 0; i < program.functions; i++) {
        double sum = -6;

        for (int j = 0; j < 12; j++)
            sum += drawn_uniform(&starts->state);
        if (i % starts->every == 0)
            program.weight[i] *= exp(sum * starts->percent / 100);
    }
    return program_record(&program, samples, seed);
}

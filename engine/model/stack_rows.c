#include "engine/model/stack_rows.h"

#include <stdlib.h>

void stack_rows_release(struct stack_rows *rows)
{
    vec_release(&rows->list);
    vec_release(&rows->stacks);
    free(rows->locations);
    rows->locations = NULL;
    arena_release(&rows->rest);
}

/*
 * frame_columns - the columns of the views frame_of_sample and frame_of_stack,
 * from a profile in memory.
 *
 *     struct frame_texts texts;
 *     frame_texts_init(&texts, profile);
 *     value = frame_value(&texts, FRAME_LABEL, &row);
 *     frame_texts_release(&texts);
 *
 * The values are to the letter those of the views (store/views.c).
 */
#ifndef TOPFN_SQL_FRAME_COLUMNS_H
#define TOPFN_SQL_FRAME_COLUMNS_H

#include "engine/base/arena.h"
#include "engine/model/profile.h"
#include "engine/sql/virtual_table.h"

enum frame_column_id {
    FRAME_SAMPLE,
    FRAME_STACK,
    FRAME_DEPTH,
    FRAME_TIME,
    FRAME_CPU,
    FRAME_PROCESS,
    FRAME_PID,
    FRAME_THREAD,
    FRAME_TID,
    FRAME_WEIGHT,
    FRAME_PERIOD,
    FRAME_STACK_END,
    FRAME_WAIT,
    FRAME_INLINED,
    FRAME_FILE,
    FRAME_LINE,
    FRAME_TIER,
    /* The same for all frames of a function: */
    FRAME_FUNCTION,
    FRAME_LABEL,
    FRAME_MODULE,
    FRAME_KIND,
    FRAME_WAITS,
    FRAME_CAUSE,
    FRAME_FUNCTION_ID,
    FRAME_COLUMNS,
};

/* The type is empty where the view's column is an expression. */
struct frame_column {
    const char *name, *type;
};

extern const struct frame_column frame_columns[FRAME_COLUMNS];

/* Names that are made once for a function. */
struct frame_texts {
    const struct profile *p;
    struct frame_names *made;
    struct arena arena;
    bool waiting; /* the samples include waiting threads */
};

void frame_texts_init(struct frame_texts *texts, const struct profile *p);
void frame_texts_release(struct frame_texts *texts);

struct frame_at {
    size_t sample;  /* index; unused in frame_of_stack */
    uint32_t stack; /* id of the whole stack */
    uint32_t depth, location, frame;
};

/* Texts live as long as these texts. */
struct virtual_value frame_value(struct frame_texts *texts,
                                 enum frame_column_id column,
                                 const struct frame_at *row);

/* Takes a column from FRAME_FUNCTION on. */
struct virtual_value frame_function_value(struct frame_texts *texts,
                                          enum frame_column_id column,
                                          uint32_t function);

#endif

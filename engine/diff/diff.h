/*
 * diff - what changed between two sides, and how sure that is.
 *
 *     struct diff_input inputs[] = {{p, sel, false}, {q, other, true}};
 *     struct diff_options options = DIFF_DEFAULTS;
 *     struct diff *diff = diff_new(inputs, 2, &options);
 *     for (size_t i = 0; i < diff->len; i++)
 *         use(&diff->rows[i]);
 *     diff_free(diff);
 *
 * A side is one profile or several runs. Rows are functions or call paths,
 * paired across builds (diff/pair.h). The value of a row is its count of
 * samples in the unit that `normalize` names; its interval has 95 %
 * confidence and takes into account that samples are not independent
 * (diff/blocks.h, diff/side.h). Nothing is drawn at random: equal input
 * gives equal output, and exchanging the sides mirrors it.
 *
 * A change is real (slower, faster, new, gone) when its q-value is at most
 * `q`: among all changes called real that share is expected to be false
 * (Benjamini and Hochberg 1995; inclusive counts depend positively on each
 * other, for which the bound holds too, Benjamini and Yekutieli 2001).
 * Otherwise it is unchanged when the interval lies within the smallest
 * relevant change (two one-sided tests; Schuirmann 1987), and cannot be told
 * when not.
 */
#ifndef TOPFN_DIFF_H
#define TOPFN_DIFF_H

#include "engine/diff/side.h"
#include "engine/diff/units.h"

enum diff_normalize {
    DIFF_OTHERS,  /* percent of what the samples would be without the change
                     (diff/size_factors.h); DIFF_TOTAL where too few functions
                     are  common to both sides */
    DIFF_TOTAL,   /* percent of the side's samples */
    DIFF_SAMPLES, /* samples, were both sides as long as the shorter one */
    DIFF_WALL,    /* ms of CPU time per second of the trace */
    DIFF_CPU,     /* ms of CPU time per run */
    DIFF_NONE,    /* samples per run, as they are */
    DIFF_NORMALIZATIONS
};

enum diff_verdict {
    DIFF_SLOWER,
    DIFF_FASTER,
    DIFF_NEW,
    DIFF_GONE,
    DIFF_CANNOT_TELL,
    DIFF_UNCHANGED,
    DIFF_VERDICTS /* how many */
};

struct diff_options {
    enum diff_normalize normalize;
    enum rank_by by; /* functions, or what diff_groups_can */
    const char *field; /* that the values of RANK_VALUE are of */
    bool inclusive, paths;
    bool modules;    /* a diff by modules, too */
    double relevant; /* smallest relevant change, percent of the total */
    double q;
    double spread; /* by what part of itself a count is taken to vary from run
                      to run, where each side is one recording */
    const struct diff_rename *renames;
    size_t rename_count;
    unsigned threads; /* at most; 0: one per core */
    const char *half_known; /* modules with debug information in some of the
                               recordings only (diff/debug_info.h); or NULL */
};

/* Functions of a C program differ by 1 to 3 % from run to run
 * (tests/bench/verdict); samples of threads have a spread of at least 10 %. */
#define DIFF_DEFAULTS                                                          \
    ((struct diff_options){.relevant = 0.1, .q = 0.05, .spread = 0.03})

struct diff_row {
    const char *name, *module; /* of the function; a path's innermost */
    const char *label;
    uint32_t unit, function;   /* path or function; function */
    uint64_t samples[2];
    double value[2];
    double change;    /* value[1] - value[0] */
    double low, high; /* interval of the change */
    double most;      /* what the change is at most, with 95 % confidence:
                         of one side alone less than `high` */
    double p, q;
    double detectable; /* the change this row could have shown */
    uint8_t verdict;   /* enum diff_verdict */
    uint8_t rule;      /* enum diff_rule that paired its function */
    uint8_t hint;      /* enum diff_hint (diff/hints.h), and the name that it
                          is about */
    uint32_t beside;
};

/* A run that is left out (diff/odd_runs.h). */
struct diff_odd {
    const struct diff_input *input;
    double distance; /* times that of its side's other runs */
};

struct diff {
    struct diff_row *rows; /* real changes first, largest first */
    size_t len;
    size_t by_verdict[DIFF_VERDICTS];
    size_t tested; /* rows with enough samples to be tested at all */
    struct diff_side sides[2];
    double detectable[2]; /* change a function of 1 % and of 10 % of the
                             total would need to show, in the unit */
    double whole[2];      /* values of all samples together */
    /* All samples as one row, tested by itself; of shares, which always add
     * up to the same, in ms of CPU time a second, where that is known. */
    bool has_total;
    enum diff_normalize total_in;
    bool knows_time; /* what a count stands for, in all recordings */
    double count_means[2]; /* milliseconds, or what of the unit if time is not
                              known: the mean of a side's recordings */
    struct diff_row total;
    struct diff *modules;        /* NULL unless asked for */
    struct diff_options options; /* with the unit that was taken */
    size_t common; /* functions that both sides have, where these are what a
                      change is measured by, or too few to */
    bool too_few;
    struct diff_pairs *pairs;
    struct diff_paths paths;
    struct diff_groups groups;
    const struct diff_input *inputs; /* as given, without the odd runs */
    size_t input_count;
    struct diff_blocks *blocks; /* by side, of functions; NULL when counted */
    VEC(struct diff_odd) odd;
    struct diff_input *kept; /* the inputs, where any is odd; else NULL */
};

/* The inputs must outlive it, with the times of their samples. */
struct diff *diff_new(const struct diff_input *inputs, size_t count,
                      const struct diff_options *options);
void diff_free(struct diff *diff);

/* True if each side is one recording: how runs differ is not known. */
static inline bool diff_is_single(const struct diff *d)
{
    return d->sides[0].runs == 1 && d->sides[1].runs == 1;
}

static inline bool diff_is_real(const struct diff_row *row)
{
    return row->verdict < DIFF_CANNOT_TELL;
}

/* A change must exceed it to be of interest, in the unit. */
double diff_relevant(const struct diff *d);

/* True if a row may be worth a look: its change is real, or its interval
 * excludes 0 and it is one among too many. */
bool diff_is_likely(const struct diff_row *row);

const char *diff_verdict_name(enum diff_verdict verdict);

/* For people, by what is compared: "more" or "less", of "share" or "time". */
const char *diff_verdict_word(enum diff_verdict verdict);
const char *diff_measure_name(const struct diff *d);

/* The unit that both sides count: "samples", "bytes". */
const char *diff_counted(const struct diff *d);

/* True if a side's samples are of threads that may wait, so that rows of
 * functions that only do that are marked (engine/model/waits.h). */
bool diff_measures_waits(const struct diff *d);

/* The word of --normalize, and the unit of values: "%", "ms/s", ... */
const char *diff_normalize_name(enum diff_normalize normalize);
const char *diff_unit_name(const struct diff *d, enum diff_normalize normalize);

/* True if values are parts of a whole, which is always the same. */
static inline bool diff_is_share(enum diff_normalize normalize)
{
    return normalize <= DIFF_SAMPLES;
}

/* Samples of a run that make 1 of the unit; for DIFF_OTHERS still to be
 * multiplied by the run's factor. For DIFF_SAMPLES the reference
 * counts: the fewer samples a run of either side has on average. */
double diff_exposure(const struct diff_input *input,
                     enum diff_normalize normalize, double reference);
double diff_reference(const struct diff_input *inputs, size_t count);

/* Samples that make a millisecond of running time, where all samples together
 * are counted, those of waiting threads included. */
double diff_total_per_ms(const struct diff_input *input);

/* Sets knows_time and count_means. */
void diff_find_time(struct diff *d);

/* ---- verdict.c: tests, intervals and verdicts of rows whose counts are known
 * ---- */

/* Values, change and interval of a unit; names are the caller's. */
void diff_row_fill(const struct diff *d, struct diff_row *row, uint32_t unit);

/* Tests all rows and gives them verdicts. */
void diff_judge(struct diff *d);

/* All samples together, whose unit this is, as one row. */
void diff_judge_total(const struct diff *d, uint32_t unit,
                      struct diff_row *row);

#endif

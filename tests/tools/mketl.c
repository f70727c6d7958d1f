/*
 * mketl: makes ETL traces with a known answer.
 *
 *     mketl basic.script -o basic.etl --answer basic.tsv
 *     mketl --big 1000 --seed 7 -o big.etl --answer big.tsv
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/answer.h"
#include "tests/support/big_trace.h"
#include "tests/support/scenario.h"

static const char usage[] =
    "usage: mketl SCRIPT -o OUT.etl [--answer OUT.tsv] [options]\n"
    "       mketl --big MEGABYTES [--seed N] -o OUT.etl [--answer OUT.tsv]\n"
    "options: --compressed  --bits 32|64  --clock qpc|system|cycles\n"
    "         --live  --buffer BYTES\n";

struct settings {
    const char *script, *output, *answer;
    const char *bits, *clock, *buffer;
    bool compressed, live;
    unsigned long big, seed;
};

/* The option whose value is the next word, or NULL. */
static const char **text_option(struct settings *o, const char *name)
{
    if (strcmp(name, "-o") == 0)
        return &o->output;
    if (strcmp(name, "--answer") == 0)
        return &o->answer;
    if (strcmp(name, "--bits") == 0)
        return &o->bits;
    if (strcmp(name, "--clock") == 0)
        return &o->clock;
    if (strcmp(name, "--buffer") == 0)
        return &o->buffer;
    return NULL;
}

static unsigned long *number_option(struct settings *o, const char *name)
{
    if (strcmp(name, "--big") == 0)
        return &o->big;
    if (strcmp(name, "--seed") == 0)
        return &o->seed;
    return NULL;
}

static bool read_options(struct settings *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char **text = text_option(o, argv[i]);
        unsigned long *number = number_option(o, argv[i]);
        if ((text || number) && i + 1 == argc)
            return false;
        if (text)
            *text = argv[++i];
        else if (number)
            *number = strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--compressed") == 0)
            o->compressed = true;
        else if (strcmp(argv[i], "--live") == 0)
            o->live = true;
        else if (argv[i][0] == '-' || o->script)
            return false;
        else
            o->script = argv[i];
    }
    return o->output && (!o->script == (o->big > 0));
}

static int fail(const char *what, const char *detail)
{
    fprintf(stderr, "mketl: %s%s\n", what, detail);
    return 1;
}

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    long size;

    if (!f)
        return NULL;
    if (fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0) {
        rewind(f);
        text = calloc(1, (size_t)size + 1);
        if (text && fread(text, 1, (size_t)size, f) != (size_t)size) {
            free(text);
            text = NULL;
        }
    }
    fclose(f);
    return text;
}

static bool apply(const struct settings *o, struct scenario *s)
{
    if (o->compressed)
        scenario_option(s, "compressed", "on");
    if (o->live)
        scenario_option(s, "live", "on");
    return (!o->bits || scenario_option(s, "bits", o->bits)) &&
           (!o->clock || scenario_option(s, "clock", o->clock)) &&
           (!o->buffer || scenario_option(s, "buffer", o->buffer));
}

static int make_script(const struct settings *o, FILE *out,
                       struct answer *answer)
{
    const char *slash = strrchr(o->script, '/');
    char *text = read_file(o->script);
    struct scenario *s;
    int status = 0;

    if (!text)
        return fail("cannot read ", o->script);
    s = scenario_parse(text, slash ? slash + 1 : o->script);
    if (!apply(o, s))
        status = fail("bad value of --bits, --clock or --buffer", "");
    else if (!scenario_write(s, out, answer))
        status = fail(scenario_error(s), "");
    scenario_free(s);
    free(text);
    return status;
}

static int make_big(const struct settings *o, FILE *out,
                    struct answer *answer)
{
    struct big_trace b = {
        .megabytes = o->big, .seed = o->seed,
        .compressed = o->compressed, .live = o->live
    };

    if (!big_trace_write(&b, out, answer))
        return fail("cannot write ", o->output);
    return 0;
}

static int write_answer(const struct settings *o, const struct answer *answer)
{
    FILE *f = fopen(o->answer, "wb");
    bool ok = f && answer_write(answer, f);

    if (f && fclose(f) != 0)
        ok = false;
    return ok ? 0 : fail("cannot write ", o->answer);
}

int main(int argc, char **argv)
{
    struct settings o = { .seed = 1 };
    struct answer *answer;
    FILE *out;
    int status;

    if (!read_options(&o, argc, argv)) {
        fputs(usage, stderr);
        return 64;
    }
    out = fopen(o.output, "wb+");
    if (!out)
        return fail("cannot write ", o.output);
    answer = answer_new();
    status = o.big ? make_big(&o, out, answer)
                   : make_script(&o, out, answer);
    if (fclose(out) != 0 && status == 0)
        status = fail("cannot write ", o.output);
    if (status == 0 && o.answer)
        status = write_answer(&o, answer);
    answer_free(answer);
    return status;
}

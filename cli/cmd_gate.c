#include "cli/command.h"
#include "cli/compare.h"
#include "cli/output.h"
#include "cli/say.h"
#include "cli/values.h"
#include "report/gate.h"

/* gate: whether AFTER keeps within limits. */

typedef void write_gate(const struct gate *gate, const struct diff *d,
                        struct out *out);

static enum status write_file(const char *path, write_gate *write,
                              const struct gate *gate, const struct diff *d)
{
    struct err err = {0};
    struct output *output;

    if (!path)
        return STATUS_OK;
    output = output_open(path, &err);
    if (output) {
        write(gate, d, output_out(output));
        output_close(output, &err);
    }
    if (err.code)
        say("%s", err.message);
    return status_of_output(err.code);
}

static enum status print_gate(const struct gate *gate, const struct diff *d,
                              const struct options *o)
{
    struct err err = {0};
    struct output *output = output_open(o->output, &err);

    if (output) {
        gate_report(gate, d, o->report.format, output_out(output));
        output_close(output, &err);
    }
    if (err.code)
        say("%s", err.message);
    return status_of_output(err.code);
}

static enum status status_of(enum gate_outcome outcome)
{
    if (outcome == GATE_PASS)
        return STATUS_OK;
    return outcome == GATE_FAIL ? STATUS_GATE_FAILED
                                : STATUS_GATE_INCONCLUSIVE;
}

static enum status judge(const struct compared *c, const struct options *o,
                         const struct gate_rules *rules)
{
    struct diff *d = diff_new(c->inputs, c->count, &c->options);
    struct gate *gate = gate_new(d, rules);
    enum status status = print_gate(gate, d, o);

    if (!status)
        status = write_file(o->diff.junit, gate_junit, gate, d);
    if (!status)
        status = write_file(o->diff.sarif, gate_sarif, gate, d);
    if (!status)
        status = status_of(gate->outcome);
    gate_free(gate);
    diff_free(d);
    return status;
}

static enum status check_rules(const struct options *o,
                               const struct gate_rules *rules)
{
    enum diff_normalize unit = o->diff.options.normalize;

    if (rules->has_total && (unit == DIFF_TOTAL || unit == DIFF_SAMPLES)) {
        say("a limit for the total needs --normalize wall, cpu or none: "
            "shares always add up to the same");
        return STATUS_USAGE;
    }
    if (rules->has_max || rules->has_total || rules->limits.len ||
        rules->required.len)
        return STATUS_OK;
    say("gate needs a limit: --max-regression 5%%, --max-total 5%%, "
        "--function GLOB --max 5%%, --require GLOB or --budgets FILE");
    return STATUS_USAGE;
}

/* Rules of the command line come first: they win over those in a file. */
static enum status read_rules(const struct options *o,
                              struct gate_rules *rules)
{
    const struct gate_rules *given = &o->diff.rules;
    struct err err = {0};

    for (size_t i = 0; i < given->limits.len; i++)
        *vec_add(&rules->limits) = given->limits.data[i];
    for (size_t i = 0; i < given->required.len; i++)
        *vec_add(&rules->required) = given->required.data[i];
    if (o->diff.budgets &&
        gate_read(rules, o->diff.budgets, parse_percent, &err)) {
        say("%s", err.message);
        return status_of_input(err.code);
    }
    if (given->has_max)
        rules->max = given->max, rules->has_max = true;
    if (given->has_total)
        rules->max_total = given->max_total, rules->has_total = true;
    return check_rules(o, rules);
}

/* A limit of 5 % of a function that has 0.3 % of the samples is noise. */
static const double gate_relevant = 0.5;

enum status cmd_gate(const struct command *command, const struct options *o,
                     const char *const *files, size_t count)
{
    struct gate_rules rules = {0};
    enum status status = read_rules(o, &rules), judged;
    struct compared c;

    (void)command;
    if (!status && compare_load(&c, o, files, count, &status)) {
        if (!o->diff.has_relevant)
            c.options.relevant = gate_relevant;
        judged = judge(&c, o, &rules);
        compare_release(&c);
        status = status ? status : judged;
    }
    gate_rules_release(&rules);
    return status;
}

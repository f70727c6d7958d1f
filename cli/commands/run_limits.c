#include "cli/command.h"
#include "cli/commands/compare.h"
#include "cli/terminal/print_report.h"
#include "cli/terminal/say.h"
#include "report/diff/gate.h"

/* Reports about whether AFTER keeps within limits: gate. */

static enum status status_of(enum gate_outcome outcome, const struct options *o)
{
    if (outcome == GATE_INCONCLUSIVE)
        outcome = (enum gate_outcome)o->diff.inconclusive;
    if (outcome == GATE_PASS)
        return STATUS_OK;
    return outcome == GATE_FAIL ? STATUS_GATE_FAILED
                                : STATUS_GATE_INCONCLUSIVE;
}

static enum status judge(const struct command *command,
                         const struct compared *c, const struct options *o)
{
    struct diff *d = diff_new(c->inputs, c->count, &c->options);
    struct gate *gate = gate_new(d, &o->diff.rules);
    struct subject subject = {.options = &o->report,
                              .inputs = c->inputs,
                              .input_count = c->count,
                              .diff = d,
                              .gate = gate};
    enum status status = print_report(command->report, &subject, o);

    if (!status && o->diff.junit)
        status = print_to(o->diff.junit, gate_junit, &subject);
    if (!status && o->diff.sarif)
        status = print_to(o->diff.sarif, gate_sarif, &subject);
    if (!status)
        status = status_of(gate->outcome, o);
    gate_free(gate);
    diff_free(d);
    return status;
}

static enum status check_rules(const struct options *o)
{
    const struct gate_rules *rules = &o->diff.rules;

    if (rules->has_total && diff_is_share(o->diff.options.normalize)) {
        say("a limit for the total needs --normalize wall, cpu or none: "
            "shares always add up to the same");
        return STATUS_USAGE;
    }
    if (rules->has_max || rules->has_total || rules->limits.len ||
        rules->required.len)
        return STATUS_OK;
    say("gate needs a limit: --max-regression 5%%, --max-regression GLOB=5%%, "
        "--max-total 5%% or --require GLOB");
    return STATUS_USAGE;
}

/* A limit of 5 % of a function that has 0.3 % of the samples is noise. */
static const double gate_relevant = 0.5;

enum status run_on_limits(const struct command *command,
                          const struct options *o, const char *const *files,
                          size_t count)
{
    enum status status = check_rules(o), judged;
    struct compared c;

    if (!status && compare_load(&c, o, files, count, &status)) {
        if (!o->diff.has_relevant)
            c.options.relevant = gate_relevant;
        judged = judge(command, &c, o);
        compare_release(&c);
        status = status ? status : judged;
    }
    return status;
}

/* What top says below its rows. */
#include "report/report.h"

#include "engine/analysis/waiting.h"
#include "engine/base/text.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

/* So many methods that wait, the first most; and two that run. */
static struct profile *waiting_profile(unsigned waits)
{
    static const char *const names[] = {
        "[jit]!System.Threading.Thread.Sleep",
        "[jit]!System.Threading.Monitor.Wait",
        "[jit]!System.Threading.Condition.Wait",
        "[jit]!System.Threading.CountdownEvent.Wait",
        "[jit]!System.Threading.Barrier.SignalAndWait",
    };
    struct builder *b = builder_new("app.nettrace");
    uint32_t t = builder_thread(b, 10, "app", 11);
    struct profile *p = builder_profile(b);

    profile_set_metric(p, METRIC_THREAD_SAMPLES);
    p->trace.interval_ns = 0;
    for (unsigned i = 0; i < waits; i++)
        builder_samples(b, t, 10 - i, names[i]);
    builder_samples(b, t, 4, "[jit]!Work");
    builder_samples(b, t, 2, "[jit]!Rest");
    return builder_finish(b);
}

static void assert_below(unsigned waits, struct report_options options,
                         const char *wanted)
{
    struct profile *p = waiting_profile(waits);
    struct selection *sel;
    struct subject subject = {.options = &options, .p = p};
    struct out *out = out_memory();

    waiting_mark(p);
    options.filter.waits = options.waits ? WAITS_COUNTED : WAITS_LEFT_OUT;
    subject.sel = sel = selection_new(p, &options.filter);
    top_report.write[options.format](&subject, out);
    ck_assert_msg(text_ends(out_text(out, NULL), wanted), "%s",
                  out_text(out, NULL));
    out_close(out, NULL);
    selection_free(sel);
    profile_free(p);
}

TEST(what_waits_is_named)
{
    assert_below(0, (struct report_options){.rows = 30},
                 "function\n"
                 "        4  66.7          4  66.7  [jit]   Work\n"
                 "        2  33.3          2  33.3  [jit]   Rest\n");
    assert_below(4, (struct report_options){.rows = 30},
                 "function\n"
                 "        4  66.7          4  66.7  [jit]   Work\n"
                 "        2  33.3          2  33.3  [jit]   Rest\n"
                 "\n"
                 "85.0 % of samples are waiting: System.Threading.Thread.Sleep 25.0 %, Syst"
                 "em.Threading.Monitor.Wait 22.5 %, System.Threading.Condi"
                 "tion.Wait 20.0 % and 1 more (--waits counts them)\n");
    assert_below(5, (struct report_options){.rows = 1, .width = 60},
                 "function\n"
                 "        4  66.7          4  66.7  [jit]   Work\n"
                 "\n"
                 "87.0 % of samples are waiting:\n"
                 "  System.Threading.Thread.Sleep 21.7 %,\n"
                 "  System.Threading.Monitor.Wait 19.6 %,\n"
                 "  System.Threading.Condition.Wait 17.4 %\n"
                 "  and 2 more (--waits counts them)\n"
                 "\n"
                 "1 more row, 33.3 % of samples (-n 0 shows all)\n");
    assert_below(5, (struct report_options){.rows = 30, .waits = true},
                 "function\n"
                 "       10  21.7         10  21.7  yes    [jit]   Syste"
                 "m.Threading.Thread.Sleep\n"
                 "        9  19.6          9  19.6  yes    [jit]   Syste"
                 "m.Threading.Monitor.Wait\n"
                 "        8  17.4          8  17.4  yes    [jit]   Syste"
                 "m.Threading.Condition.Wait\n"
                 "        7  15.2          7  15.2  yes    [jit]   Syste"
                 "m.Threading.CountdownEvent.Wait\n"
                 "        6  13.0          6  13.0  yes    [jit]   Syste"
                 "m.Threading.Barrier.SignalAndWait\n"
                 "        4   8.7          4   8.7         [jit]   Work\n"
                 "        2   4.3          2   4.3         [jit]   Rest\n");
}

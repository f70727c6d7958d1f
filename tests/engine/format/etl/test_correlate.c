/* Which parts of stacks belong to which sample: facts of a log as texts
 * (tests/support/script_tests.h), and the samples they become. The clock has
 * 10 MHz; pointers have 8 bytes. */
#include "engine/format/etl/etl.h"
#include "tests/support/observed.h"
#include "tests/support/script_tests.h"
#include "tests/support/suite.h"

enum { PID = 40, TID = 41 };

static struct observed o;
static struct etl_file file;
static struct etl_recording recording;
static struct etl_correlator *correlator;
static struct map numbers; /* of runs, as ahead.c gives them */

static void begin(void)
{
    observed_begin(&o);
    file = (struct etl_file){.frequency = 10000000};
    recording = (struct etl_recording){
        .files = &file, .file_count = 1, .seen = o.seen};
    correlator = etl_correlator_new(&recording);
    numbers = (struct map){0};
}

static void end(void)
{
    map_release(&numbers);
    observed_end(&o);
}

/* Gives a fact these frames, as bytes that last as long as the test; they are
 * returned to a test that changes them. */
static uint8_t *give_frames(struct etl_fact *fact, struct addresses run)
{
    uint8_t *bytes = arena_new(&o.names, uint8_t, 8 * (size_t)run.count);
    struct callchain chain = {bytes, run.count, 8, NULL};
    struct callchain_print print;

    for (uint32_t i = 0; i < 8 * run.count; i++)
        bytes[i] = (uint8_t)(run.list[i / 8] >> 8 * (i % 8));
    fact->bytes = bytes;
    fact->count = run.count;
    fact->wide = true;
    print = callchain_fingerprint(&chain);
    fact->run =
        map_add(&numbers, print.hash, print.check, (uint32_t)numbers.used);
    return bytes;
}

static void take(struct etl_fact fact, struct addresses run)
{
    if (run.count)
        give_frames(&fact, run);
    etl_correlate(correlator, &fact, 1, true);
}

/* A fact with the options cpu=, tid= and pid= of its line. */
static struct etl_fact fact_of(struct script *s, uint8_t kind)
{
    struct etl_fact fact = {.kind = kind, .tid = TID, .pid = PID};

    fact.time = script_number(s);
    fact.cpu = (uint16_t)script_option_number(s, "cpu");
    if (script_option(s, "tid"))
        fact.tid = (uint32_t)script_option_number(s, "tid");
    if (script_option(s, "pid"))
        fact.pid = (uint32_t)script_option_number(s, "pid");
    return fact;
}

/* sample TIME ADDRESS [cpu= tid=] [bits=] */
static void sample(struct script *s)
{
    struct etl_fact fact = fact_of(s, ETL_SAMPLE);

    fact.pid = 0;
    fact.value = script_number(s);
    fact.bits = (uint8_t)script_option_number(s, "bits") & 31u;
    take(fact, NO_RUN);
}

static void part(struct script *s, bool user)
{
    uint64_t list[20];
    struct etl_fact fact = fact_of(s, ETL_PART);

    fact.value = script_number(s);
    fact.user = user;
    take(fact, script_run(s, list));
}

/* user TIME STAMP RUN [cpu= tid= pid=]: a part of the stack of the event at
 * STAMP */
static void user(struct script *s)
{
    part(s, true);
}

static void kernel(struct script *s)
{
    part(s, false);
}

static bool is_user(struct script *s)
{
    static const char *const words[] = {"kernel", "user", NULL};

    return script_choice(s, words);
}

/* keyed TIME STAMP user|kernel KEY: the same by key */
static void keyed(struct script *s)
{
    struct etl_fact fact = fact_of(s, ETL_KEYED_PART);

    fact.value = script_number(s);
    fact.user = is_user(s);
    fact.key = script_number(s);
    take(fact, NO_RUN);
}

/* define TIME KEY user|kernel RUN */
static void define(struct script *s)
{
    uint64_t list[20];
    struct etl_fact fact = {.kind = ETL_DEFINITION, .time = script_number(s)};

    fact.value = script_number(s);
    fact.user = is_user(s);
    take(fact, script_run(s, list));
}

/* unowned TIME WEIGHT [cpu=]: an event whose thread its stack is to tell */
static void unowned(struct script *s)
{
    struct etl_fact fact = fact_of(s, ETL_SAMPLE);

    fact.tid = fact.pid = 0;
    fact.weight = (uint32_t)script_number(s);
    fact.bits = ETL_BIT_NO_ADDRESS | ETL_BIT_NO_THREAD;
    take(fact, NO_RUN);
}

/* event TIME: one of thread 41 that says its process, which is 45 */
static void event(struct script *s)
{
    struct etl_fact fact = fact_of(s, ETL_SAMPLE);

    fact.pid = PID + 5;
    fact.bits = ETL_BIT_NO_ADDRESS | ETL_BIT_PROCESS;
    take(fact, NO_RUN);
}

/* walk TIME RUN [tid=]: a stack that the .NET runtime walked itself; without
 * a run the event that it would belong to */
static void walk(struct script *s)
{
    uint64_t list[20];
    struct etl_fact fact = fact_of(s, ETL_CLR_STACK);
    struct addresses run = script_run(s, list);

    fact.pid = 0;
    fact.user = true;
    if (!run.count)
        fact.kind = ETL_CLR_EVENT;
    take(fact, run);
}

static void finish(struct script *s)
{
    (void)s;
    etl_correlator_finish(correlator);
}

/* parts SAMPLE = what sample_parts tells */
static void parts(struct script *s)
{
    script_tell(s, "%s", sample_parts(&o, script_number(s)));
}

/* owner SAMPLE = TID */
static void owner(struct script *s)
{
    uint32_t key = o.seen->samples.thread[script_number(s)];

    script_tell(s, "%d", (int)o.seen->thread_keys.data[key].tid);
}

/* flags SAMPLE = the number of its flags */
static void flags(struct script *s)
{
    uint32_t bits = sample_flags_of(&o, script_number(s));

    script_tell(s, "%s%s%s", bits & SAMPLE_IDLE ? "idle" : "",
                bits & SAMPLE_DPC ? "dpc" : "", bits & SAMPLE_ISR ? "isr" : "");
}

/* sampled SAMPLE = TIME CPU WEIGHT */
static void sampled(struct script *s)
{
    const struct samples *samples = &o.seen->samples;
    uint64_t i = script_number(s);

    script_tell_time(s, samples->time[i]);
    script_tell(s, " cpu %u weight ", samples->cpu[i]);
    if (samples->weight)
        script_tell_time(s, (int64_t)samples->weight[i]);
    else
        script_tell(s, "none");
}

static void count(struct script *s)
{
    script_tell(s, "%zu", sample_count(&o));
}

static void undefined(struct script *s)
{
    script_tell_time(s, (int64_t)o.p->quality.undefined_keys);
}

static const struct script_command commands[] = {
    {"sample", sample}, {"user", user},       {"kernel", kernel},
    {"keyed", keyed},   {"define", define},   {"unowned", unowned},
    {"event", event},   {"walk", walk},       {"finish", finish},
    {"parts", parts},   {"owner", owner},     {"flags", flags},
    {"count", count},   {"sampled", sampled}, {"undefined", undefined},
};

TEST(scripts)
{
    script_tests("tests/engine/format/etl/correlate.script", commands,
                 COUNT(commands), begin, end);
}

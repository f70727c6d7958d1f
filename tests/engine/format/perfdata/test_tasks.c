/* Processes, threads and the start of a recording of perf: recordings as texts
 * (tests/support/script_tests.h). */
#include "tests/support/perfdata_read.h"
#include "tests/support/script_tests.h"
#include "tests/support/suite.h"

static struct perfdata_writer w;
static struct profile *p; /* NULL until it is asked about */
static unsigned order;    /* of bytes */

static void begin_as(unsigned how)
{
    perfdata_begin(&w, how | order);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    p = NULL;
}

static void begin(void)
{
    begin_as(0);
}

static const struct profile *profile(void)
{
    if (!p)
        p = read_written(&w);
    return p;
}

static void end(void)
{
    profile_free(p);
}

/* ---- records ---- */

/* ways WORD...: how it is written */
static void ways(struct script *s)
{
    unsigned how = script_option(s, "untimed") ? PERFDATA_UNTIMED : 0;

    how |= script_option(s, "old") ? PERFDATA_OLD : 0;
    how |= script_option(s, "packed") ? PERFDATA_PACKED : 0;
    how |= script_option(s, "pipe") ? PERFDATA_PIPE : 0;
    perfdata_free(&w);
    begin_as(how);
}

static uint32_t id(struct script *s)
{
    return (uint32_t)script_number(s);
}

/* comm TIME PID TID NAME [exec] */
static void comm(struct script *s)
{
    uint64_t time = script_number(s);
    uint32_t pid = id(s), tid = id(s);

    perfdata_comm(&w, time, pid, tid, script_word(s), script_option(s, "exec"));
}

/* fork TIME PID TID PARENT_PID PARENT_TID */
static void fork_task(struct script *s)
{
    uint64_t time = script_number(s);
    uint32_t pid = id(s), tid = id(s), parent = id(s);

    perfdata_fork(&w, time, pid, tid, parent, id(s));
}

/* exit TIME PID TID */
static void exit_task(struct script *s)
{
    uint64_t time = script_number(s);
    uint32_t pid = id(s);

    perfdata_exit(&w, time, pid, id(s));
}

/* mmap TIME PID BASE SIZE PATH */
static void map_file(struct script *s)
{
    uint64_t time = script_number(s);
    uint32_t pid = id(s);
    uint64_t base = script_number(s), size = script_number(s);

    perfdata_mmap(&w, time, pid, base, size, 0, script_word(s));
}

/* symbol TIME BASE SIZE NAME: of the kernel */
static void symbol(struct script *s)
{
    uint64_t time = script_number(s), base = script_number(s);
    uint32_t size = id(s);

    perfdata_kernel_symbol(&w, time, base, size, script_word(s), false);
}

/* lost TIME COUNT */
static void lost(struct script *s)
{
    uint64_t time = script_number(s);

    perfdata_lost(&w, time, script_number(s));
}

/* unknown TYPE: a record that ends with what is no time */
static void unknown(struct script *s)
{
    perfdata_put(&w, &w.records, script_number(s), 4);
    perfdata_put(&w, &w.records, 0, 2);
    perfdata_put(&w, &w.records, 8 + 40, 2);
    for (int i = 0; i < 5; i++)
        perfdata_put(&w, &w.records, UINT64_MAX / 2, 8);
}

/* sample TIME PID TID ADDRESS */
static void sample(struct script *s)
{
    struct perfdata_sample fact = {.time = script_number(s), .mode = 2};

    fact.pid = id(s);
    fact.tid = id(s);
    fact.ip = script_number(s);
    perfdata_sample(&w, &fact);
}

/* ---- questions ---- */

static const char *text_of(uint32_t string)
{
    return strings_get(p->strings, string);
}

static void tell_time(struct script *s, int64_t time)
{
    if (time == TIME_MIN || time == TIME_MAX)
        script_tell(s, "-");
    else
        script_tell(s, "%lld", (long long)time);
}

/* tasks = PID NAME START to END: TID=NAME ... | ... */
static void tasks(struct script *s)
{
    profile();
    for (uint32_t i = 0; i < p->processes.len; i++) {
        const struct process *process = &p->processes.data[i];

        script_tell(s, "%s%u %s ", i ? " | " : "", process->pid,
                    text_of(process->name));
        tell_time(s, process->start);
        script_tell(s, " to ");
        tell_time(s, process->end);
        script_tell(s, ":");
        for (size_t k = 0; k < p->threads.len; k++)
            if (p->threads.data[k].process == i)
                script_tell(s, " %u=%s", p->threads.data[k].tid,
                            text_of(p->threads.data[k].name));
    }
}

/* names = PROCESS[/THREAD], ... of each sample, in order of time */
static void names(struct script *s)
{
    profile();
    for (size_t i = 0; i < p->samples.len; i++) {
        const struct thread *t = &p->threads.data[p->samples.thread[i]];
        uint32_t process = p->processes.data[t->process].name;

        script_tell(s, "%s%s", i ? ", " : "", text_of(process));
        if (t->name != process)
            script_tell(s, "/%s", text_of(t->name));
    }
}

/* stack SAMPLE = INNER < OUTER */
static void stack(struct script *s)
{
    char text[1000];

    stack_text(profile(), script_number(s), text);
    script_tell(s, "%s", text);
}

static void duration(struct script *s)
{
    script_tell(s, "%lld", (long long)profile()->trace.duration_ns);
}

/* time SAMPLE */
static void time_of(struct script *s)
{
    tell_time(s, profile()->samples.time[script_number(s)]);
}

/* No mapping has a time: tells those that do. */
static void untimed_mappings(struct script *s)
{
    for (size_t i = 0; i < profile()->mappings.len; i++)
        if (p->mappings.data[i].from != TIME_MIN)
            script_tell(s, "%zu ", i);
}

static const struct script_command commands[] = {
    {"ways", ways},
    {"comm", comm},
    {"fork", fork_task},
    {"exit", exit_task},
    {"mmap", map_file},
    {"symbol", symbol},
    {"lost", lost},
    {"unknown", unknown},
    {"sample", sample},
    {"tasks", tasks},
    {"names", names},
    {"stack", stack},
    {"duration", duration},
    {"time", time_of},
    {"untimed_mappings", untimed_mappings},
};

TEST_LOOP(scripts, 2)
{
    order = _i ? PERFDATA_BIG : 0;
    script_tests("tests/engine/format/perfdata/tasks.script", commands,
                 COUNT(commands), begin, end);
}

/* What happened to processes and threads of a recording of perf. */
#include "tests/support/perfdata_read.h"
#include "tests/support/suite.h"

static struct perfdata_writer w;

static void begin(int big)
{
    perfdata_begin(&w, big ? PERFDATA_BIG : 0);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
}

static void sample(uint64_t time, uint32_t pid, uint32_t tid, uint64_t address)
{
    perfdata_sample(
        &w,
        &(struct perfdata_sample){
            .time = time, .ip = address, .pid = pid, .tid = tid, .mode = 2});
}

/* "PID NAME from START to END: TID=NAME START-END ..." of each process; "-"
 * is a time that is not known. */
static void add_time(char *text, size_t size, int64_t time)
{
    size_t n = strlen(text);

    if (time == TIME_MIN || time == TIME_MAX)
        snprintf(text + n, size - n, "-");
    else
        snprintf(text + n, size - n, "%lld", (long long)time);
}

static void add(char *text, size_t size, const char *more)
{
    size_t n = strlen(text);

    snprintf(text + n, size - n, "%s", more);
}

static void check_tasks_of(struct profile *p, const char *expected)
{
    char text[2000] = "", number[40];

    for (uint32_t i = 0; i < p->processes.len; i++) {
        const struct process *process = &p->processes.data[i];

        snprintf(number, sizeof(number), "%u ", process->pid);
        add(text, sizeof(text), number);
        add(text, sizeof(text), strings_get(p->strings, process->name));
        add(text, sizeof(text), " ");
        add_time(text, sizeof(text), process->start);
        add(text, sizeof(text), " to ");
        add_time(text, sizeof(text), process->end);
        add(text, sizeof(text), ":");
        for (size_t k = 0; k < p->threads.len; k++) {
            const struct thread *t = &p->threads.data[k];

            if (t->process != i)
                continue;
            snprintf(number, sizeof(number), " %u=", t->tid);
            add(text, sizeof(text), number);
            add(text, sizeof(text), strings_get(p->strings, t->name));
        }
        add(text, sizeof(text), "\n");
    }
    ck_assert_str_eq(text, expected);
    profile_free(p);
}

static void check_tasks(const char *expected)
{
    check_tasks_of(read_written(&w), expected);
}

/* Listed at the start, with times of 0; then born, named, replaced, gone. */
TEST_LOOP(processes, 2)
{
    begin(_i);
    perfdata_comm(&w, 0, 40, 40, "shop", false);
    perfdata_comm(&w, 0, 40, 41, "worker", false);
    perfdata_fork(&w, 110, 50, 50, 40, 41);
    perfdata_fork(&w, 115, 50, 51, 50, 50);
    perfdata_comm(&w, 120, 50, 50, "cat", true);
    perfdata_comm(&w, 130, 50, 51, "reader", false);
    perfdata_exit(&w, 140, 50, 51);
    perfdata_exit(&w, 150, 50, 50);
    perfdata_fork(&w, 160, 40, 42, 40, 40);
    sample(100, 40, 40, 0x1000);
    sample(125, 50, 50, 0x1000);
    sample(126, 50, 51, 0x1000);
    sample(170, 40, 42, 0x1000);
    check_tasks("40 shop - to -: 40=shop 41=worker 42=shop\n"
                "50 cat 10 to 50: 50=cat 51=reader 51=worker\n");
}

/* A process id that is used again is another process. */
TEST_LOOP(a_pid_used_again, 2)
{
    begin(_i);
    perfdata_comm(&w, 0, 40, 40, "shop", false);
    perfdata_fork(&w, 110, 50, 50, 40, 40);
    perfdata_comm(&w, 111, 50, 50, "first", true);
    perfdata_mmap(&w, 112, 50, 0x1000, 0x1000, 0, "/bin/first");
    perfdata_exit(&w, 120, 50, 50);
    perfdata_fork(&w, 130, 50, 50, 40, 40);
    perfdata_comm(&w, 131, 50, 50, "second", true);
    perfdata_mmap(&w, 132, 50, 0x1000, 0x1000, 0, "/bin/second");
    sample(100, 40, 40, 0x1000);
    sample(115, 50, 50, 0x1010);
    sample(135, 50, 50, 0x1010);
    check_tasks("40 shop - to -: 40=shop\n"
                "50 first 10 to 20: 50=first\n"
                "50 second 30 to -: 50=second\n");
}

/* Listed with its parent, and its beginning recorded, too: it is one. */
TEST_LOOP(listed_while_it_begins, 2)
{
    struct profile *p;

    begin(_i);
    perfdata_comm(&w, 0, 40, 40, "shop", false);
    perfdata_fork(&w, 0, 50, 50, 40, 40);
    perfdata_comm(&w, 0, 50, 50, "child", false);
    perfdata_mmap(&w, 0, 50, 0x1000, 0x1000, 0, "/bin/child");
    perfdata_fork(&w, 110, 50, 50, 40, 40);
    sample(100, 40, 40, 0x1000);
    sample(120, 50, 50, 0x1010);
    p = read_written(&w);
    ck_assert_uint_eq(p->processes.len, 2);
    ck_assert_str_eq(strings_get(p->strings, p->processes.data[1].name),
                     "child");
    assert_stack(p, 1, "child!+0x10");
    ck_assert_uint_eq(p->threads.len, 2);
    profile_free(p);
}

/* So is each of its threads, until it ends. */
TEST_LOOP(threads_listed_while_they_begin, 2)
{
    begin(_i);
    perfdata_comm(&w, 0, 40, 40, "shop", false);
    perfdata_fork(&w, 0, 50, 50, 40, 40);
    perfdata_fork(&w, 0, 50, 51, 50, 50);
    perfdata_comm(&w, 0, 50, 50, "child", false);
    perfdata_comm(&w, 0, 50, 51, "worker", false);
    perfdata_fork(&w, 110, 50, 50, 40, 40);
    perfdata_fork(&w, 111, 50, 51, 50, 50);
    perfdata_comm(&w, 112, 50, 51, "worker", false);
    sample(120, 50, 50, 0x1010);
    sample(121, 50, 51, 0x1010);
    perfdata_exit(&w, 130, 50, 51);
    perfdata_fork(&w, 140, 50, 51, 50, 50);
    sample(150, 50, 51, 0x1010);
    check_tasks("40 shop - to -: 40=shop\n"
                "50 child - to -: 50=child 51=worker 51=child\n");
}

/* The name of each sample's process and thread, in order of time. */
static void check_names(const char *expected)
{
    struct profile *p = read_written(&w);
    char text[1000] = "";

    for (size_t i = 0; i < p->samples.len; i++) {
        const struct thread *t = &p->threads.data[p->samples.thread[i]];
        uint32_t process = p->processes.data[t->process].name;

        add(text, sizeof(text), i ? ", " : "");
        add(text, sizeof(text), strings_get(p->strings, process));
        if (t->name != process) {
            add(text, sizeof(text), "/");
            add(text, sizeof(text), strings_get(p->strings, t->name));
        }
    }
    ck_assert_str_eq(text, expected);
    profile_free(p);
}

/* Samples count for the name that their process had; recorders tell an exec
 * or do not. A thread that changes its name changes no other's. */
TEST_LOOP(names_change, 2)
{
    begin(0);
    perfdata_comm(&w, 0, 40, 40, "sh", false);
    sample(100, 40, 40, 0x1000);
    perfdata_comm(&w, 110, 40, 40, "ls", _i);
    sample(120, 40, 40, 0x1000);
    sample(121, 40, 41, 0x1000);
    perfdata_comm(&w, 130, 40, 41, "writer", false);
    sample(140, 40, 41, 0x1000);
    sample(141, 40, 40, 0x1000);
    perfdata_comm(&w, 150, 40, 40, "sh", _i);
    sample(160, 40, 40, 0x1000);
    check_names("sh, ls, ls/writer, ls/writer, ls, sh");
}

/* A child is called as its parent's thread until it has a name of its own,
 * whatever its records stand behind. */
TEST_LOOP(children_get_names, 2)
{
    begin(_i);
    perfdata_comm(&w, 130, 51, 51, "mail", false);
    perfdata_comm(&w, 0, 50, 50, "zygote", false);
    perfdata_fork(&w, 110, 51, 51, 50, 50);
    perfdata_fork(&w, 110, 52, 52, 50, 50);
    perfdata_comm(&w, 110, 52, 52, "maps", false);
    sample(100, 50, 50, 0x1000);
    sample(120, 51, 51, 0x1000);
    sample(121, 52, 52, 0x1000);
    sample(140, 51, 51, 0x1000);
    sample(150, 53, 53, 0x1000);
    perfdata_comm(&w, 160, 53, 53, "late", false);
    check_names("zygote, zygote, maps, mail, late");
}

/* Several events may each record the same end and the same beginning. */
TEST_LOOP(told_twice, 2)
{
    struct profile *p;

    begin(_i);
    perfdata_comm(&w, 0, 40, 40, "shop", false);
    perfdata_mmap(&w, 0, 40, 0x1000, 0x1000, 0, "/bin/shop");
    perfdata_fork(&w, 110, 50, 50, 40, 40);
    sample(111, 50, 50, 0x1010);
    perfdata_fork(&w, 112, 50, 50, 40, 40);
    sample(120, 50, 50, 0x1010);
    perfdata_exit(&w, 130, 50, 50);
    perfdata_exit(&w, 131, 50, 50);
    sample(132, 50, 50, 0x1010);
    perfdata_exit(&w, 140, 40, 40);
    perfdata_exit(&w, 140, 40, 40);
    sample(141, 40, 40, 0x1010);
    p = read_written(&w);
    for (size_t i = 0; i < p->samples.len; i++)
        assert_stack(p, i, "shop!+0x10");
    check_tasks_of(p, "40 shop - to 30: 40=shop\n"
                      "50 shop 0 to 21: 50=shop\n");
}

/* The memory of a process stays when its name changes. */
TEST_LOOP(memory_stays, 2)
{
    struct profile *p;

    begin(_i);
    perfdata_comm(&w, 0, 40, 40, "java", false);
    perfdata_mmap(&w, 0, 40, 0x1000, 0x1000, 0, "/bin/java");
    sample(100, 40, 40, 0x1010);
    perfdata_comm(&w, 110, 40, 40, "server", false);
    sample(120, 40, 40, 0x1010);
    perfdata_mmap(&w, 130, 40, 0x3000, 0x1000, 0, "/lib/late.so");
    sample(140, 40, 40, 0x3010);
    p = read_written(&w);
    assert_stack(p, 0, "java!+0x10");
    assert_stack(p, 1, "java!+0x10");
    assert_stack(p, 2, "late.so!+0x10");
    profile_free(p);
}

/* Without times what happens has the order of the file, which nobody takes for
 * times: records of FORK and EXIT have some. */
TEST_LOOP(order_of_the_file, 4)
{
    static const unsigned ways[] = {0, PERFDATA_BIG, PERFDATA_PACKED,
                                    PERFDATA_PIPE};
    struct profile *p;

    for (int told = 0; told < 2; told++) {
        perfdata_begin(&w, ways[_i] | PERFDATA_UNTIMED);
        perfdata_event(&w, 1, 0, 1000, "cpu-clock");
        perfdata_comm(&w, 0, 40, 40, "sh", false);
        perfdata_mmap(&w, 0, 40, 0x1000, 0x1000, 0, "/bin/sh");
        sample(0, 40, 40, 0x1010);
        perfdata_fork(&w, 7000, 50, 50, 40, 40);
        sample(0, 50, 50, 0x1010);
        perfdata_comm(&w, 0, 50, 50, "ls", true);
        perfdata_mmap(&w, 0, 50, 0x1000, 0x1000, 0, "/bin/ls");
        sample(0, 50, 50, 0x1010);
        perfdata_exit(&w, 9000, 50, 50);
        if (!told) {
            check_names("sh, sh, ls");
            continue;
        }
        p = read_written(&w);
        assert_stack(p, 0, "sh!+0x10");
        assert_stack(p, 1, "sh!+0x10");
        assert_stack(p, 2, "ls!+0x10");
        ck_assert_int_eq(p->trace.duration_ns, 0);
        ck_assert_int_eq(p->samples.time[2], 0);
        for (size_t i = 0; i < p->mappings.len; i++)
            ck_assert_int_eq(p->mappings.data[i].from, TIME_MIN);
        check_tasks_of(p, "40 sh - to -: 40=sh\n"
                          "50 ls - to -: 50=ls\n"
                          "50 sh - to -: 50=sh\n");
    }
}

TEST(no_samples_and_no_times)
{
    perfdata_begin(&w, PERFDATA_UNTIMED);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_comm(&w, 0, 40, 40, "sh", false);
    check_tasks("40 sh - to -: 40=sh\n");
}

/* Recorders before 2011 tell the time of FORK and EXIT alone: the other
 * records happened behind these. */
TEST_LOOP(old_recorders, 2)
{
    perfdata_begin(&w, PERFDATA_OLD | (_i ? PERFDATA_BIG : 0));
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_comm(&w, 0, 40, 40, "sh", false);
    sample(100, 40, 40, 0x1010);
    perfdata_fork(&w, 110, 50, 50, 40, 40);
    perfdata_comm(&w, 0, 50, 50, "ls", true);
    sample(120, 50, 50, 0x1010);
    perfdata_exit(&w, 130, 50, 50);
    check_names("sh, ls");
}

/* Nobody told of it: what it is called is not known. The idle one is. */
TEST_LOOP(what_nobody_told, 2)
{
    begin(_i);
    sample(100, 60, 61, 0x1000);
    sample(101, 0, 0, 0x1000);
    perfdata_exit(&w, 105, 70, 70);
    sample(110, 60, 61, 0x1000);
    check_tasks("0 swapper - to -: 0=\n"
                "70  - to 5: 70=\n"
                "60  - to -: 61=\n");
}

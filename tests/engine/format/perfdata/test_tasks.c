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

static void check_tasks(const char *expected)
{
    struct profile *p = read_written(&w);
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

/* Listed at the start, with times of 0; then born, named, replaced, gone. */
START_TEST(processes)
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
                "50 cat 10 to 50: 50=cat 51=reader\n");
}
END_TEST

/* A process id that is used again is another process. */
START_TEST(a_pid_used_again)
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
END_TEST

/* Listed with its parent, and its beginning recorded, too: it is one. */
START_TEST(listed_while_it_begins)
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
END_TEST

/* So is each of its threads, until it ends. */
START_TEST(threads_listed_while_they_begin)
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
END_TEST

/* Nobody told of it: what it is called is not known. The idle one is. */
START_TEST(what_nobody_told)
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
END_TEST

int main(void)
{
    TCase *tests = tcase_create("perfdata tasks");

    tcase_add_loop_test(tests, processes, 0, 2);
    tcase_add_loop_test(tests, a_pid_used_again, 0, 2);
    tcase_add_loop_test(tests, listed_while_it_begins, 0, 2);
    tcase_add_loop_test(tests, threads_listed_while_they_begin, 0, 2);
    tcase_add_loop_test(tests, what_nobody_told, 0, 2);
    return suite_run_case("perfdata tasks", tests);
}

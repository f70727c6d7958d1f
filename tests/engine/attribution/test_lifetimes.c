/* Which process and which thread an id meant, when ids are used again. */
#include "engine/attribution/lifetimes.h"

#include "tests/support/observed.h"
#include "tests/support/suite.h"

static struct observed o;
static struct lifetimes lives;

static void build(void)
{
    lifetimes_build(&lives, o.seen);
}

static void begin(void)
{
    observed_begin(&o);
}

static void end(void)
{
    lifetimes_release(&lives);
    observed_end(&o);
}

static const char *string(uint32_t id)
{
    return strings_get(o.p->strings, id);
}

static const char *process_at(uint32_t pid, int64_t time)
{
    uint32_t id = lifetimes_process(&lives, pid, time);

    return string(o.p->processes.data[id].name);
}

static const char *thread_at(uint32_t tid, uint32_t pid, int64_t time)
{
    int64_t until;
    uint32_t id = lifetimes_thread(&lives, tid, pid, time, &until);

    return string(o.p->threads.data[id].name);
}

static int64_t thread_until(uint32_t tid, uint32_t pid, int64_t time)
{
    int64_t until;

    lifetimes_thread(&lives, tid, pid, time, &until);
    return until;
}

static void check_process(uint32_t id, const char *name, int64_t start,
                          int64_t end_time)
{
    const struct process *process = &o.p->processes.data[id];

    ck_assert_uint_lt(id, o.p->processes.len);
    ck_assert_str_eq(string(process->name), name);
    ck_assert_int_eq(process->start, start);
    ck_assert_int_eq(process->end, end_time);
}

static void check_thread(uint32_t id, const char *name, uint32_t process,
                         int64_t start, int64_t end_time)
{
    const struct thread *thread = &o.p->threads.data[id];

    ck_assert_uint_lt(id, o.p->threads.len);
    ck_assert_str_eq(string(thread->name), name);
    ck_assert_uint_eq(thread->process, process);
    ck_assert_int_eq(thread->start, start);
    ck_assert_int_eq(thread->end, end_time);
}

START_TEST(pid_used_twice)
{
    begin();
    see_process(&o, 0, SEEN_AT_START, 40, "first");
    see_process(&o, 100, SEEN_END, 40, "");
    see_process(&o, 300, SEEN_BEGIN, 40, "second");
    see_process(&o, 400, SEEN_END, 40, "");
    build();
    ck_assert_uint_eq(o.p->processes.len, 2);
    check_process(0, "first", TIME_MIN, 100);
    check_process(1, "second", 300, 400);
    ck_assert_str_eq(process_at(40, -5), "first");
    ck_assert_str_eq(process_at(40, 299), "first");
    ck_assert_str_eq(process_at(40, 300), "second");
    ck_assert_str_eq(process_at(40, 9999), "second");
    end();
}
END_TEST

/* Facts come in any order of time; of one time, in the order given. */
START_TEST(facts_out_of_order)
{
    begin();
    see_process(&o, 300, SEEN_BEGIN, 40, "second");
    see_process(&o, 100, SEEN_END, 40, "first");
    see_process(&o, 300, SEEN_END, 40, "");
    see_process(&o, 50, SEEN_BEGIN, 40, "");
    build();
    ck_assert_uint_eq(o.p->processes.len, 2);
    check_process(0, "first", 50, 100);
    check_process(1, "second", 300, 300);
    end();
}
END_TEST

/* One that is known from its end was there before. */
START_TEST(known_from_the_end)
{
    begin();
    see_process(&o, 90, SEEN_END, 40, "ended");
    see_process(&o, 95, SEEN_AT_STOP, 44, "stayed");
    build();
    check_process(0, "ended", TIME_MIN, 90);
    check_process(1, "stayed", TIME_MIN, TIME_MAX);
    ck_assert_str_eq(process_at(40, 0), "ended");
    ck_assert_str_eq(process_at(44, 0), "stayed");
    ck_assert_uint_eq(o.p->processes.len, 2);
    end();
}
END_TEST

/* A beginning without an end before it: the end was lost. */
START_TEST(begins_twice)
{
    begin();
    see_process(&o, 10, SEEN_BEGIN, 40, "first");
    see_process(&o, 70, SEEN_BEGIN, 40, "second");
    see_process(&o, 80, SEEN_BEGIN, 44, "other");
    see_process(&o, 90, SEEN_BEGIN, 48, "begun");
    see_process(&o, 90, SEEN_BEGIN, 48, "at once again");
    build();
    ck_assert_str_eq(process_at(48, 90), "at once again");
    check_process(0, "first", 10, 70);
    check_process(1, "second", 70, TIME_MAX);
    check_process(2, "other", 80, TIME_MAX);
    /* Before its first life an id is that life. */
    ck_assert_str_eq(process_at(40, 5), "first");
    ck_assert_uint_eq(o.p->processes.len, 5);
    end();
}
END_TEST

/* An end, and a trace of life after it: the beginning was lost, and is
 * taken to be at that end. What was there at the start is not another. */
START_TEST(seen_after_the_end)
{
    begin();
    see_process(&o, 10, SEEN_END, 40, "first");
    see_process(&o, 20, SEEN_AT_STOP, 40, "second");
    see_process(&o, 10, SEEN_END, 44, "only");
    see_process(&o, 20, SEEN_AT_START, 44, "late");
    see_process(&o, 10, SEEN_BEGIN, 48, "one");
    see_process(&o, 20, SEEN_AT_STOP, 48, "again");
    see_process(&o, 10, SEEN_END, 52, "a");
    see_process(&o, 30, SEEN_BEGIN, 52, "b");
    build();
    ck_assert_uint_eq(o.p->processes.len, 6);
    ck_assert_str_eq(process_at(40, 9), "first");
    ck_assert_str_eq(process_at(40, 10), "second");
    check_process(lifetimes_process(&lives, 40, 15), "second", 10, TIME_MAX);
    check_process(lifetimes_process(&lives, 44, 15), "only", TIME_MIN, 10);
    check_process(lifetimes_process(&lives, 48, 15), "one", 10, TIME_MAX);
    check_process(lifetimes_process(&lives, 52, 30), "b", 30, TIME_MAX);
    check_process(lifetimes_process(&lives, 52, 29), "a", TIME_MIN, 10);
    end();
}
END_TEST

/* Some recorders tell every end twice, and of threads behind it. */
START_TEST(ends_twice)
{
    begin();
    see_process(&o, 0, SEEN_AT_START, 40, "app");
    see_thread(&o, 0, SEEN_AT_START, 40, 40, "app");
    see_thread(&o, 10, SEEN_END, 40, 40, "");
    see_process(&o, 10, SEEN_END, 40, "");
    see_thread(&o, 12, SEEN_END, 40, 40, "");
    see_process(&o, 12, SEEN_END, 40, "app");
    see_process(&o, 15, SEEN_AT_STOP, 40, "app");
    see_thread(&o, 20, SEEN_END, 41, 40, "");
    see_process(&o, 30, SEEN_BEGIN, 44, "");
    see_process(&o, 31, SEEN_END, 44, "");
    see_process(&o, 31, SEEN_END, 44, "named late");
    see_process(&o, 40, SEEN_END, 48, "");
    see_process(&o, 50, SEEN_AT_STOP, 48, "");
    build();
    ck_assert_uint_eq(o.p->processes.len, 4);
    check_process(3, "", 40, TIME_MAX);
    check_process(0, "app", TIME_MIN, 20);
    check_process(1, "named late", 30, 31);
    ck_assert_uint_eq(o.p->threads.len, 2);
    check_thread(0, "app", 0, TIME_MIN, 12);
    check_thread(1, "", 0, TIME_MIN, 20);
    ck_assert_str_eq(thread_at(40, 40, 11), "app");
    ck_assert_str_eq(process_at(40, 99), "app");
    end();
}
END_TEST

/* The beginning of the second life was lost, of the process and of its main
 * thread: neither takes what was of the first. */
START_TEST(beginning_was_lost)
{
    begin();
    see_process(&o, 0, SEEN_AT_START, 40, "first");
    see_thread(&o, 0, SEEN_AT_START, 40, 40, "first");
    see_process(&o, 50, SEEN_END, 40, "first");
    see_process(&o, 90, SEEN_AT_STOP, 40, "second");
    see_thread(&o, 90, SEEN_AT_STOP, 40, 40, "second");
    build();
    check_process(1, "second", 50, TIME_MAX);
    check_thread(0, "first", 0, TIME_MIN, 50);
    check_thread(1, "second", 1, 50, TIME_MAX);
    ck_assert_str_eq(thread_at(40, 40, 49), "first");
    ck_assert_str_eq(thread_at(40, 40, 50), "second");
    end();
}
END_TEST

static void see_name(int64_t time, uint32_t pid, const char *name)
{
    struct observed_process fact = {.time = time,
                                    .event = SEEN_AT_STOP,
                                    .pid = pid,
                                    .name = observed_string(&o, name),
                                    .renames = true};

    observe_process(o.seen, &fact);
}

/* "process/thread" at a time; the process's memory is that of the first. */
static void check_names(uint32_t tid, int64_t time, const char *expected)
{
    int64_t until;
    uint32_t id = lifetimes_thread(&lives, tid, 40, time, &until);
    const struct thread *thread = &o.p->threads.data[id];
    char text[100];

    snprintf(text, sizeof(text), "%s/%s",
             string(o.p->processes.data[thread->process].name),
             string(thread->name));
    ck_assert_str_eq(text, expected);
    ck_assert_uint_eq(lifetimes_memory(&lives, thread->process), 0);
    ck_assert_uint_eq(o.p->processes.data[thread->process].pid, 40);
    ck_assert_uint_eq(thread->tid, tid);
}

/* A process that changes its name has a row for each name that is asked for;
 * its threads go along, those that nobody described as well. */
START_TEST(names_over_time)
{
    size_t rows;

    begin();
    see_name(10, 40, "wrapper");
    see_name(20, 40, "worker");
    see_name(30, 40, "wrapper");
    see_name(40, 40, "idle");
    see_name(40, 40, "last");
    see_thread(&o, 10, SEEN_AT_STOP, 41, 40, "reader");
    see_thread(&o, 25, SEEN_AT_STOP, 41, 40, "writer");
    build();
    ck_assert_uint_eq(o.p->processes.len, 1);
    check_names(41, 0, "wrapper/reader");
    check_names(41, 19, "wrapper/reader");
    check_names(41, 20, "worker/reader");
    check_names(41, 25, "worker/writer");
    check_names(41, 30, "wrapper/writer");
    check_names(41, 40, "last/writer");
    check_names(42, 20, "worker/");
    check_names(42, 40, "last/");
    ck_assert_int_eq(thread_until(41, 40, 0), 10);
    ck_assert_int_eq(thread_until(41, 40, 10), 20);
    ck_assert_int_eq(thread_until(41, 40, 20), 25);
    ck_assert_int_eq(thread_until(41, 40, 40), TIME_MAX);
    ck_assert_uint_eq(lifetimes_process(&lives, 40, 0), 0);
    ck_assert_uint_eq(o.p->processes.len, 3);
    rows = o.p->threads.len;
    check_names(41, 35, "wrapper/writer");
    check_names(42, 39, "wrapper/");
    ck_assert_uint_eq(o.p->threads.len, rows + 1);
    ck_assert_uint_eq(o.p->processes.len, 3);
    end();
}
END_TEST

START_TEST(process_details)
{
    struct observed_process fact = {.pid = 40, .event = SEEN_AT_START};
    const struct process *process;

    begin();
    fact.parent_pid = 7;
    observe_process(o.seen, &fact);
    fact.time = 1;
    fact.event = SEEN_AT_STOP;
    fact.name = observed_string(&o, "app.exe");
    fact.command_line = observed_string(&o, "app.exe -x");
    fact.parent_pid = 8;
    observe_process(o.seen, &fact);
    fact.time = 2;
    fact.name = observed_string(&o, "other");
    fact.command_line = observed_string(&o, "other -y");
    fact.parent_pid = 0;
    observe_process(o.seen, &fact);
    build();
    ck_assert_uint_eq(o.p->processes.len, 1);
    process = &o.p->processes.data[0];
    ck_assert_uint_eq(process->pid, 40);
    ck_assert_str_eq(string(process->name), "app.exe");
    ck_assert_str_eq(string(process->command_line), "app.exe -x");
    ck_assert_uint_eq(process->parent_pid, 8);
    end();
}
END_TEST

START_TEST(threads_of_one_process)
{
    begin();
    see_process(&o, 0, SEEN_AT_START, 40, "app.exe");
    see_thread(&o, 10, SEEN_BEGIN, 5, 40, "first");
    see_thread(&o, 20, SEEN_END, 5, 40, "");
    see_thread(&o, 50, SEEN_BEGIN, 5, 40, "second");
    see_thread(&o, 60, SEEN_AT_STOP, 5, 40, "renamed");
    see_thread(&o, 70, SEEN_END, 6, 40, "from its end");
    build();
    ck_assert_uint_eq(o.p->threads.len, 3);
    check_thread(0, "first", 0, 10, 20);
    check_thread(1, "renamed", 0, 50, TIME_MAX);
    check_thread(2, "from its end", 0, TIME_MIN, 70);
    ck_assert_uint_eq(o.p->threads.data[1].tid, 5);
    ck_assert_str_eq(thread_at(5, NO_PID, 49), "first");
    ck_assert_str_eq(thread_at(5, NO_PID, 50), "second");
    ck_assert_str_eq(thread_at(5, NO_PID, 60), "renamed");
    ck_assert_str_eq(thread_at(5, 40, 0), "first");
    ck_assert_str_eq(thread_at(6, 40, 0), "from its end");
    ck_assert_int_eq(thread_until(5, NO_PID, 0), 10);
    ck_assert_int_eq(thread_until(5, NO_PID, 10), 50);
    ck_assert_int_eq(thread_until(5, 40, 49), 50);
    ck_assert_int_eq(thread_until(5, NO_PID, 50), 60);
    ck_assert_int_eq(thread_until(5, NO_PID, 60), TIME_MAX);
    end();
}
END_TEST

/* A thread id that turns up in another process left the one before. */
START_TEST(tid_moves_to_another_process)
{
    begin();
    see_process(&o, 0, SEEN_AT_START, 40, "app.exe");
    see_process(&o, 0, SEEN_AT_START, 44, "other.exe");
    see_thread(&o, 10, SEEN_BEGIN, 5, 40, "mine");
    see_thread(&o, 30, SEEN_AT_STOP, 5, 44, "theirs");
    see_thread(&o, 20, SEEN_END, 6, 40, "ended");
    see_thread(&o, 30, SEEN_BEGIN, 6, 44, "next");
    see_thread(&o, 30, SEEN_BEGIN, 7, 40, "lost its end");
    see_thread(&o, 35, SEEN_BEGIN, 7, 40, "one more");
    build();
    ck_assert_uint_eq(o.p->threads.len, 6);
    check_thread(0, "mine", 0, 10, 30);
    check_thread(1, "ended", 0, TIME_MIN, 20);
    check_thread(2, "theirs", 1, 30, TIME_MAX);
    check_thread(3, "next", 1, 30, TIME_MAX);
    check_thread(4, "lost its end", 0, 30, 35);
    check_thread(5, "one more", 0, 35, TIME_MAX);
    ck_assert_str_eq(thread_at(5, 40, 99), "mine");
    ck_assert_str_eq(thread_at(5, 44, 0), "theirs");
    ck_assert_str_eq(thread_at(5, NO_PID, 29), "mine");
    ck_assert_str_eq(thread_at(5, NO_PID, 30), "theirs");
    ck_assert_str_eq(thread_at(6, NO_PID, 29), "ended");
    ck_assert_str_eq(thread_at(6, NO_PID, 30), "next");
    end();
}
END_TEST

/* The process of a thread is the one that had the pid at that time. */
START_TEST(threads_of_both_lives)
{
    begin();
    see_process(&o, 0, SEEN_AT_START, 40, "first");
    see_process(&o, 50, SEEN_END, 40, "");
    see_process(&o, 60, SEEN_BEGIN, 40, "second");
    see_thread(&o, 10, SEEN_BEGIN, 5, 40, "early");
    see_thread(&o, 70, SEEN_BEGIN, 5, 40, "late");
    build();
    check_thread(0, "early", 0, 10, 70);
    check_thread(1, "late", 1, 70, TIME_MAX);
    end();
}
END_TEST

START_TEST(nobody_described)
{
    int64_t until = 0;
    uint32_t thread, process;

    begin();
    see_process(&o, 0, SEEN_AT_START, 40, "app.exe");
    build();
    thread = lifetimes_thread(&lives, 5, 40, 100, &until);
    check_thread(thread, "", 0, TIME_MIN, TIME_MAX);
    ck_assert_int_eq(until, TIME_MAX);
    ck_assert_uint_eq(lifetimes_thread(&lives, 5, 40, 7, &until), thread);
    ck_assert_uint_ne(lifetimes_thread(&lives, 6, 40, 7, &until), thread);
    process = lifetimes_process(&lives, 44, 100);
    check_process(process, "", TIME_MIN, TIME_MAX);
    ck_assert_uint_eq(o.p->processes.data[process].pid, 44);
    ck_assert_uint_eq(lifetimes_process(&lives, 44, 0), process);
    thread = lifetimes_thread(&lives, 5, NO_PID, 100, &until);
    ck_assert_uint_eq(lifetimes_thread(&lives, 5, NO_PID, 3, &until), thread);
    check_process(o.p->threads.data[thread].process, "[unknown]", TIME_MIN,
                  TIME_MAX);
    ck_assert_uint_eq(o.p->threads.len, 3);
    ck_assert_uint_eq(o.p->processes.len, 3);
    end();
}
END_TEST

/* Only Windows has processes of these ids. */
START_TEST(processes_of_the_system)
{
    begin();
    o.seen->windows_pids = true;
    see_process(&o, 0, SEEN_AT_START, 4, "");
    build();
    check_process(0, "System", TIME_MIN, TIME_MAX);
    ck_assert_str_eq(process_at(0, 0), "Idle");
    ck_assert_str_eq(process_at(8, 0), "");
    end();

    begin();
    o.seen->windows_pids = true;
    see_process(&o, 0, SEEN_AT_START, 4, "named");
    build();
    check_process(0, "named", TIME_MIN, TIME_MAX);
    end();

    begin();
    build();
    ck_assert_str_eq(process_at(0, 0), "");
    ck_assert_str_eq(process_at(4, 0), "");
    end();
}
END_TEST

SUITE
{
    return suite_run("lifetimes", pid_used_twice, facts_out_of_order,
                     known_from_the_end, begins_twice, seen_after_the_end,
                     ends_twice, beginning_was_lost, names_over_time,
                     process_details, threads_of_one_process,
                     tid_moves_to_another_process, threads_of_both_lives,
                     nobody_described, processes_of_the_system);
}

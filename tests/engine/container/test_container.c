#include "engine/container/container.h"

#include <stdbool.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/mem.h"
#include "tests/support/suite.h"

/* A folder of the test's own, which is the working directory. */
static char folder[] = "/tmp/topfn-container-XXXXXX";

static void enter(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static void leave(const char *name)
{
    ck_assert_int_eq(remove(name), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}

/* Nobody named such a file, so that nothing is waited for and no folder is
 * searched. */
static void assert_only_files(const char *path)
{
    struct err err = {0};
    char message[200];

    snprintf(message, sizeof(message), "%s: not a regular file", path);
    ck_assert_ptr_null(container_open_file(path, &err));
    ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
    ck_assert_str_eq(err.message, message);
}

static void assert_refused(const char *path, enum err_code code,
                           const char *message)
{
    struct err err = {0};

    ck_assert_ptr_null(container_open(path, &err));
    ck_assert_int_eq(err.code, code);
    ck_assert_str_eq(err.message, message);
    ck_assert_ptr_null(container_open(path, NULL));
}

TEST(not_a_file)
{
    enter();
    ck_assert_int_eq(mkdir("dir", 0700), 0);
    assert_refused("dir", ERR_IO,
                   "dir: is a directory; topfn opens only those that 'perf "
                   "record --threads' writes and unpacked .diagsession files");
    assert_only_files("dir");
    leave("dir");
    assert_refused("/dev/null", ERR_UNSUPPORTED,
                   "/dev/null: not a regular file");
}

/* Recordings of Instruments are folders. */
TEST(a_folder_of_instruments)
{
    static const char *const refused =
        "run.trace/: is a directory that looks like a recording of "
        "Instruments; open a table of it that 'xctrace export' writes";

    enter();
    ck_assert_int_eq(mkdir("run.trace", 0700), 0);
    assert_refused("run.trace/", ERR_IO, refused);
    leave("run.trace");
}

/* It says that it is empty. */
TEST(a_file_without_a_size)
{
    struct container *c = container_open("/proc/self/cmdline", NULL);

    ck_assert_ptr_nonnull(c);
    ck_assert_uint_gt(c->entries[0].size, 10);
    ck_assert(!c->entries[0].of_file);
    container_close(c);
}

/* What a child writes, more than a pipe and the memory for it hold. */
TEST(from_a_pipe)
{
    enum { SIZE = 3 << 20 };
    char *bytes = mem_new(SIZE, 1);
    struct err err = {0};
    struct container *c;
    int ends[2];
    char path[32];
    pid_t child;

    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (char)(i * 7);
    ck_assert_int_eq(pipe(ends), 0);
    child = fork();
    if (!child) {
        for (ssize_t n, done = 0; done < SIZE; done += n)
            if ((n = write(ends[1], bytes + done, (size_t)(SIZE - done))) < 0)
                _exit(1);
        _exit(0);
    }
    close(ends[1]);
    snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
    c = container_open(path, &err);
    ck_assert_msg(c, "%s", err.message);
    ck_assert_uint_eq(c->entries[0].size, SIZE);
    ck_assert_mem_eq(c->entries[0].data, bytes, SIZE);
    container_close(c);
    close(ends[0]);
    waitpid(child, NULL, 0);
    free(bytes);
}

/* Opening a FIFO that nobody writes to must not wait, nor one that somebody
 * holds open without writing. */
TEST(fifo)
{
    int held;

    enter();
    ck_assert_int_eq(mkfifo("fifo", 0600), 0);
    assert_refused("fifo", ERR_TRUNCATED, "fifo: the pipe delivered no data");
    held = open("fifo", O_RDWR);
    ck_assert_int_ge(held, 0);
    assert_only_files("fifo");
    close(held);
    leave("fifo");
}

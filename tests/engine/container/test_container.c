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

static void write_file(const char *name, const char *text, mode_t mode)
{
    FILE *file = fopen(name, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(chmod(name, mode), 0);
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

TEST(plain_file_is_one_entry)
{
    char path[] = "a.etl";
    struct container *c;

    enter();
    write_file(path, "trace", 0600);
    c = container_open(path, NULL);
    ck_assert_ptr_nonnull(c);
    path[0] = 'b'; /* the container has its own copy */
    ck_assert_str_eq(c->kind->name, "plain");
    ck_assert_uint_eq(c->count, 1);
    ck_assert_str_eq(c->entries[0].name, "a.etl");
    ck_assert(c->entries[0].of_file);
    ck_assert_uint_eq(c->entries[0].size, 5);
    ck_assert_mem_eq(c->entries[0].data, "trace", 5);
    container_close(c);
    leave("a.etl");
}

TEST(empty_file_is_an_empty_entry)
{
    struct container *c;

    enter();
    write_file("a.etl", "", 0600);
    c = container_open("a.etl", NULL);
    ck_assert_ptr_nonnull(c);
    ck_assert_uint_eq(c->count, 1);
    ck_assert_uint_eq(c->entries[0].size, 0);
    container_close(c);
    container_close(NULL);
    leave("a.etl");
}

/* What was reserved but never written is not read; a hole that has data
 * behind it is. Where files have no holes, all of it is. */
TEST(sparse_file)
{
    const off_t size = (off_t)4 << 30;
    struct container *c;
    struct stat st;
    int fd;

    enter();
    write_file("a.etl", "x", 0600);
    ck_assert_int_eq(truncate("a.etl", size), 0);
    ck_assert_int_eq(stat("a.etl", &st), 0);
    c = container_open("a.etl", NULL);
    ck_assert_ptr_nonnull(c);
    ck_assert_uint_ge(c->entries[0].size, 1);
    ck_assert_uint_le(c->entries[0].size, (size_t)size);
    if (st.st_blocks < 1000)
        ck_assert_uint_lt(c->entries[0].size, 1000000);
    container_close(c);

    fd = open("a.etl", O_WRONLY);
    ck_assert_int_eq(pwrite(fd, "y", 1, size - 1), 1);
    close(fd);
    c = container_open("a.etl", NULL);
    ck_assert_ptr_nonnull(c);
    ck_assert_uint_eq(c->entries[0].size, (size_t)size);
    ck_assert_uint_eq(c->entries[0].data[size - 1], 'y');
    container_close(c);
    leave("a.etl");
}

TEST(no_such_file)
{
    enter();
    write_file("file", "x", 0600);
    assert_refused("none.etl", ERR_NOT_FOUND,
                   "none.etl: No such file or directory");
    assert_refused("", ERR_NOT_FOUND, ": No such file or directory");
    assert_refused("file/none.etl", ERR_NOT_FOUND,
                   "file/none.etl: Not a directory");
    leave("file");
}

TEST(not_a_file)
{
    enter();
    ck_assert_int_eq(mkdir("dir", 0700), 0);
    assert_refused("dir", ERR_IO,
                   "dir: is a directory; of these topfn opens an unpacked "
                   ".diagsession and what perf record --threads writes");
    leave("dir");
    assert_refused("/dev/null", ERR_UNSUPPORTED,
                   "/dev/null: not a regular file");
}

/* Recordings of Instruments are folders. */
TEST(a_folder_of_instruments)
{
    static const char *const refused =
        "run.trace/: is a directory, as a recording of Instruments is, which "
        "topfn does not read";

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

/* Opening a FIFO that nobody writes to must not wait. */
TEST(fifo)
{
    enter();
    ck_assert_int_eq(mkfifo("fifo", 0600), 0);
    assert_refused("fifo", ERR_TRUNCATED,
                   "fifo: nothing came through the pipe");
    leave("fifo");
}

/* Root may read everything, so the test is somebody else for a while. */
TEST(unreadable)
{
    bool root = geteuid() == 0;

    enter();
    write_file("a.etl", "trace", 0);
    ck_assert_int_eq(chmod(".", 0755), 0);
    if (root)
        ck_assert_int_eq(seteuid(65534), 0);
    assert_refused("a.etl", ERR_IO, "a.etl: Permission denied");
    if (root)
        ck_assert_int_eq(seteuid(0), 0);
    leave("a.etl");
}

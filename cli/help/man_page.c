#include "cli/help/man_page.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Commands that share a page; any other name is a page of its own. */
static const struct {
    const char *name, *page;
} shared[] = {
    {"callers", "-tree"}, {"folded", "-tree"},     {"annotate", "-list"},
    {"merge", "-import"}, {"resolve", "-symbols"}, {"info", "-formats"},
    {"flame", "-export"}, {"help", ""},            {"guide", "-schema"},
    {"runs", "-push"},
};

static const char *const sections[] = {"1", "5", "7"};

static void page_name(const char *name, char *page, size_t size)
{
    for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++) {
        if (!strcmp(shared[i].name, name)) {
            snprintf(page, size, "topfn%s", shared[i].page);
            return;
        }
    }
    snprintf(page, size, "topfn-%s", name);
}

/* The folder that holds the one the program is in. */
static bool find_home(char home[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", home, PATH_MAX - 1);
    char *slash;

    if (n <= 0)
        return false;
    home[n] = '\0';
    for (int i = 0; i < 2; i++) {
        slash = strrchr(home, '/');
        if (!slash)
            return false;
        *slash = '\0';
    }
    return true;
}

static bool is_there(char path[PATH_MAX], const char *home, const char *folder,
                     const char *page, const char *section, const char *end)
{
    int n = snprintf(path, PATH_MAX, "%s/%s/%s.%s%s", home, folder, page,
                     section, end);

    return n > 0 && n < PATH_MAX && !access(path, R_OK);
}

static bool find_page(const char *page, char path[PATH_MAX])
{
    char home[PATH_MAX], folder[] = "share/man/man1";

    if (!find_home(home))
        return false;
    for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++) {
        const char *section = sections[i];

        folder[sizeof(folder) - 2] = *section;
        if (is_there(path, home, "man", page, section, "") ||
            is_there(path, home, folder, page, section, "") ||
            is_there(path, home, folder, page, section, ".gz"))
            return true;
    }
    return false;
}

bool man_page_show(const char *name)
{
    char page[NAME_MAX], path[PATH_MAX], man[] = "man";
    char *arguments[] = {man, path, NULL};
    int status = 0;
    pid_t child;

    page_name(name, page, sizeof(page));
    if (strchr(name, '/') || !find_page(page, path) ||
        posix_spawnp(&child, man, NULL, NULL, arguments, environ))
        return false;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) && !WEXITSTATUS(status);
}

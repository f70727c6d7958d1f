/*
 * man_page - the pages of the manual, opened by the system's `man`.
 *
 *     if (isatty(STDOUT_FILENO) && man_page_show("tree"))
 *         return STATUS_OK;
 *
 * A page lies where the program was installed or built: in share/man beside
 * bin, or in man beside build. Some pages are about several commands.
 */
#ifndef TOPFN_MAN_PAGE_H
#define TOPFN_MAN_PAGE_H

#include <stdbool.h>

/* The page of a command, or of a subject: "formats". False: there is no such
 * page, or no `man` that shows it, and nothing was printed. */
bool man_page_show(const char *name);

#endif

/*
 * watched - what a program shows a person who watches its stderr.
 *
 *     struct watched w;
 *     watched_begin(&w);
 *     say_hint("next: topfn tree a.etl");
 *     ck_assert_str_eq(watched_end(&w), "next: topfn tree a.etl\n");
 *
 * Until the end stderr, or another stream, is a terminal that nobody else
 * sees. It holds a few thousand bytes.
 */
#ifndef TOPFN_TESTS_WATCHED_H
#define TOPFN_TESTS_WATCHED_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

struct watched {
    int stream, screen, usual;
    char text[4096];
};

/* What was written to the stream before must have been flushed. */
static inline void watched_begin_at(struct watched *w, int stream,
                                    unsigned short columns,
                                    unsigned short lines)
{
    struct winsize size = {.ws_col = columns, .ws_row = lines};
    struct termios plain;
    int terminal;

    w->stream = stream;
    w->screen = posix_openpt(O_RDWR | O_NOCTTY);
    if (w->screen < 0 || grantpt(w->screen) || unlockpt(w->screen))
        abort();
    terminal = open(ptsname(w->screen), O_RDWR | O_NOCTTY);
    if (terminal < 0 || tcgetattr(terminal, &plain))
        abort();
    plain.c_oflag &= ~(tcflag_t)OPOST; /* lines end as they were written */
    if (tcsetattr(terminal, TCSANOW, &plain) ||
        ioctl(terminal, TIOCSWINSZ, &size))
        abort();
    w->usual = dup(stream);
    if (w->usual < 0 || dup2(terminal, stream) < 0)
        abort();
    close(terminal);
}

static inline void watched_begin(struct watched *w)
{
    fflush(stderr);
    watched_begin_at(w, STDERR_FILENO, 80, 24);
}

/* The text shown since the start, valid until the next call. It waits for a
 * bell, because the screen may show text later than it was written. */
static inline const char *watched_end(struct watched *w)
{
    size_t n = 0;
    ssize_t more;

    fflush(NULL);
    if (write(w->stream, "\a", 1) != 1)
        abort();
    do {
        more = read(w->screen, w->text + n, sizeof(w->text) - 1 - n);
        n += more > 0 ? (size_t)more : 0;
    } while (more > 0 && w->text[n - 1] != '\a');
    w->text[n ? n - 1 : 0] = '\0';
    if (dup2(w->usual, w->stream) < 0)
        abort();
    close(w->usual);
    close(w->screen);
    return w->text;
}

#endif

/*
 * scenario: a trace described in a small text language, written as an ETL file
 * together with the answer a correct reader must give (answer.h).  The answer
 * is counted from the script alone.
 *
 *     struct scenario *s = scenario_parse(text, "basic.script");
 *     scenario_option(s, "compressed", "on");
 *     bool ok = scenario_write(s, file, answer);
 *     if (!ok) fprintf(stderr, "%s\n", scenario_error(s));
 *     scenario_free(s);
 *
 * One statement a line, # starts a comment, "quotes" hold a word with blanks.
 * Times are 10ms, 10.5ms, 300us, 1.2s, counted from the trace's start; numbers
 * are decimal or 0x.  Order of lines is free but names come before their use.
 * [ ] may be left out.
 *
 *   option NAME VALUE
 *       bits 32|64 (kernel), cpus N, clock qpc|system|cycles, compressed on,
 *       live on, buffer BYTES, key-slots N (size of the stack cache; few slots
 *       recycle keys all the time), interval TIME, stop TIME, late-buffers N,
 *       stack32 on (a stack that fits one inline record is one, kernel and
 *       user together, as 32-bit kernels write it)
 *   lost events N buffers N
 *   process P pid N name FILE [command TEXT] [start T] [end T] [version V]
 *           [wow64] [dcend-only]
 *   thread T in P tid N [start T] [end T] [name TEXT] [version V]
 *          [dcend-only]
 *   image in P|kernel base A size N name FILE [load T] [unload T] [pdb FILE]
 *         [guid G] [age N] [stamp N] [version V] [dcend-only]
 *       The PDB's GUID is made from the base unless it is given, without
 *       braces.
 *       Without load it is there from the start (DCStart, or only a DCEnd
 *       record at the stop if dcend-only); without unload it has a DCEnd.
 *   method M in P at A size N [class C] name N [signature S] [load T]
 *          [unload T] [tier N] [version V] [kind clr|clr2|script] [dcstart]
 *          [no-rundown] [url U] [module PATH] [with-stack] [map V]
 *          [pdb FILE guid G]
 *       map: has IL maps of version V, the same for every method
 *       (scenario_write.c); pdb and guid are those of its module.
 *       Never loaded: known from its unload or rundown record only.
 *   stack S FRAME...             leaf first; a FRAME is
 *       FILE+0x1234              in an image of the sample's process or kernel
 *       method:M+0x10            in a method, by its M
 *       0x7ff1234                an address that nothing covers
 *       use:S                    all frames of another stack
 *   sample T cpu C at TIME [user S] [kernel S] [via inline|keys|lost]
 *          [late TIME [on C]] [shared] [dpc] [isr] [no-stack FRAME]
 *          [repeat N every TIME]
 *       kernel and user are the two fragments.  late: the user fragment is
 *       written at that time, when the thread leaves the kernel, maybe on
 *       another CPU.  shared: the user part is the one that an earlier sample
 *       of the same stay will write; none of its own.  via lost: the user
 *       fragment is a key that is never defined, so it does not count.
 *       With keys, fragments below 4 frames are still inline, as in real logs.
 *   fault ...                    as sample: a page fault, counted nowhere
 *   idle cpu C at TIME [repeat N every TIME]
 *   evict at TIME                empties the stack cache: definitions
 *
 * Thread "idle" (tid 0, pid 0) exists in every script.  A repeat moves late
 * along.  A script that contradicts itself (a frame in a method that is not
 * loaded at that time, "shared" with nothing to share) is refused.
 *
 * Names in the answer: Class.Name(args), FILE!+0x1234, 0x7ff1234; modules
 * FILE, [jit], [script], [unknown].
 */
#ifndef TESTS_SUPPORT_SCENARIO_H
#define TESTS_SUPPORT_SCENARIO_H

#include <stdbool.h>
#include <stdio.h>

#include "tests/support/answer.h"

struct scenario;

/* Never NULL; a mistake in the text shows in scenario_error. */
struct scenario *scenario_parse(const char *text, const char *name);
void scenario_free(struct scenario *s);

/* As "option NAME VALUE" in the text; false if there is no such option. */
bool scenario_option(struct scenario *s, const char *name, const char *value);

/* Writes the trace to a seekable file and counts into the answer. */
bool scenario_write(struct scenario *s, FILE *file, struct answer *answer);

/* "basic.script:12: ..." or NULL. */
const char *scenario_error(const struct scenario *s);

#endif

#include "report/export/export.h"
#include "report/export/folded_tree.h"

/*
 * collapsed - outermost;...;innermost COUNT, a line per distinct stack, as
 * FlameGraph and inferno read them. Kinds of code are marked as these colour
 * them. As they have it, a process and its thread are frames of their own
 * above the stack when asked for.
 */

static void write(const struct subject *s, struct out *out)
{
    const struct report_options *o = s->options;
    struct folded_tree tree = {
        .style = {.module = o->with_module,
                  .lines = o->with_lines,
                  .marks = true},
        .processes = o->with_process ? FOLDED_IDS : FOLDED_BARE,
        .threads = o->with_thread,
    };

    folded_tree_add(&tree, s->p, s->sel, false);
    folded_tree_print(&tree, false, out);
    folded_tree_release(&tree);
}

const struct export_kind collapsed_export = {
    .name = "collapsed",
    .help = "folded stacks for FlameGraph, inferno and others",
    .endings = {".folded", ".collapsed"},
    .owners = true,
    .styles = true,
    .write = write,
};

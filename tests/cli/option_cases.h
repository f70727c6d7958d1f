/*
 * option_cases - what shows that an option does something, in a row each.
 *
 * Included by test_every_option.c, which tries every option with every
 * command: where a command takes it, the first row of its name that is for
 * the command is run with the option and without. Both must differ, unless
 * `same` says why they do not. A new option is one row here, a new command
 * one row of `commands`; further rows are for single commands.
 *
 *     .name     of the option
 *     .value    what stands behind it; more words may follow
 *     .command  only for these, between blanks; else for all that take it
 *     .input    a row of `inputs`; else the command's own
 *     .line     the rest of the line, @ being the option and %l the command's
 *               own, which it is otherwise
 *     .same     why nothing differs
 *     .refused  what of it is refused, with status 64: a part of the message
 *
 * In lines, %t is the trace of the input, %f a function in it, %o a trace to
 * compare with it, %T a folder; all but the folder of what is read is below
 * testdata, where lines run. What is written to %T/out is compared, too.
 */
static const struct input {
    const char *name, *trace, *function, *other;
} inputs[] = {
    {"orders", "etl/orders.etl", "Lookup", "diff/changed.etl"},
    {"rounds", "etl/rounds.etl", "*", "etl/mixer.etl"},
    {"named", "etl/rounds.etl --symbols pdb", "mixer::rounds",
     "etl/mixer.etl"},
    {"decorated", "etl/decorated.etl --symbols pdb", "*", "etl/rounds.etl"},
    {"perf", "perfdata/shop.data", "*", "perfdata/killed.data"},
    {"threads", "nettrace/v6-plain.nettrace", "*",
     "nettrace/waiting.nettrace"},
    {"waits", "nettrace/waiting.nettrace", "*", "nettrace/v4-plain.nettrace"},
    {"damaged", "broken/etl-cut-off.etl", "*", "etl/orders.etl"},
};

static const struct command_case {
    const char *name;
    const char *line;  /* behind the command */
    const char *needs; /* and this, but where it is what is tried */
    const char *input;
} commands[] = {
    {"top", "%t", "", "orders"},
    {"tree", "%t", "", "orders"},
    {"folded", "%t", "", "orders"},
    {"callers", "%f %t", "", "orders"},
    {"list", "%f %t", "--source pdb", "named"},
    {"annotate", "%f %t", "--source pdb", "named"},
    {"info", "%t", "", "orders"},
    {"diff", "%t %o", "", "orders"},
    {"gate", "%t %o", "--max-regression 5%", "orders"},
    {"import", "%t", "--output %T/out", "orders"},
    {"merge", "%t %o", "--output %T/out", "orders"},
    {"symbols", "%t", "", "orders"},
    {"resolve", "pdb/mixer-public.exe 10b0", "", "rounds"},
    {"help", "", "", "orders"},
};

/* Commands that show no names of functions, and such as are given one. */
#define WITHOUT_NAMES " info symbols "
#define OF_NAMES " callers list annotate "

static const struct option_case {
    const char *name, *value, *command, *input, *line, *same, *refused;
} cases[] = {
    {.name = "limit", .value = "1", .command = OF_NAMES, .input = "named",
     .line = "* %t @"},
    {.name = "limit", .value = "1"},
    {.name = "context", .value = "0", .line = "mixer::rounds %t @"},
    {.name = "sort", .value = "inclusive"},
    {.name = "by", .value = "module"},
    {.name = "cumulative"},
    {.name = "waits", .input = "waits"},
    {.name = "depth", .value = "2"},
    {.name = "min", .value = "20", .command = " callers ", .input = "named",
     .line = "mixer::mix %t --depth 3 @"},
    {.name = "min", .value = "20"},
    {.name = "bottom-up"},
    {.name = "no-processes"},
    {.name = "no-threads"},
    {.name = "startup", .line = "container/orders.vsp @"},
    {.name = "root", .value = "Lookup"},
    {.name = "to", .value = "Lookup"},
    {.name = "hot"},
    {.name = "before", .command = " folded ",
     .line = "--diff --after %o @ %t"},
    {.name = "before", .line = "--after %t @ %o"},
    {.name = "after", .command = " folded ", .line = "--diff %t %t @ %o"},
    {.name = "after", .line = "%t %t @ %o"},
    {.name = "normalize", .value = "cpu"},
    {.name = "paths"},
    {.name = "all"},
    {.name = "relevant", .value = "30"},
    {.name = "rename", .value = "mix_rounds=mixer::mix", .input = "decorated",
     .command = " gate ", .line = "%l @"},
    {.name = "rename", .value = "mix_rounds=mixer::mix", .input = "decorated"},
    {.name = "explain", .value = "0", .command = " diff "},
    {.name = "explain", .value = "ledger.exe"},
    {.name = "force", .line = "%t nettrace/waiting.nettrace @"},
    {.name = "diff", .line = "@ %t %o"},
    {.name = "max-regression", .value = "1%"},
    {.name = "max-total", .value = "1%", .line = "%l --normalize wall @"},
    {.name = "function", .value = "* --max 1%"},
    {.name = "max", .value = "1%", .line = "%l --function * @"},
    {.name = "require", .value = "Shop.Nothing"},
    {.name = "budgets", .value = "diff/budgets"},
    {.name = "junit", .value = "%T/out"},
    {.name = "sarif", .value = "%T/out"},
    {.name = "process", .value = "mixer.exe", .command = OF_NAMES,
     .input = "named", .line = "* %t @"},
    {.name = "process", .value = "ledger.exe"},
    {.name = "pid", .value = "100", .command = OF_NAMES, .input = "named",
     .line = "* %t @"},
    {.name = "pid", .value = "4410"},
    {.name = "thread", .value = "101", .command = OF_NAMES, .input = "named",
     .line = "* %t @"},
    {.name = "thread", .value = "3136"},
    {.name = "tid", .value = "101", .command = OF_NAMES, .input = "named",
     .line = "* %t @"},
    {.name = "tid", .value = "3136"},
    {.name = "module", .value = "mixer*", .command = OF_NAMES,
     .input = "named", .line = "* %t @"},
    {.name = "module", .value = "*.dll"},
    {.name = "time", .value = "0,100ms"},
    {.name = "sample-type", .value = "managed", .input = "threads"},
    {.name = "include-idle", .command = " symbols ",
     .same = "idle processors run no code of a module"},
    {.name = "include-idle"},
    {.name = "no-inlines", .command = WITHOUT_NAMES, .input = "named",
     .same = "no function is named"},
    {.name = "no-inlines", .input = "named"},
    {.name = "symbols", .value = "pdb", .command = " resolve ",
     .line = "fuzz/pe/mixer.exe 1030 @"},
    {.name = "symbols", .value = "pdb", .input = "rounds"},
    {.name = "online", .command = " symbols ", .input = "rounds",
     .line = "%l --symbols http://127.0.0.1:1 --explain mixer.exe @"},
    {.name = "online", .input = "rounds",
     .line = "%l --symbols http://127.0.0.1:1 @",
     .same = "no server is there; test_online has one"},
    {.name = "source-map", .value = "/src=pdb"},
    {.name = "source", .value = "pdb"},
    {.name = "demangle", .value = "none", .command = WITHOUT_NAMES,
     .input = "decorated", .same = "no function is named"},
    {.name = "demangle", .value = "none", .command = " gate ",
     .input = "decorated", .line = "%o %t --require *::push @"},
    {.name = "demangle", .value = "none", .input = "decorated"},
    {.name = "names", .value = "full", .command = WITHOUT_NAMES,
     .same = "no function is named"},
    {.name = "names", .value = "full", .command = " annotate ",
     .same = "functions in images at hand have no longer names"},
    {.name = "names", .value = "full", .command = " list ",
     .line = "Lookup etl/orders.etl @"},
    {.name = "names", .value = "full"},
    {.name = "unnamed", .value = "address", .command = WITHOUT_NAMES,
     .same = "no function is named"},
    {.name = "unnamed", .value = "address", .input = "rounds"},
    {.name = "format", .value = "json"},
    {.name = "csv-raw", .command = " annotate ", .input = "decorated",
     .line = "%l --format csv @", .same = "there is no code of it to show"},
    {.name = "csv-raw", .command = " resolve ",
     .line = "%l --format csv @", .same = "the name of the image is no cell"},
    {.name = "csv-raw", .input = "decorated", .line = "%l --format csv @"},
    {.name = "width", .value = "40", .command = " folded ",
     .same = "a stack is one line"},
    {.name = "width", .value = "40", .command = " symbols resolve ",
     .same = "names stand last or are needed whole"},
    {.name = "width", .value = "40"},
    {.name = "color", .value = "always", .command = " folded ",
     .same = "other programs read it"},
    {.name = "color", .value = "always", .command = " gate symbols resolve ",
     .same = "nothing in it has a colour"},
    {.name = "color", .value = "always"},
    {.name = "no-pager", .same = "nothing is paged but on a terminal"},
    /* Beside the trace unless told otherwise: no test writes there. */
    {.name = "output", .value = "%T/out", .command = " import ",
     .line = "%l --output %T/other @"},
    {.name = "output", .value = "%T/out"},
    {.name = "threads", .value = "1", .same = "output never depends on it"},
    {.name = "event", .value = "page-faults", .input = "perf"},
    {.name = "jit", .value = ".", .command = " symbols ", .input = "perf",
     .same = "generated code is of no module"},
    {.name = "jit", .value = ".", .command = " diff ",
     .line = "perfdata/shop.data perfdata/shop.data --all @"},
    {.name = "jit", .value = ".", .input = "perf"},
    {.name = "dotnet-trace-weights", .input = "threads"},
    {.name = "strict", .command = " annotate ", .input = "damaged",
     .same = "without code it fails before"},
    {.name = "strict", .input = "damaged"},
    {.name = "as", .value = "bash"},
    {.name = "quiet", .command = " help ", .same = "it has no more to say"},
    {.name = "quiet", .command = " resolve ", 
     .line = "%l --symbols nowhere @"},
    {.name = "quiet", .input = "damaged"},
    {.name = "help"},
    {.name = "version"},
};

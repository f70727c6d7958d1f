#include "cli/command.h"
#include "cli/terminal/say.h"

/* guide: one page for those who call topfn from a program. */

static const char guide[] =
    "topfn for scripts and assistants\n"
    "\n"
    "Reads CPU sampling profiles (Windows .etl, .NET .nettrace, Linux\n"
    "perf.data, Visual Studio .vsp and .diagsession, archives of these) and\n"
    "answers which functions are hot, who calls them and what changed. No\n"
    "network unless --online is given. Nothing is written but stdout, or the\n"
    "file of -o. Equal input gives equal output.\n"
    "\n"
    "Ask in this order\n"
    "  topfn info FILE --format json        what is in it, how good it is\n"
    "  topfn FILE --format json -n 20       the hottest functions\n"
    "  topfn tree FILE --depth 12           where the time goes, call by call\n"
    "  topfn callers NAME FILE              who calls a function\n"
    "  topfn list NAME FILE --source DIR    its hot lines\n"
    "  topfn timeline FILE                  phases, as --time ranges\n"
    "  topfn diff BEFORE AFTER              what changed, and how sure\n"
    "  topfn gate BEFORE AFTER --max-regression 5%\n"
    "                                       a verdict as exit status\n"
    "  topfn import FILE -o X.topfn         read once, ask often\n"
    "\n"
    "Ask about a part (any command; always done in this order)\n"
    "  --group just-my-code   libraries by the ways into them;\n"
    "         'P->NAME', modules, kernel, runtime, namespaces:2\n"
    "  --fold P, --fold-percent 1           count P for its callers\n"
    "  --focus P, --ignore P, --leaf P      samples with, without, in P\n"
    "  --process W, --thread W, --module W  '!W': all others\n"
    "  --kind kernel, --tier tier0, --cpu 0-3, --time 1s,2s or 25%,50%\n"
    "  --hide P, --show-from P, --show-to P cut frames\n"
    "P is a glob of a whole name (Shop.Cart.*), the last parts of a name\n"
    "(Cart.Total), module!name, or re:REGEX. Quote it.\n"
    "\n"
    "Read the answer\n"
    "  exclusive: samples taken in the function itself; they add up to\n"
    "  trace.samples. inclusive: with it anywhere on the stack, once each.\n"
    "  name is as recorded, label as people say it; both find a function.\n"
    "  \"[no symbols]\" is code without names: `topfn symbols FILE` tells\n"
    "  why, --symbols DIR or --online may help. trace.selected says what a\n"
    "  filter left of how much. Metric thread-samples counts threads that\n"
    "  wait, too. In diff trust rows whose verdict is slower or faster;\n"
    "  \"cannot tell\" is no change found and none excluded.\n"
    "\n"
    "Depend on\n"
    "  --format json: versioned by its member schema; members are added,\n"
    "  never renamed. topfn schema REPORT prints its JSON Schema.\n"
    "  --format csv: the rows alone; top --columns label,exclusive chooses.\n"
    "  -n 0: all rows. --quiet: nothing on stderr but errors.\n"
    "  Exit status: 0 done, 1 gate failed, 2 gate cannot tell, 64 usage,\n"
    "  65 not a profile, 66 no such file, 70 a bug, 73 and 74 cannot write.\n"
    "\n"
    "topfn help COMMAND lists its options; topfn help filters, formats,\n"
    "symbols, database and json are pages on those.\n";

static enum status run(const struct command *command, const struct options *o,
                       const char *const *arguments, size_t count)
{
    struct out *out;
    struct err err = {0};

    (void)command;
    (void)o;
    if (count) {
        say("guide takes no argument: \"%s\"", arguments[0]);
        return STATUS_USAGE;
    }
    out = out_stream(stdout);
    out_str(out, guide);
    if (out_close(out, &err))
        return STATUS_OK;
    say("%s", err.message);
    return STATUS_CANNOT_WRITE;
}

const struct command guide_command = {
    .name = "guide",
    .arguments = "",
    .help = "one page for scripts and assistants",
    .run = run,
    .stands_alone = true,
};

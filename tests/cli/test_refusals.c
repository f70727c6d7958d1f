/* What is asked for in vain, and what a person is told of it: one line. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

#define ORDERS "testdata/etl/orders.etl"
#define ROUNDS "testdata/etl/rounds.etl"
#define MIXER  "testdata/etl/mixer.etl"
#define HELP   "; try 'topfn help'"

static const struct {
    const char *line;
    int status;
    const char *message;
} refused[] = {
    {"--quiet", 64, "no input file given; try 'topfn FILE' or 'topfn help'"},
    {"tpo", 66, "\"tpo\" is neither a command nor a file"},
    {"./tpo", 66, "./tpo: No such file or directory"},
    {"guide x", 64, "guide takes no argument: \"x\""},
    {"help nonsense", 64, "no command \"nonsense\"; topfn help lists them"},
    {"export " ORDERS " --to speedscope -o x.pb.gz --with-thread", 64,
     "--to speedscope takes neither --with-process nor --with-thread"},
    {"export " ORDERS " --to pprof --lines", 64,
     "--to pprof takes neither --with-module nor --lines nor --marks"},
    {"export " ORDERS " --to collapsed --to collapsed -n 3", 64,
     "topfn export takes no --limit; topfn help export shows what it takes"},
    {"query", 64, "no file named after query"},
    {"query " ORDERS " nowhere.etl 'SELECT 1'", 66,
     "nowhere.etl: cannot be read"},
    {"query nowhere.etl 'SELECT 1'", 66, "nowhere.etl: cannot be read"},
    {"query " ORDERS " 'SELECT 1' --attach a=nowhere", 66,
     "nowhere: cannot be read"},
    {"query " ORDERS " 'SELECT 1' --attach =nowhere", 64,
     "--attach: not a valid NAME=FILE: \"=nowhere\" (another trace or "
     "database, as NAME.table; may repeat)" HELP},
    {"query " ORDERS " 'SELECT 1' --attach a", 64,
     "--attach: not a valid NAME=FILE: \"a\" (another trace or database, as "
     "NAME.table; may repeat)" HELP},
    {"query " ORDERS " 'SELECT 1' --attach a=", 64,
     "--attach: not a valid NAME=FILE: \"a=\" (another trace or database, as "
     "NAME.table; may repeat)" HELP},
    {"query " ORDERS " 'SELECT 1' --param =1", 64,
     "--param: not a valid NAME=VALUE: \"=1\" (value of :NAME in the SQL; may "
     "repeat)" HELP},
    {"query " ORDERS " 'SELECT 1' --param n", 64,
     "--param: not a valid NAME=VALUE: \"n\" (value of :NAME in the SQL; may "
     "repeat)" HELP},
    {"query " ORDERS " @nowhere.sql", 66,
     "nowhere.sql: No such file or directory"},
    {"query " ORDERS " @testdata/etl/orders.etl", 65,
     ORDERS ": not a text of SQL"},
    {"query " ORDERS " " ORDERS, 64,
     "no SQL: topfn query FILE \"SELECT ...\", or @FILE"},
    {"query " ORDERS " 'SELECT * FROM nowhere' -q", 64,
     "no such table: nowhere"},
    {"query " ORDERS " 'SELECT nothing FROM sample'", 64,
     "near \"nothing\": syntax error"},
    {"query " ORDERS " 'SELECT 1' -o /proc/nowhere/x", 73,
     "/proc/nowhere/x: cannot create: No such file or directory"},
    {"query --schema -o /proc/nowhere/x", 73,
     "/proc/nowhere/x: cannot create: No such file or directory"},
    {"diff " ORDERS, 64,
     "two files to compare, or --before and --after with runs of each"},
    {"diff " ORDERS " " ROUNDS " " MIXER, 64,
     "two files to compare, or --before and --after with runs of each"},
    {"diff " ORDERS " --before " ROUNDS " --after " MIXER, 64,
     ORDERS " stands before --before and --after"},
    {"diff --before " ROUNDS, 64, "no file for AFTER"},
    {"diff --after " ROUNDS, 64, "no file for BEFORE"},
    {"diff --before --after " ROUNDS, 64, "no file for BEFORE"},
    {"diff --before " ROUNDS " --after", 64, "no file for AFTER"},
    {"diff --before " ORDERS " " ROUNDS " " ROUNDS " --after " MIXER, 64,
     ROUNDS " is given twice as a run of BEFORE"},
    {"diff " ORDERS " " ORDERS " --history nowhere", 66,
     "nowhere: No such file or directory"},
    {"diff " ORDERS " nowhere.etl", 66,
     "nowhere.etl: No such file or directory"},
    {"diff nowhere.etl " ORDERS, 66, "nowhere.etl: No such file or directory"},
    {"diff " ORDERS " " ROUNDS " --by kind", 64, "diff has no --by kind"},
    {"diff " ORDERS " " ROUNDS " --by nonsense", 64,
     "--by: unknown value \"nonsense\" (function, module, process, thread, "
     "file, line, address, kind, label)" HELP},
    {"diff " ORDERS " " ROUNDS " --paths --by module", 64,
     "diff has no --by module of call paths"},
    {"diff " ORDERS " " ROUNDS " --explain some", 64,
     "--explain: not a valid number: \"some\""},
    {"diff " ORDERS " " ROUNDS " --explain ''", 64,
     "--explain: not a valid WHAT: \"\" (diff: changes to explain by calls "
     "(3); symbols: a module)" HELP},
    {"diff " ORDERS " testdata/collapsed/rounds.txt --normalize cpu", 64,
     ORDERS " has cpu-samples, testdata/collapsed/rounds.txt has samples: not "
            "comparable; --force compares them all the same"},
    {"diff " ORDERS " testdata/nettrace/waiting.nettrace", 64,
     ORDERS
     " has cpu-samples, testdata/nettrace/waiting.nettrace has thread-samples: "
     "not comparable; --force compares them all the same"},
    {"diff testdata/collapsed/rounds.txt " ROUNDS " --normalize wall --force",
     64,
     "testdata/collapsed/rounds.txt: the interval of its samples is not known; "
     "--normalize total compares shares"},
    {"diff " ORDERS " " ROUNDS " --rename =x", 64,
     "--rename: not a valid OLD=NEW: \"=x\" (function OLD in BEFORE is NEW in "
     "AFTER; may repeat)" HELP},
    {"diff " ORDERS " " ROUNDS " --rename x=", 64,
     "--rename: not a valid OLD=NEW: \"x=\" (function OLD in BEFORE is NEW in "
     "AFTER; may repeat)" HELP},
    {"diff " ORDERS " " ROUNDS " --rename x", 64,
     "--rename: not a valid OLD=NEW: \"x\" (function OLD in BEFORE is NEW in "
     "AFTER; may repeat)" HELP},
    {"diff " ORDERS " " ROUNDS " --rename operator==", 64,
     "--rename: not a valid OLD=NEW: \"operator==\" (function OLD in BEFORE is "
     "NEW in AFTER; may repeat)" HELP},
    {"diff " ORDERS " " ROUNDS " --relevant 101%", 64,
     "--relevant: not a valid PERCENT: \"101%\" (smallest relevant change, % "
     "of the total (0.1; gate 0.5))" HELP},
    {"diff " ORDERS " " ROUNDS " --relevant x", 64,
     "--relevant: not a valid PERCENT: \"x\" (smallest relevant change, % of "
     "the total (0.1; gate 0.5))" HELP},
    {"gate " ORDERS " " ROUNDS, 64,
     "gate needs a limit: --max-regression 5%, --max-regression GLOB=5%, "
     "--max-total 5% or --require GLOB"},
    {"gate " ORDERS " " ROUNDS " --max-regression =5%", 64,
     "--max-regression: not a valid [GLOB=]P%: \"=5%\" (limit for each "
     "function, or for those GLOB matches)" HELP},
    {"gate " ORDERS " " ROUNDS " --require ''", 64,
     "--require: not a valid GLOB: \"\" (fail unless AFTER has samples of this "
     "function)" HELP},
    {"gate " ORDERS " " ROUNDS " --max-regression 1000%", 64,
     "--max-regression: not a valid [GLOB=]P%: \"1000%\" (limit for each "
     "function, or for those GLOB matches)" HELP},
    {"gate " ORDERS " " ROUNDS " --max-total x", 64,
     "--max-total: not a valid P%: \"x\" (limit for all samples together; not "
     "with shares)" HELP},
    {"gate " ORDERS " " ROUNDS " --max-regression 5% --junit /proc/nowhere/x",
     73, "/proc/nowhere/x: cannot create: No such file or directory"},
    {"gate " ORDERS " " ROUNDS " --max-regression 5% --inconclusive maybe", 64,
     "--inconclusive: unknown value \"maybe\" (pass, fail, 2)" HELP},
    {"page " ORDERS " --normalize cpu", 64,
     "--normalize is for two sides: --diff BEFORE AFTER"},
    {"page " ORDERS " --source x", 64,
     "--source and --source-map go with --with-source"},
    {"page " ORDERS " --source-map a=b", 64,
     "--source and --source-map go with --with-source"},
    {"page --diff " ORDERS " " ROUNDS " --explain some", 64,
     "topfn page takes no --explain; topfn help page shows what it takes"},
    {"page --diff " ORDERS, 64,
     "two files to compare, or --before and --after with runs of each"},
    {"top " ORDERS " --by label", 64,
     "--by label is for fleets, and for what topfn merge makes"},
    {"top " ORDERS " --by", 64, "--by needs a value: WHAT" HELP},
    {"top " ORDERS " --width x", 64,
     "--width: not a valid COLUMNS: \"x\" (width of text in columns; 0 = no "
     "limit)" HELP},
    {"top " ORDERS " --source-map a=", 64,
     "--source-map: not a valid FROM=TO: \"a=\" (source paths that begin with "
     "FROM are in TO; may repeat)" HELP},
    {"top " ORDERS " --source-map =b", 64,
     "--source-map: not a valid FROM=TO: \"=b\" (source paths that begin with "
     "FROM are in TO; may repeat)" HELP},
    {"list x " ORDERS " --source ''", 64,
     "--source: not a valid DIR: \"\" (read source files below DIR; may "
     "repeat)" HELP},
    {"list x " ORDERS " --source-map a=", 64,
     "--source-map: not a valid FROM=TO: \"a=\" (source paths that begin with "
     "FROM are in TO; may repeat)" HELP},
    {"list x " ORDERS " --source-map =b", 64,
     "--source-map: not a valid FROM=TO: \"=b\" (source paths that begin with "
     "FROM are in TO; may repeat)" HELP},
    {"list x", 64, "topfn list needs a function and a file"},
    {"annotate x", 64, "topfn annotate needs a function and a file"},
    {"callers x", 64, "topfn callers needs a function and a file"},
    {"tree " ORDERS " --root Nobody", 64,
     "no sampled function is called \"Nobody\""},
    {"tree " ORDERS " --to Nobody", 64,
     "topfn tree takes no --to: --show-to FUNCTION ends stacks at a function, "
     "--server ADDRESS names a fleet"},
    {"tree " ORDERS " --show-to ''", 64,
     "--show-to: not a valid FUNCTION: \"\" (end stacks at this function; drop "
     "other samples)" HELP},
    {"series " ORDERS, 64, "two recordings or more make a series"},
    {"series " ORDERS " " ROUNDS
     " testdata/nettrace/waiting.nettrace --order name",
     64,
     ORDERS " has cpu-samples, testdata/nettrace/waiting.nettrace has "
            "thread-samples: not comparable"},
    {"series " ORDERS " nowhere.etl " MIXER, 66,
     "nowhere.etl: No such file or directory"},
    {"runs a b", 64, "runs is about one fleet"},
    {"runs " ORDERS, 64,
     ORDERS ": not the address of a fleet: clickhouse://host/database"},
    {"runs clickhouse://", 64,
     "clickhouse://: expected clickhouse://[user@]host[:port]/database"},
    {"top clickhouse://127.0.0.1/none " ORDERS, 64,
     "a fleet is asked alone: clickhouse://127.0.0.1/none and another input do "
     "not add up"},
    {"top clickhouse://127.0.0.1/none --periods", 64,
     "clickhouse://127.0.0.1/none: a fleet holds the weights it was sent: "
     "choose "
     "them when pushing"},
    {"runs clickhouse://localhost/x --since 30", 64,
     "--since: not a valid TIME: \"30\" (fleet: only recordings of the last "
     "7d, 12h, 30m)" HELP},
    {"push " ORDERS, 64,
     "push needs a fleet to send to: --server clickhouse://host/database"},
    {"push " ORDERS " --server " ROUNDS, 64,
     "push needs a fleet to send to: --server clickhouse://host/database"},
    {"push --server clickhouse://localhost/x", 64, "push needs a FILE"},
    {"push " ORDERS " --server clickhouse://", 64,
     "clickhouse://: expected clickhouse://[user@]host[:port]/database"},
    {"push " ORDERS " --server clickhouse://localhost/x --label a", 64,
     "--label: not a valid KEY=VALUE: \"a\" (label of the recordings: "
     "version=2.1; may repeat)" HELP},
    {"push " ORDERS " --server clickhouse://localhost/x --label =a", 64,
     "--label: not a valid KEY=VALUE: \"=a\" (label of the recordings: "
     "version=2.1; may repeat)" HELP},
    {"push " ORDERS " --server clickhouse://localhost/x --slice 0", 64,
     "--slice: not a valid TIME: \"0\" (time resolution of samples "
     "(10s))" HELP},
    {"push " ORDERS " --server clickhouse://localhost/x --slice x", 64,
     "--slice: not a valid TIME: \"x\" (time resolution of samples "
     "(10s))" HELP},
    {"top " ORDERS " --time 20", 64,
     "--time: not a valid FROM,TO: \"20\" (only this range: 1.5s,2s or ,200ms "
     "or 25%,50%)" HELP},
    {"top " ORDERS " --cpu 1,", 64,
     "--cpu: not a valid N,N-N: \"1,\" (only these processors: 0,2-5)" HELP},
    {"top " ORDERS " --cpu ''", 64,
     "--cpu: not a valid N,N-N: \"\" (only these processors: 0,2-5)" HELP},
    {"top " ORDERS " --kind kernel,native", 64,
     "--kind: unknown value \"kernel,native\" (kernel, native, managed, "
     "script, jit, unknown)" HELP},
    {"top " ORDERS " --tier tier9", 64,
     "--tier: unknown value \"tier9\" (unknown, precompiled, minopts, "
     "optimized, tier0, tier1, osr)" HELP},
    {"top " ORDERS " --pid x", 64,
     "--pid: not a valid N: \"x\" (the same as --process N)" HELP},
    {"top " ORDERS " --tid 4294967296", 64,
     "--tid: not a valid N: \"4294967296\" (the same as --thread N)" HELP},
    {"top " ORDERS " --process ''", 64,
     "--process: not a valid WHICH: \"\" (only these processes: name, id or "
     "glob; may repeat)" HELP},
    {"top " ORDERS " --process '!'", 64,
     "--process: not a valid WHICH: \"!\" (only these processes: name, id or "
     "glob; may repeat)" HELP},
    {"top " ORDERS " --thread 're:('", 64,
     "--thread: not a valid WHICH: \"re:(\" (only these threads: id, name or "
     "glob; may repeat)" HELP},
    {"top " ORDERS " --module '!re:('", 64,
     "--module: not a valid GLOB: \"!re:(\" (only samples with this module on "
     "their stack)" HELP},
    {"top " ORDERS " --focus ''", 64,
     "--focus: not a valid FUNCTION: \"\" (only samples with this function on "
     "their stack)" HELP},
    {"top " ORDERS " --group 'a'", 64,
     "--group: not a valid RULE: \"a\" (PATTERN->NAME or =>NAME; modules, "
     "just-my-code, ...)" HELP},
    {"top " ORDERS " --between ''", 64,
     "--between: not a valid EVENT,EVENT: \"\" (only from each first event to "
     "the next second event)" HELP},
    {"top " ORDERS " --between ,x", 64,
     "--between: not a valid EVENT,EVENT: \",x\" (only from each first event "
     "to the next second event)" HELP},
    {"top " ORDERS " --max-memory 5", 64,
     "topfn top takes no --max-memory; topfn help top shows what it takes"},
    {"query " ORDERS " 'SELECT 1' --max-memory 5x", 64,
     "--max-memory: not a valid SIZE: \"5x\" (memory limit of a statement: "
     "512M, 2G; 0 = none (1G))" HELP},
    {"query " ORDERS " 'SELECT 1' --max-time 5x", 64,
     "--max-time: not a valid TIME: \"5x\" (time limit of a statement; 0 = "
     "none (60s))" HELP},
    {"events " ORDERS " " ROUNDS " --follow", 64, "--follow takes one file"},
    {"events " ORDERS " --follow --time 10%,20%", 64,
     "--time: with --follow in seconds, not percent"},
    {"events " ORDERS " --process '!orders.exe'", 64,
     "--process: of events without a \"!\""},
    {"events " ORDERS " --process nobody.exe", 64,
     "no process \"nobody.exe\" in the trace"},
    {"events " ORDERS " --mode nonsense", 64,
     "--mode: unknown value \"nonsense\" (table, compact, fnames, full, "
     "meta)" HELP},
    {"events " ORDERS " --provider ''", 64,
     "--provider: not a valid WHICH: \"\" (only events of these providers: "
     "name, GUID or glob)" HELP},
    {"events nowhere.etl", 66, "nowhere.etl: No such file or directory"},
    {"events " ORDERS " -o /proc/nowhere/x", 73,
     "/proc/nowhere/x: cannot create: No such file or directory"},
    {"info nowhere.etl", 66, "nowhere.etl: No such file or directory"},
    {"import", 64, "no file named after import" HELP},
    {"import nowhere.etl", 66, "nowhere.etl: No such file or directory"},
    {"import " ORDERS " -o /proc/nowhere/x", 73,
     "/proc/nowhere/x: cannot create: No such file or directory"},
    {"merge " ORDERS " " ROUNDS, 64,
     "merge needs the name of a database: -o FILE"},
    {"merge " ORDERS " nowhere.etl -o x", 66,
     "nowhere.etl: No such file or directory"},
    {"merge " ORDERS, 64, "merge needs the name of a database: -o FILE"},
    {"symbols " ORDERS " --explain nothing", 64,
     "no sampled module is called \"nothing\""},
    {"symbols nowhere.etl", 66, "nowhere.etl: No such file or directory"},
    {"resolve", 64, "no file named after resolve" HELP},
    {"resolve testdata/pdb/mixer.exe 1000 12345678901234567", 64,
     "not an address: 12345678901234567"},
    {"resolve testdata/pdb/mixer.exe -- -1", 64, "not an address: -1"},
    {"resolve testdata/pdb/mixer.exe 0x", 64, "not an address: 0x"},
    {"resolve testdata/pdb/mixer.exe ''", 64, "not an address: "},
    {"resolve nowhere.exe 1000", 66, "nowhere.exe: No such file or directory"},
    {"schema nothing", 64,
     "no report \"nothing\" has JSON; topfn schema lists them"},
    {"top " ORDERS " --symbols ''", 64,
     "--symbols: not a valid PATH: \"\" (a debug file, folder or symbol store; "
     "may repeat)" HELP},
    {"top " ORDERS " --threads x", 64,
     "--threads: not a valid N: \"x\" (threads to read with; 0 = one per "
     "core)" HELP},
    {"top " ORDERS " --min x", 64,
     "--min: not a valid PERCENT: \"x\" (drop branches below this percentage "
     "(0.5))" HELP},
    {"tree " ORDERS " --min 101", 64,
     "--min: not a valid PERCENT: \"101\" (drop branches below this percentage "
     "(0.5))" HELP},
    {"tree " ORDERS " --depth x", 64,
     "--depth: not a valid N: \"x\" (levels to show: tree (all), callers "
     "(1))" HELP},
    {"timeline " ORDERS " --buckets 100000", 64,
     "--buckets: not a valid N: \"100000\" (number of intervals (32))" HELP},
    {"top " ORDERS " -n", 64, "-n needs a value: N" HELP},
    {"top " ORDERS " -n 1 -z", 64, "unknown option -z" HELP},
    {"flame " ORDERS " --format json", 64, "flame writes text"},
    {"export " ORDERS " --to nonsense -o x.json", 64,
     "--to: unknown value \"nonsense\" (pprof, speedscope, firefox, "
     "cpuprofile, "
     "callgrind, collapsed, perfetto)"},
    {"folded " ORDERS " --format xml", 64,
     "--format: unknown value \"xml\" (text, json, csv, md)" HELP},
    {"top " ORDERS " --colour maybe", 64, "unknown option --colour" HELP},
};

TEST_LOOP(every_mistake_is_named, COUNT(refused))
{
    size_t i = (size_t)_i;
    struct program_run run;
    char wanted[400];

    snprintf(wanted, sizeof(wanted), "topfn: %s\n", refused[i].message);
    program_run(&run, refused[i].line, NULL);
    ck_assert_str_eq(run.err, wanted);
    ck_assert_int_eq(run.status, refused[i].status);
    program_release(&run);
}

/*
 * option_list - every option, in the order of help; a row is all of it.
 *
 * Included where OPTION and FIELD are defined: an OPTION is one whose target
 * (option_table.c) is there already; a FIELD is a member of struct options,
 * too, which its row declares. `help` is one line. `manual` is for the man
 * page: `literal`, <variable>; without it, the line is used.
 */
OPTION(.name = "limit", .letter = 'n', .argument = "N",
       .use = TAKES_RANK | TAKES_DIFF | TAKES_FUNCTIONS | TAKES_TIMELINE |
              TAKES_SERIES | TAKES_CONTENTS | USE_EVENTS | USE_MOMENTS,
       NUMBER(report.rows, SIZE_MAX),
       .help = "rows or functions; 0 = all (default 30; events: all)",
       .manual = "Number of rows. With a named function, the number of "
                 "functions shown, and of callers and callees for each. 0 "
                 "shows all; the default is 30, for `events` all. JSON has the "
                 "full number in <total_rows> or <total_functions>. `info`: "
                 "the entries of its lists of processes and events; JSON that "
                 "leaves some out has <total_processes> and <total_events>.")
FIELD(enum event_mode, event_mode, .name = "mode", .argument = "MODE",
      .use = USE_EVENTS, NAMES(event_mode, event_mode_name),
      .help = "table (default), compact, fnames, full or meta",
      .manual = "Output of `events`: a `table` of providers and events; a row "
                "for each event with its values (`compact`), with <Name=value> "
                "pairs (`fnames`) or with a column for each property (`full`); "
                "or the fields of events (`meta`).")
FIELD(const char *, separator, .name = "separator", .argument = "TEXT",
      .use = USE_EVENTS, TEXT(separator),
      .help = "separator of values in UserData (|)",
      .manual = "Separator of the values in <UserData>; the default is |.")
FIELD(struct words, providers, .name = "provider", .repeats = true,
      .argument = "WHICH", .use = USE_EVENTS, LIST(providers, is_not_empty),
      .help = "only events of these providers: name, GUID or glob",
      .manual = "Only events of the providers with this name (without regard "
                "to case) or GUID; * and ? as in a shell. Several are "
                "separated by commas. May be repeated.")
FIELD(const char *, provider_columns, .name = "providers",
      .argument = "WHICH", .use = USE_EVENTS, TEXT(provider_columns),
      .help = "full, meta: providers to describe, or a file of them",
      .manual = "For the modes `full` and `meta`: the providers whose "
                "properties become columns, as names or GUIDs separated by "
                "commas, or a file with one per line. The default is all "
                "providers in the trace.")
FIELD(unsigned, event_level, .name = "level", .argument = "N",
      .use = USE_EVENTS, NUMBER(event_level, 255),
      .help = "only events of this level or more severe ones",
      .manual = "Only events of this level or a more severe one: 1 critical, 2 "
                "error, 3 warning, 4 information, 5 verbose.")
FIELD(uint64_t, event_keywords, .name = "keywords", .argument = "BITS",
      .use = USE_EVENTS, NUMBER(event_keywords, UINT64_MAX),
      .help = "only events with any of these keyword bits",
      .manual = "Only events that have any of these keyword bits, given as a "
                "number.")
FIELD(bool, event_stacks, .name = "stacks", .use = USE_EVENTS,
      FLAG(event_stacks),
      .help = "the call stack of each event",
      .manual = "Adds a column <Stack> with the functions on the event's call "
                "stack, innermost first. The trace is read once before, "
                "because module positions and names are complete only at its "
                "end. With `--follow`, stacks are addresses, and stacks that a "
                "Windows log stores apart from their events are missing.")
FIELD(bool, follow, .name = "follow", .use = USE_EVENTS, FLAG(follow),
      .help = "read a trace from a pipe while it is written",
      .manual = "Reads a trace from a pipe (- or a named pipe) while it is "
                "written, and shows each event as soon as no earlier one can "
                "follow. The buffers of a Windows log arrive CPU by CPU, so an "
                "event waits until each CPU has reached its time, or until "
                "four more buffers of each CPU have arrived. An event's schema "
                "must arrive before the event.")
OPTION(.name = "context", .argument = "N", .use = TAKES_CONTEXT,
       NUMBER(report.context, 1000000),
       .help = "source lines around sampled ones (3)",
       .manual = "Number of lines before and after those with samples; the "
                 "default is 3. A function whose samples span at most 50 lines "
                 "is shown as a whole.")
OPTION(.name = "sort", .argument = "COUNT",
       .use = TAKES_RANK | TAKES_DIFF | TAKES_GATE | TAKES_TIMELINE |
              TAKES_PAGE,
       WORDS(report.sort, {"exclusive", SORT_EXCLUSIVE},
             {"inclusive", SORT_INCLUSIVE}),
       .help = "exclusive (default) or inclusive",
       .manual = "The count to sort by. For `diff` and `gate`, the count that "
                 "is compared. Exclusive counts samples taken in the function "
                 "itself. Inclusive counts samples with the function on their "
                 "stack; a recursive function counts once per sample.")
OPTION(.name = "by", .argument = "WHAT",
       .use = TAKES_RANK | TAKES_DIFF | TAKES_TIMELINE | TAKES_TREE |
              TAKES_CALLERS | TAKES_STACKS | TAKES_PAGE | TAKES_GATE,
       .set = set_by, .name_of = rank_by_name,
       .help = "function, module, process, thread, file, line, ...",
       .manual = "Kind of rows. With `--event`, also the name of a field of "
                 "the event: <TypeName> for allocations by type. "
                 "Call stacks begin with its value then, in a module "
                 "<[TypeName]>, so that trees, graphs, exports and pages "
                 "are grouped by it and can be filtered by it. "
                 "Only `top`, `timeline` and `diff` take the other kinds. "
                 "Rows of wait are running, ready and blocked with the "
                 "reason, for `--event thread-time`, `blocked`, `ready` and "
                 "`running`. `diff` does not accept address, kind, wait and "
                 "label. Labels are those of recordings in a fleet that "
                 "`--over` names; in a merged database, they are its inputs. "
                 "With thread samples, functions that only wait are marked in "
                 "the column <waits>.")
OPTION(.name = "waits", .use = TAKES_RANK | TAKES_TREE | TAKES_FUNCTIONS,
       FLAG(report.waits),
       .help = "count samples of waiting threads, too",
       .manual = "With thread samples, counts the samples of waiting threads, "
                 "too, and marks functions that only wait. Otherwise text and "
                 "Markdown have the samples of running threads, as the "
                 "first line says, and `top` sums up the others below its "
                 "table. A thread waits in a "
                 "function that is known to wait, or if all its samples have "
                 "the same call stack, in native code. JSON and CSV always "
                 "have all samples.")
OPTION(.name = "columns", .argument = "NAMES", .use = TAKES_COLUMNS,
       TEXT(report.columns), .offers_columns = true,
       .help = "columns of text, CSV, Markdown: function,exclusive",
       .manual = "Columns of the table in text, CSV and Markdown, in this "
                 "order, separated by commas. A column is named by its heading "
                 "or by its JSON member. JSON always has all members. The column "
                 "`ms`, sampled CPU time, is shown only by name. With "
                 "this option, the text of `symbols`, `resolve` and `gate` is "
                 "a table. For `query`, choose columns in SQL.")
OPTION(.name = "when", .use = TAKES_WHEN, FLAG(report.when),
       .help = "add a column that draws samples over time",
       .manual = "Adds a column <when>: the inclusive samples in each of 32 "
                 "equal intervals of the selected time, relative to the "
                 "largest interval of the row. On a narrow screen, two or four "
                 "intervals share a character. JSON and CSV have numbers.")
OPTION(.name = "buckets", .argument = "N", .use = TAKES_TIMELINE,
       NUMBER(report.buckets, BUCKETS_MOST),
       .help = "number of intervals (32)",
       .manual = "Number of equal intervals that the time is divided into; the "
                 "default is 32.")
OPTION(.name = "depth", .argument = "N", .use = TAKES_TREE | TAKES_CALLERS,
       NUMBER(report.depth, UINT32_MAX - 1),
       .help = "levels to show: tree, wakers (all), callers (1)",
       .manual = "Number of levels. The default of `tree` and `wakers` is 0, "
                 "all levels. "
                 "The default of `callers` is 1; with more, the callers and "
                 "callees are drawn as two trees, which begin at the first "
                 "call of the function on each stack; JSON and CSV have one "
                 "level.")
OPTION(.name = "min", .argument = "PERCENT", .use = TAKES_TREE | TAKES_CALLERS,
       HUNDREDTHS(report.min),
       .help = "drop branches below this percentage (0.5)",
       .manual = "Drops branches with less than this percentage of the "
                 "samples; the default is 0.5. A line below the tree counts "
                 "them.")
OPTION(.name = "bottom-up", .use = TAKES_TREE, FLAG(report.bottom_up),
       .help = "show sampled functions and their callers below them")
OPTION(.name = "no-processes", .use = TAKES_TREE, FLAG(report.no_processes),
       .help = "one tree for all processes",
       .manual = "Shows one tree for the code of all processes. Without it, "
                 "the text of a tree has processes at the top if there are "
                 "several. JSON and CSV never have them.")
OPTION(.name = "no-threads", .use = TAKES_TREE, FLAG(report.no_threads),
       .help = "one tree for all threads of a process",
       .manual = "Shows one tree for all threads of a process. Without it, the "
                 "text of a tree has threads below each process that has "
                 "several.")
OPTION(.name = "startup", .use = TAKES_TREE, FLAG(report.startup),
       .help = "show frames that start programs and threads",
       .manual = "Shows the frames with which the system, the C library and "
                 "the .NET runtime start programs and threads. Without it, "
                 "they are one row, [start-up], if named code follows them.")
OPTION(.name = "root", .argument = "FUNCTION", .use = TAKES_TREE,
       TEXT(report.root), .check = is_pattern, .rows = "function",
       .help = "only what FUNCTION called, from all its callers",
       .manual = "Shows the callees of this function from all its callers, or "
                 "with `--bottom-up` its callers. <FUNCTION> is a pattern as "
                 "for `callers`. Percentages are of all selected samples.")
OPTION(.name = "before", .use = TAKES_DIFF | TAKES_GATE | TAKES_FOLDED,
       .set = set_before,
       .help = "the files that follow are recordings of BEFORE",
       .manual = "The files that follow are recordings of <before>. With "
                 "several, the variance is estimated between recordings, which "
                 "includes the difference from one run of the program to the "
                 "next.")
OPTION(.name = "after", .use = TAKES_DIFF | TAKES_GATE | TAKES_FOLDED,
       .set = set_after,
       .help = "the files that follow are recordings of AFTER",
       .manual = "The files that follow are recordings of <after>.")
OPTION(.name = "history", .use = TAKES_DIFF | TAKES_GATE,
       .set = set_history,
       .help = "files or folders that follow are older recordings",
       .manual = "The files that follow, or all files in the folders that "
                 "follow, are earlier recordings of the same program as "
                 "<before>, for example of the main branch. They count as "
                 "recordings of <before>, which may be omitted then, and show "
                 "how much runs differ.")
FIELD(unsigned, order, .name = "order", .argument = "BY", .use = TAKES_SERIES,
      WORDS(order, {"time", SERIES_BY_TIME}, {"name", SERIES_BY_NAME}),
      .help = "sort recordings by time or by name",
      .manual = "Sorts recordings by the time they were made, or by file name. "
                "Without it, they are in the order of the command line, and by "
                "name within a folder.")
OPTION(.name = "with-source", .use = TAKES_PAGE, FLAG(report.with_source),
       .help = "include source lines and instructions",
       .manual = "Includes source lines of functions, only from below "
                 "`--source` and `--source-map`, and instructions of images "
                 "that were found. They are shown with the callers and callees "
                 "of a function.")
OPTION(.name = "page-size", .argument = "MB", .use = TAKES_PAGE,
       NUMBER(report.page_size, 1000),
       .help = "megabytes a page may have (3)",
       .manual = "Megabytes that a page may have; the default is 3. A larger "
                 "page keeps rarer stacks and shorter time steps.")
OPTION(.name = "interactive", .use = TAKES_FLAME, FLAG(report.interactive),
       .help = "add a script for zoom and search",
       .manual = "Adds a small script: a click on a box zooms in, Escape zooms "
                 "out, and `/` searches. Without it the image has no script.")
OPTION(.name = "normalize", .argument = "UNIT",
       .use = TAKES_DIFF | TAKES_GATE | TAKES_PAGE,
       NAMES(diff.options.normalize, normalize_name),
       .help = "others (percent; default), total, samples, wall, ...",
       .manual = "Unit of the comparison. `others` (default): percent, scaled "
                 "by the functions that did not change, so that a change in "
                 "one function does not change the others. `total`: percent of "
                 "all samples of a side; also used, with a note, if fewer than "
                 "8 functions with 20 samples per recording are common to "
                 "both sides. `samples`: samples, scaled to the length of the "
                 "shorter side. `wall`: milliseconds of CPU time per second. "
                 "`cpu`: milliseconds of CPU time per recording. `none`: "
                 "samples as they are.")
OPTION(.name = "paths", .use = TAKES_DIFF, FLAG(diff.options.paths),
       .help = "compare call paths instead of functions",
       .manual = "Compares call paths instead of functions.")
OPTION(.name = "all", .use = TAKES_DIFF | TAKES_CONTENTS, FLAG(report.all),
       .help = "diff: rows without a change too; info: complete lists",
       .manual = "`diff`: shows rows without a significant change too. `info`: "
                 "shows complete lists; without it, text has the first 20 "
                 "entries. JSON, CSV and Markdown always have all.")
OPTION(.name = "verbose", .use = TAKES_DIFF, FLAG(report.verbose),
       .help = "explain the comparison: statistics, paired names",
       .manual = "Explains the comparison: how the variance was estimated, "
                 "detection limits, <q> values, ratios, and functions that "
                 "were not paired by their exact names.")
OPTION(.name = "relevant", .argument = "PERCENT",
       .use = TAKES_DIFF | TAKES_GATE | TAKES_SERIES, .set = set_relevant,
       .help = "smallest relevant change, % of total (0.1; gate 0.5)",
       .manual = "The smallest relevant change, in percent of the total; the "
                 "default is 0.1, for `gate` 0.5. For `series`, functions "
                 "below this share in all recordings are ignored.")
OPTION(.name = "rename", .repeats = true, .argument = "OLD=NEW",
       .use = TAKES_DIFF | TAKES_GATE,
       .set = set_rename,
       .help = "function OLD in BEFORE is NEW in AFTER; may repeat",
       .manual = "Pairs a renamed function. Names are those in reports or in "
                 "JSON. May be repeated.")
OPTION(.name = "explain", .argument = "WHAT", .use = TAKES_DIFF | USE_EXPLAIN,
       .set = set_explain,
       .help = "diff: changes to explain (3); symbols: a module",
       .manual = "`diff`: the number of changes to explain by the call edges "
                 "that they come from; the default is 3. `symbols`: the module "
                 "to show in full detail.")
FIELD(const char *, bundle, .name = "bundle", .argument = "FOLDER",
      .use = USE_EXPLAIN, PATH(bundle),
      .help = "copy the symbol files in use to a folder",
      .manual = "Copies the symbol files that named the profile, and files that "
                "they refer to, to a folder that `--symbols` takes, with a list "
                "of their hashes, <topfn-symbols.lock>. Files that came in the "
                "recording and lists of kernel or generated code are left out, "
                "source files unless `--source` or `--source-map` allow them. "
                "Every command that is given the folder names files of the list "
                "that are missing or have another size; `topfn symbols` compares "
                "the hashes, too.")
OPTION(.name = "force", .use = TAKES_DIFF | TAKES_GATE, FLAG(diff.force),
       .help = "compare different kinds of samples",
       .manual = "Compares CPU samples with thread samples, which include "
                 "waiting threads.")
FIELD(const char *, to, .name = "to", .argument = "FORMAT",
      .use = TAKES_EXPORT, .set = set_export, .name_of = export_name,
      .elsewhere = "--show-to FUNCTION ends stacks at a function, --server "
                   "ADDRESS names a fleet",
      .help = "the format to write",
      .manual = "The format to write. By default it follows from the extension "
                "of the output file.")
OPTION(.name = "diff", .use = TAKES_SIDES, FLAG(diff.both),
       .help = "compare BEFORE and AFTER",
       .manual = "`folded` <before after>: two counts per line, as "
                 "`difffolded.pl` writes them; text only. `flame`: a graph of "
                 "each side; functions whose own change is certain have the "
                 "colour and arrow of more or less, all others are grey.")
OPTION(.name = "with-process", .use = TAKES_STACKS, FLAG(report.with_process),
       .help = "begin stacks with the process and its id",
       .manual = "Begins each stack with its process and id, \"orders.exe "
                 "(4410)\". `folded` and `flame` have the name anyway.")
OPTION(.name = "with-thread", .use = TAKES_STACKS, FLAG(report.with_thread),
       .help = "begin stacks with the thread",
       .manual = "Begins each stack with its thread, \"main (4411)\".")
OPTION(.name = "with-module", .use = TAKES_STACKS | USE_EVENTS,
       FLAG(report.with_module),
       .help = "write functions as module!function",
       .manual = "Writes functions with their modules, \"orders.exe!Run\".")
OPTION(.name = "lines", .use = TAKES_STACKS, FLAG(report.with_lines),
       .help = "write functions as function:file:line",
       .manual = "Writes functions with file and line, \"Run:orders.c:12\". "
                 "Each sampled line of a function counts separately.")
OPTION(.name = "marks", .use = TAKES_STACKS, FLAG(report.with_marks),
       .help = "suffixes: _[k] kernel, _[j] generated, _[i] inlined",
       .manual = "Adds FlameGraph's suffixes for colours: _[k] for kernel "
                 "code, _[j] for generated code, _[i] for inlined functions. "
                 "`export --to collapsed` has them anyway.")
OPTION(.name = "max-regression", .repeats = true, .argument = "[GLOB=]P%",
       .use = TAKES_GATE, .set = set_max_regression,
       .help = "limit for each function, or for those GLOB matches",
       .manual = "The limit for each function, in percent of its own time, or "
                 "for those that <GLOB> matches: `Shop.*=2%`. May be repeated: "
                 "the first pattern that matches applies. A limit is never "
                 "below the smallest relevant change.")
OPTION(.name = "max-total", .argument = "P%", .use = TAKES_GATE,
       .set = set_max_total,
       .help = "limit for all samples together",
       .manual = "The limit for all samples together, in CPU time per run "
                 "unless `--normalize` says otherwise. The default is that of "
                 "all functions.")
OPTION(.name = "require", .repeats = true, .argument = "GLOB",
       .use = TAKES_GATE,
       .set = set_require,
       .help = "fail unless AFTER has samples of this function",
       .manual = "Fails unless <after> has samples of a matching function. May "
                 "be repeated.")
OPTION(.name = "require-power", .use = TAKES_GATE,
       FLAG(diff.rules.require_power),
       .help = "pass only if a change beyond the limit is ruled out",
       .manual = "Passes a function only if the recordings rule out a change "
                 "beyond its limit with 95 % confidence. Else the gate is "
                 "inconclusive (status 2), and tells how many recordings per "
                 "side should be enough to decide.")
OPTION(.name = "min-share", .argument = "PERCENT", .use = TAKES_GATE,
       .set = set_min_share,
       .help = "functions below this share do not decide (1)",
       .manual = "The limit for all functions leaves out those below this share "
                 "of the samples on both sides (default 1). A limit with a "
                 "name always counts.")
OPTION(.name = "single", .use = TAKES_GATE, FLAG(diff.rules.single),
       .help = "decide with one recording per side",
       .manual = "Decides with one recording per side. The gate then takes runs "
                 "of a program to differ by 3 % of each function. Without it, "
                 "such a gate is inconclusive.")
OPTION(.name = "junit", .argument = "FILE", .use = TAKES_GATE,
       PATH(diff.junit),
       .help = "also write JUnit XML",
       .manual = "Also writes the findings as JUnit XML.")
OPTION(.name = "sarif", .argument = "FILE", .use = TAKES_GATE,
       PATH(diff.sarif),
       .help = "also write SARIF",
       .manual = "Also writes the findings as SARIF 2.1.0.")
FIELD(struct words, parameters, .name = "param", .repeats = true,
      .argument = "NAME=VALUE", .use = USE_QUERY,
      LIST(parameters, is_parameter),
      .help = "value of :NAME in the SQL; may repeat",
      .manual = "The value of `:`<NAME> in the SQL, or of the <NAME>th `?`. "
                "Numbers are passed as numbers, everything else as text. May "
                "be repeated.")
FIELD(struct words, attached, .name = "attach", .repeats = true,
      .argument = "NAME=FILE", .use = USE_QUERY, LIST(attached, is_pair),
      .help = "another trace or database, as NAME.table; may repeat",
      .manual = "Another trace or database. Its tables and views are "
                "<NAME>`.`<table> in the SQL. May be repeated.")
FIELD(int64_t, max_time, .name = "max-time", .argument = "TIME",
      .use = USE_QUERY, TIME(max_time),
      .help = "time limit of a statement; 0 = none (60s)",
      .manual = "Time limit of a statement, written as for `--time`; the "
                "default is 60 seconds, and 0 means no limit. Reading the "
                "trace does not count.")
FIELD(uint64_t, max_memory, .name = "max-memory", .argument = "SIZE",
      .use = USE_QUERY, SIZE(max_memory),
      .help = "memory limit of a statement: 512M, 2G; 0 = none (1G)",
      .manual = "Memory limit of a statement in addition to the tables, such "
                "as `512M` or `2G`; the default is `1G`, and 0 means no limit. "
                "Nothing is written to disk.")
FIELD(bool, sql_schema, .name = "schema", .use = USE_QUERY | USE_PUSH,
      FLAG(sql_schema),
      .help = "list tables and columns; push: print statements",
      .manual = "Lists every table, view and column with a description. "
                "`push`: prints the statements that create the database and "
                "its tables, and sends nothing.")
OPTION(.name = "process", .repeats = true, .argument = "WHICH",
       .use = USE_FILTER | USE_EVENTS | USE_MOMENTS,
       LIST(report.filter.processes, is_choice), .rows = "process",
       .help = "only these processes: name, id or glob; may repeat",
       .manual = "Only processes with this name (without regard to case) or "
                 "id; * and ? as in a shell. `re:` begins a regular "
                 "expression. A leading `!` excludes. May be repeated: a "
                 "process that any of them matches is kept.")
OPTION(.name = "thread", .repeats = true, .argument = "WHICH",
       .use = USE_FILTER | USE_EVENTS, LIST(report.filter.threads, is_choice),
       .rows = "thread",
       .help = "only these threads: id, name or glob; may repeat",
       .manual = "Only threads with this id or name, with the same patterns as "
                 "`--process`. `events` accepts only ids.")
OPTION(.name = "cpu", .repeats = true, .argument = "N,N-N",
       .use = USE_FILTER, .set = add_cpus,
       .help = "only these processors: 0,2-5",
       .manual = "Only samples taken on these processors, by number.")
OPTION(.name = "time", .argument = "FROM,TO",
       .use = USE_FILTER | USE_EVENTS | USE_MOMENTS, .set = set_time,
       .help = "only this range: 1.5s,2s or ,200ms or 25%,50%",
       .manual = "Only this range of time since the start of the recording: "
                 "`1.5s`, `200ms`, `3us`, `10ns`; plain numbers are seconds. "
                 "Percentages are of the duration: `25%,50%`. Either end may "
                 "be omitted.")
OPTION(.name = "between", .repeats = true, .argument = "EVENT,EVENT",
       .use = USE_FILTER, LIST(report.filter.between, is_between),
       .help = "only from each first event to the next second event",
       .manual = "Only the time between events, by the names that `topfn "
                 "events` lists. <GC/Start,GC/Stop> is the time from each "
                 "first event to the next second event, on any thread. If no "
                 "second event follows, the range ends with the recording. "
                 "<Process/Start> alone is the time from its first to its last "
                 "event. Names are patterns and may begin with the provider "
                 "and a slash. May be repeated. Only for traces with raw "
                 "events (Windows, .NET), not for databases.")
OPTION(.name = "focus", .repeats = true, .argument = "FUNCTION",
       .use = USE_FILTER, .set = add_focus,
       .rows = "function",
       .help = "only samples with this function on their stack",
       .manual = "Only samples with a matching function on their stack. The "
                 "pattern is a glob of the whole name, without regard to case; "
                 "without * and ?, the last parts of a name, `Cart.Total`, or "
                 "else any part of it, are enough. `re:` begins a regular "
                 "expression, which may match anywhere in the name. A pattern "
                 "with `!` matches <module>`!`<function>. See "
                 "topfn-filters(7). May be repeated: all must match.")
OPTION(.name = "ignore", .repeats = true, .argument = "FUNCTION",
       .use = USE_FILTER, LIST(report.filter.ignore, is_pattern),
       .rows = "function",
       .help = "only samples without this function on their stack",
       .manual = "Only samples without a matching function on their stack.")
OPTION(.name = "leaf", .repeats = true, .argument = "FUNCTION",
       .use = USE_FILTER, LIST(report.filter.leaves, is_pattern),
       .rows = "function",
       .help = "only samples taken in it; MODULE!*: in a module",
       .manual = "Only samples taken in a matching function; "
                 "<MODULE>`!*` is any function of a module. May be repeated: "
                 "any may match.")
OPTION(.name = "module", .repeats = true, .argument = "GLOB", .use = USE_FILTER,
       LIST(report.filter.modules, is_choice), .rows = "module",
       .help = "only samples with this module on their stack",
       .manual = "Only samples with a matching module on their stack, without "
                 "regard to case; * and ? as in a shell, or `re:`. Code "
                 "without an image is in `[jit]`, `[script]` or `[unknown]`. A "
                 "leading `!` excludes. May be repeated: any may match.")
OPTION(.name = "kind", .repeats = true, .argument = "KIND",
       .use = USE_FILTER, .set = add_kind, .name_of = leaf_kind_name,
       .help = "only samples in kernel, native, managed, ... code",
       .manual = "Only samples taken in code of this kind. `jit` is code "
                 "generated at run time, in any language. May be repeated: any "
                 "may match.")
OPTION(.name = "tier", .repeats = true, .argument = "TIER",
       .use = USE_FILTER, .set = add_tier, .name_of = code_tier_word,
       .help = "only samples in .NET code of this tier: tier0, ...",
       .manual = "Only samples taken in .NET methods of this JIT tier: "
                 "`precompiled`, `minopts`, `optimized`, `tier0`, `tier1`, "
                 "`osr` or `unknown`. May be repeated: any may match.")
OPTION(.name = "sample-type", .argument = "TYPE", .use = USE_FILTER,
       WORDS(report.filter.types, {"managed", SAMPLE_MANAGED},
             {"external", SAMPLE_EXTERNAL}, {"all", 0}),
       .help = ".NET thread samples: managed, external or all",
       .manual = "Which .NET thread samples: those in managed code, those of "
                 "threads in native code or waiting (external), or all.")
OPTION(.name = "include-idle", .use = USE_FILTER,
       FLAG(report.filter.include_idle),
       .help = "count samples of idle processors too",
       .manual = "Counts samples of idle processors too.")
OPTION(.name = "group", .repeats = true, .argument = "RULE", .use = USE_FRAMES,
       LIST(report.filter.groups, group_rule_is_valid), .offers = group_names,
       .help = "PATTERN->NAME or =>NAME; modules, just-my-code, ...",
       .manual = "Gives all functions that match one name, before all other "
                 "filters: `Shop.*->shop`. Adjacent frames of a group become "
                 "one frame, with the module and line of the outermost. With "
                 "`=>`, the function that enters the group keeps its name. "
                 "`$1` is the text of the first * of a glob, or of the first "
                 "parentheses: `*!*->$1`. `Shop.*->` leaves functions "
                 "unchanged. May be repeated: the first rule that matches "
                 "applies. Named rules: `modules`; `kernel`; `runtime`; "
                 "`namespaces:`<N>, the first <N> parts of names; "
                 "`just-my-code`, which shows only the entries into code of "
                 "the system, of runtimes and of packages.")
OPTION(.name = "mine", .repeats = true, .argument = "GLOB", .use = USE_FRAMES,
       LIST(report.filter.mine, is_pattern),
       .help = "just-my-code: modules or functions that are your own",
       .manual = "Modules or functions that `--group just-my-code` treats as "
                 "your own. Without it, code is your own unless its module or "
                 "path shows otherwise. May be repeated.")
OPTION(.name = "fold", .repeats = true, .argument = "FUNCTION|P%",
       .use = USE_FRAMES, .set = add_fold,
       .rows = "function",
       .help = "count these, or those below P %, for their callers",
       .manual = "Samples of matching functions count for their callers. The "
                 "total does not change: a sample without a caller is "
                 "[folded]. `1%` folds functions with less than this "
                 "percentage of the samples that `--process`, `--thread`, "
                 "`--cpu` and `--time` keep, inclusive.")
OPTION(.name = "show-from", .repeats = true, .argument = "FUNCTION",
       .use = USE_FRAMES, LIST(report.filter.show_from, is_pattern),
       .rows = "function",
       .help = "begin stacks at this function; drop other samples",
       .manual = "Begins stacks at the outermost matching function. Samples "
                 "without one are dropped.")
OPTION(.name = "show-to", .repeats = true, .argument = "FUNCTION",
       .use = USE_FRAMES, LIST(report.filter.to_any, is_pattern),
       .rows = "function",
       .help = "end stacks at this function; drop other samples",
       .manual = "Ends stacks at the outermost matching function, which then "
                 "has the samples of all its callees. Samples without one are "
                 "dropped.")
FIELD(bool, no_inlines, .name = "no-inlines", .use = USE_INLINES,
      FLAG(no_inlines),
      .help = "count inlined functions for their callers",
      .manual = "Samples of inlined functions count for the function that they "
                "were inlined into, at the line of the call. Without it, "
                "inlined functions are functions like others, and a column "
                "<inlined> shows how many of their samples were taken where "
                "they were inlined.")
FIELD(struct words, symbols, .name = "symbols", .repeats = true,
      .argument = "PATH", .use = USE_SYMBOLS, LIST(symbols, is_not_empty),
      .names_file = true,
      .help = "a debug file, folder or symbol store; may repeat",
      .manual = "Where to look for debug files: a file; a folder (also with "
                "the lists of generated code of a Linux recording, "
                "<perf-PID.map> and <jit-PID.dump>); a symbol store "
                "(<name>/<key>/<name>, also with compressed files <name.pd_>); "
                "or several of them separated by semicolons, also as "
                "`srv*`<store>`*`... and `cache*`<store>. Servers in it are "
                "asked only with `--online`. May be repeated.")
FIELD(bool, online, .name = "online", .use = USE_SYMBOLS, FLAG(online),
      .help = "ask symbol servers (default: no network)",
      .manual = "Downloads debug files that are in none of these places, for "
                "the modules with most samples first. Without it, the network "
                "is never used. PDBs and images come from the symbol servers "
                "in `--symbols` and `_NT_SYMBOL_PATH` "
                "(`srv*`<store>`*https://`<server> or the address alone), by "
                "default from <https://msdl.microsoft.com/download/symbols>. "
                "ELF debug files come from the servers in `DEBUGINFOD_URLS`. "
                "Downloaded files are kept in the last writable folder before "
                "the server in the chain, or in that of a `cache*`<store> "
                "element before it; otherwise in "
                "<$XDG_CACHE_HOME/topfn/symbols> or <~/.cache/topfn/symbols>. "
                "They are found there without this option too. A server that "
                "fails once is not asked again; each has 10 minutes and 8 GiB "
                "in all. At the end, a line for each server tells how many files "
                "it was asked for, how many it sent and why it failed; "
                "`--quiet` silences it. `topfn symbols --explain` shows the "
                "requests.")
FIELD(struct words, source_maps, .name = "source-map", .repeats = true,
      .argument = "FROM=TO", .use = TAKES_SOURCES, LIST(source_maps, is_pair),
      .help = "sources that begin with FROM are in TO; may repeat",
      .manual = "Source files whose paths begin with <FROM> are in <TO>. The "
                "longest <FROM> that matches applies. In Windows paths, both "
                "slashes are equal and case does not matter. May be repeated.")
FIELD(struct words, sources, .name = "source", .repeats = true,
      .argument = "DIR", .use = TAKES_SOURCES, LIST(sources, is_not_empty),
      .names_file = true, .help = "read source files below DIR; may repeat",
      .manual = "Allows source files below <DIR> to be read: at the path in "
                "the debug file, or at the longest tail of that path that "
                "exists. `--source .` is the current folder. A trace can name "
                "any file, so no file outside of these folders is opened, "
                "except where a map leads. The report names files that were "
                "not opened. May be repeated.")
FIELD(enum demangle_style, names, .name = "names", .argument = "HOW",
      .use = USE_SYMBOLS,
      WORDS(names, {"short", DEMANGLE_SHORT}, {"full", DEMANGLE_FULL},
            {"raw", DEMANGLE_NONE}),
      .help = "names: short (default), full or raw (as stored)",
      .manual = "Shows functions by `short` names, `Sorting<int>.Quick`, which "
                "are unique within a profile; by `full` names with namespaces "
                "and arguments; or by `raw` names as they are stored, with C++ "
                "and Rust names undecoded.")
OPTION(.name = "format", .argument = "FORMAT", .use = USE_FORMAT,
       NAMES(report.format, format_name),
       .help = "text (default), json, csv or md",
       .manual = "Output format. The <schema> member of JSON has a version. "
                 "Percentages have two decimals in JSON and CSV, one in text.")
OPTION(.name = "width", .argument = "COLUMNS", .use = USE_LAYOUT,
       NUMBER(report.width, 100000),
       .help = "width of text in columns; 0 = no limit",
       .manual = "Width of text in columns; 0 means no limit. The default is "
                 "the width of the terminal; text in a pipe or a file is not "
                 "shortened. If a name must be shortened, parameters and "
                 "namespaces go first, and the function's own name stays. From "
                 "120 columns on, `top` draws a bar beside each share.")
FIELD(enum colour_choice, colours, .name = "color", .argument = "WHEN",
      .use = USE_LAYOUT,
      WORDS(colours, {"auto", COLOUR_AUTO}, {"always", COLOUR_ALWAYS},
            {"never", COLOUR_NEVER}),
      .help = "auto (default: on a terminal), always or never",
      .manual = "Colours: on a terminal unless `NO_COLOR` is set (`auto`, the "
                "default), `always` or `never`.")
FIELD(const char *, output, .name = "output", .letter = 'o',
      .argument = "FILE", .use = USE_OUTPUT, PATH(output),
      .help = "write to FILE",
      .manual = "Writes to a file. The file appears when it is complete.")
FIELD(uint64_t, max_output, .name = "max-output", .argument = "SIZE",
      .use = USE_OUTPUT, SIZE(max_output),
      .help = "most bytes to write; 0 = no limit (32M + 8 x input)",
      .manual = "Limit of what a command writes, such as `512M` or `2G`; 0 "
                "means no limit. The default is `32M` and 8 times the size "
                "of the input files, because a small file can be made to "
                "fill a disk. Answers of `query`, and reports of folders, "
                "pipes and fleets, have no limit by default.")
FIELD(const char *, over, .name = "over", .argument = "KEY",
      .use = TAKES_SERIES | TAKES_RANK, TEXT(over), .check = where_is_key,
      .help = "fleet: a row per version (default), day, host, ...",
      .manual = "For a fleet (topfn-push(1)): the label whose values are the "
                "recordings of a series, or the rows of `--by label`; also "
                "<day>, <host> or <run>. They are sorted by the numbers in "
                "them. The default is `version`.")
FIELD(const char *, where, .name = "where", .argument = "CONDITION",
      .use = USE_FLEET, TEXT(where),
      .help = "fleet: only recordings with these labels",
      .manual = "For a fleet (topfn-push(1)): only recordings that match, such "
                "as `version=2.1 and service=orders`. A condition compares a "
                "label, or <host>, <os>, <file>, <format>, <metric>, <run> or "
                "<day>, with a value. = and != compare text, with * and ? as "
                "in a shell. <, <=, > and >= compare the numbers in the text: "
                "2.9 is before 2.10. Conditions are joined by `and`, `or`, "
                "`not` and parentheses.")
FIELD(int64_t, since, .name = "since", .argument = "TIME", .use = USE_FLEET,
      .set = set_since,
      .help = "fleet: only recordings of the last 7d, 12h, 30m",
      .manual = "For a fleet: only recordings that began within this time "
                "(`7d`, `12h`, `30m`), or on this day or later (`2026-11-01`, "
                "UTC).")
FIELD(const char *, server, .name = "server", .argument = "ADDRESS",
      .use = USE_PUSH, TEXT(server),
      .help = "the fleet to send to: clickhouse://host/database",
      .manual = "The fleet to send to, `clickhouse://host/database`.")
FIELD(struct words, labels, .name = "label", .argument = "KEY=VALUE",
      .repeats = true, .use = USE_PUSH, LIST(labels, is_label),
      .help = "label of the recordings: version=2.1; may repeat",
      .manual = "A label of the recordings, by which they can be selected "
                "later. Keys have letters, digits, _, - and dots. `host=` "
                "names the recorded machine if the recording does not.")
FIELD(const char *, cluster, .name = "cluster", .argument = "NAME",
      .use = USE_PUSH, TEXT(cluster),
      .help = "create tables on all servers of this cluster",
      .manual = "Creates tables that are distributed over the servers of this "
                "cluster of the server's configuration. Each server needs the "
                "tables; `push --schema --cluster NAME` prints the statements.")
FIELD(int64_t, slice_ns, .name = "slice", .argument = "TIME", .use = USE_PUSH,
      .set = set_slice,
      .help = "time resolution of samples (10s)",
      .manual = "Samples of a process with the same stack are added up within "
                "this time; the default is 10s. Shorter slices need more "
                "space.")
FIELD(unsigned, threads, .name = "threads", .argument = "N", .use = USE_LOAD,
      NUMBER(threads, 1024),
      .help = "threads to read with; 0 = one per core",
      .manual = "Number of threads that read the input; the default 0 means "
                "one per core. The output is always the same.")
FIELD(const char *, event, .name = "event", .argument = "NAME",
      .use = USE_LOAD | USE_EVENTS, TEXT(event),
      .offers = event_names,
      .help = "samples to count: cpu, thread, allocation, ...",
      .manual = "The samples to count: `cpu`, `thread`, `cswitch`, "
                "`allocation` or another event with call stacks, by its short "
                "name (topfn-formats(7)) or by the name in `topfn info`. The "
                "default is CPU or thread samples. `thread-time`, `blocked`, "
                "`ready` and `running` are the time of threads, and `wakers` "
                "is blocked time with the threads that ended it, if context "
                "switches were recorded. `events`: only events with "
                "this name, <Process/Start> or <Process>, or id; * and ? as in "
                "a shell, several separated by commas.")
FIELD(const char *, weight, .name = "weight", .argument = "WHAT",
      .use = USE_LOAD, TEXT(weight),
      .help = "what an event weighs: count, time, bytes or a field",
      .manual = "With `--event`: the weight of an event. `count`: 1. `time`: "
                "the time until the event that ends it, <Contention/Stop> for "
                "<Contention/Start>, on the same thread or in the same "
                "activity. `bytes`: its usual field of bytes. Else the name of "
                "a field of the event (`topfn events --mode meta`). By "
                "default, `allocation`, `disk-io` and `file-io` weigh bytes, "
                "`contention` and `wait` time, other events 1. For traces "
                "whose events have fields (Windows, .NET).")
FIELD(bool, thread_weights, .name = "dotnet-trace-weights", .use = USE_LOAD,
      FLAG(thread_weights),
      .help = ".NET: weight samples by the time to the next one",
      .manual = "For .NET recordings (<.nettrace>, <.netperf>): weights each "
                "sample by the microseconds to the next sample of its thread, "
                "as `dotnet-trace report` does, so that the two tables can be "
                "compared. Allocations, task events and the program's own "
                "events also begin and end an interval. The last sample of a "
                "thread has no weight. A database keeps the weights of its "
                "import. Not together with `--event`.")
FIELD(bool, periods, .name = "periods", .use = USE_LOAD, FLAG(periods),
      .help = "perf: count events instead of samples",
      .manual = "For Linux perf recordings and their databases: counts the "
                "events that each sample stands for, its period, as `perf "
                "report` does. Periods differ if the recorder sampled by "
                "frequency. Without it, `top` shows both shares.")
FIELD(bool, strict, .name = "strict", .use = USE_LOAD | USE_EVENTS,
      FLAG(strict),
      .help = "fail if a part could not be read",
      .manual = "Exits with status 65 if a part of the input is unreadable.")
FIELD(unsigned, help_form, .name = "as", .argument = "FORM", .use = USE_HELP,
      NAMES(help_form, help_form_name),
      .help = "text, or for packagers: bash, zsh, fish, roff",
      .manual = "Output of `help`: text; a completion script for `bash`, `zsh` "
                "or `fish`; or the option sections of the manual page.")
FIELD(bool, quiet, .name = "quiet", .letter = 'q', .use = USE_ALWAYS,
      FLAG(quiet),
      .help = "no warnings, hints or progress bar",
      .manual = "No warnings, hints or progress bar. Hints and the bar are "
                "shown only on a terminal.")
FIELD(bool, no_sandbox, .name = "no-sandbox",
      .use = USE_LOAD | USE_EVENTS, FLAG(no_sandbox),
      .help = "read files without the sandbox",
      .manual =
          "On Linux topfn reads files in a sandbox: it can open no file for "
          "writing, start no program and make no connection unless "
          "--online or a fleet asks for one. Output, pager and database are "
          "opened before. This option reads files without it, as for a "
          "profiler of topfn itself. topfn --version tells if the system "
          "allows a sandbox.")
FIELD(bool, help, .name = "help", .letter = 'h', .use = USE_ALWAYS, FLAG(help),
      .help = "show this help",
      .manual = "Shows help on a command.")
FIELD(bool, version, .name = "version", .use = USE_ALWAYS, FLAG(version),
      .help = "show the version",
      .manual = "Shows the version.")

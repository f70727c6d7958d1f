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
              TAKES_SERIES | USE_EVENTS,
       NUMBER(report.rows, SIZE_MAX),
       .help = "rows, or functions, to show; 0 = all (30; events: all)",
       .manual = "Rows to show; of functions that are named how many of "
                 "them, and callers and callees of each. 0 shows all. 30 "
                 "unless given, in every format, of `events` all; JSON says "
                 "in <total_rows> or <total_functions> how many there are.")
FIELD(enum event_mode, event_mode, .name = "mode", .argument = "MODE",
      .use = USE_EVENTS, NAMES(event_mode, event_mode_name),
      .help = "table (default), compact, fnames, full or meta",
      .manual = "What `events` writes: a `table` of providers and events; each "
                "event with its values (`compact`), with <Name=value> "
                "(`fnames`), or with a column for every property (`full`); "
                "or the fields that events have (`meta`).")
FIELD(const char *, separator, .name = "separator", .argument = "TEXT",
      .use = USE_EVENTS, TEXT(separator),
      .help = "between the values of UserData (|)",
      .manual = "What stands between the values of <UserData>; | unless "
                "given.")
FIELD(VEC(const char *), providers, .name = "provider", .repeats = true,
      .argument = "WHICH", .use = USE_EVENTS, .set = add_provider,
      .help = "only events of such providers: a name, GUID or glob",
      .manual = "Events of providers of this name, without regard to case, or "
                "GUID; * and ? as in a shell. Several between commas; may "
                "repeat.")
FIELD(const char *, provider_columns, .name = "providers",
      .argument = "WHICH", .use = USE_EVENTS, TEXT(provider_columns),
      .help = "full, meta: providers to describe, or a file of them",
      .manual = "Of the modes `full` and `meta`: the providers whose "
                "properties are columns, by names or GUIDs between commas, or "
                "a file with one a line; unless given, those that are met.")
FIELD(unsigned, event_level, .name = "level", .argument = "N",
      .use = USE_EVENTS, NUMBER(event_level, 255),
      .help = "only events of at most this level",
      .manual = "Events of at most this level: 1 critical, 2 error, 3 "
                "warning, 4 information, 5 verbose.")
FIELD(uint64_t, event_keywords, .name = "keywords", .argument = "BITS",
      .use = USE_EVENTS, NUMBER(event_keywords, UINT64_MAX),
      .help = "only events with any of these keywords, as a number",
      .manual = "Events that have any of these bits among their keywords.")
FIELD(bool, event_stacks, .name = "stacks", .use = USE_EVENTS,
      FLAG(event_stacks), .help = "the stack of each event, as labels",
      .manual =
          "A column <Stack> with the functions on the event's stack, the "
          "innermost first, named as in reports. What lay where and who "
          "is called what is known at the end of a trace only: it is "
          "read once before, and memory grows with the stacks that are "
          "shown. With `--follow`, stacks are addresses, and those that a "
          "log of Windows keeps apart from their events are missing.")
FIELD(bool, follow, .name = "follow", .use = USE_EVENTS, FLAG(follow),
      .help = "read a trace from a pipe while it is written",
      .manual = "Read a trace through a pipe (- or a named one) while it is "
                "written, and show each event as soon as no earlier one can "
                "come. Buffers of a log of Windows come one CPU after the "
                "other: an event waits until each CPU has come as far, or "
                "four buffers for each have come. What names or describes an "
                "event has to come before it.")
OPTION(.name = "context", .argument = "N", .use = TAKES_CONTEXT,
       NUMBER(report.context, 1000000),
       .help = "lines around those with samples (3)",
       .manual = "Lines to show before and after those with samples; 3 unless "
                 "given. A function whose samples span at most 50 lines is "
                 "shown whole.")
OPTION(.name = "sort", .argument = "COUNT",
       .use = TAKES_RANK | TAKES_DIFF | TAKES_GATE | TAKES_TIMELINE |
              TAKES_PAGE,
       WORDS(report.sort, {"exclusive", SORT_EXCLUSIVE},
             {"inclusive", SORT_INCLUSIVE}),
       .help = "exclusive (default) or inclusive",
       .manual = "The count to sort by; of `diff` and `gate` the one that is "
                 "compared. Exclusive counts samples taken in a function "
                 "itself, inclusive also those in what it called, each once "
                 "however often it recurs.")
OPTION(.name = "by", .argument = "WHAT",
       .use = TAKES_RANK | TAKES_DIFF | TAKES_TIMELINE,
       NAMES(report.by, rank_by_name),
       .help = "function, module, process, thread, file, line, address, kind, "
               "label",
       .manual = "What a row is; of `diff` not addresses, kinds or labels. "
                 "Of a fleet, labels are what `--over` names; of what `merge` "
                 "made, its inputs. Where "
                 "samples are of .NET threads that run or wait, functions that "
                 "only wait are marked in a column <waits>, true or false in "
                 "JSON and CSV; in a tree, too.")
OPTION(.name = "waits", .use = TAKES_RANK, FLAG(report.waits),
       .help = "rank functions that only wait among the others",
       .manual = "Where samples are of threads that run or wait, functions "
                 "that only wait stand in a line below the others; with this "
                 "option they are rows like the others, marked. JSON and CSV "
                 "have all rows in any case.")
OPTION(.name = "columns", .argument = "NAMES", .use = TAKES_COLUMNS,
       TEXT(report.columns),
       .help = "columns of text, CSV and Markdown: function,exclusive,file",
       .manual = "The columns of tables in text, CSV and Markdown, between "
                 "commas and in this order: what stands above a column, or its "
                 "member in JSON, which has all of them. A name that is none "
                 "is answered with those there are. Text of `symbols`, "
                 "`resolve` and `gate` is a table then. `query` chooses in "
                 "SQL.")
OPTION(.name = "when", .use = TAKES_WHEN, FLAG(report.when),
       .help = "a column of when each row ran, in 32 parts of the time",
       .manual = "A column <when>: the inclusive samples in each of 32 equal "
                 "parts of the selected time, drawn against the largest of "
                 "the row; where lines are short two or four parts share a "
                 "character. In JSON and CSV as numbers.")
OPTION(.name = "buckets", .argument = "N", .use = TAKES_TIMELINE,
       NUMBER(report.buckets, BUCKETS_MOST),
       .help = "parts to cut the time into (32)",
       .manual = "Into how many equal parts the time is cut; 32 unless "
                 "given.")
OPTION(.name = "depth", .argument = "N", .use = TAKES_TREE | TAKES_CALLERS,
       NUMBER(report.depth, UINT32_MAX - 1),
       .help = "levels to show: of a tree (all), of callers (1)",
       .manual = "Levels to show. Of a tree all of them unless given, which "
                 "is 0 as well. Of `callers` one: more are drawn as two trees "
                 "that begin where the function was called first on a stack; "
                 "JSON and CSV have one.")
OPTION(.name = "min", .argument = "PERCENT", .use = TAKES_TREE | TAKES_CALLERS,
       HUNDREDTHS(report.min),
       .help = "leave out branches with less than this (0.5)",
       .manual = "Leave out branches with less of the samples than this; 0.5 "
                 "unless given. What is left out is counted below the tree.")
OPTION(.name = "bottom-up", .use = TAKES_TREE, FLAG(report.bottom_up),
       .help = "from the sampled functions to their callers")
OPTION(.name = "no-processes", .use = TAKES_TREE, FLAG(report.no_processes),
       .help = "code of all processes together",
       .manual = "A tree for people has processes at the top where samples "
                 "are of several; with this option it has none. Data has "
                 "functions alone.")
OPTION(.name = "no-threads", .use = TAKES_TREE, FLAG(report.no_threads),
       .help = "code of all threads of a process together",
       .manual = "A tree for people has the threads of each process that has "
                 "several above their code; with this option it has none.")
OPTION(.name = "startup", .use = TAKES_TREE, FLAG(report.startup),
       .help = "show frames that start programs and threads",
       .manual = "Frames by which the system, the C library and the runtime "
                 "of .NET start programs and threads are one row, [start-up], "
                 "where code with a name follows them; with this option they "
                 "are rows like others.")
OPTION(.name = "root", .argument = "FUNCTION", .use = TAKES_TREE,
       TEXT(report.root), .help = "what FUNCTION called, wherever it was",
       .manual = "The tree of what this function called, wherever it was "
                 "called from, or with `--bottom-up` of who called it; names "
                 "as `callers` takes them. Percentages "
                 "stay those of all samples that are selected.")
OPTION(.name = "before", .use = TAKES_DIFF | TAKES_GATE | TAKES_FOLDED,
       .set = set_before,
       .help = "the files that follow are runs of BEFORE",
       .manual = "The files that follow are runs of <before>. Uncertainty "
                 "then comes from how runs differ, which also covers what "
                 "differs from start to start.")
OPTION(.name = "after", .use = TAKES_DIFF | TAKES_GATE | TAKES_FOLDED,
       .set = set_after,
       .help = "the files that follow are runs of AFTER",
       .manual = "The files that follow are runs of <after>.")
OPTION(.name = "history", .use = TAKES_DIFF | TAKES_GATE,
       .set = set_history,
       .help = "the files that follow, or folders, are kept recordings",
       .manual = "The files that follow, or folders of them, are recordings "
                 "kept of what <before> is a recording of, such as the main "
                 "branch. They are runs of <before>, which need not be named "
                 "then, and show how starts differ.")
FIELD(unsigned, order, .name = "order", .argument = "BY", .use = TAKES_SERIES,
      WORDS(order, {"time", SERIES_BY_TIME}, {"name", SERIES_BY_NAME}),
      .help = "recordings by time or by name, not as given",
      .manual = "The order of the recordings: by when they were made, or by "
                "the names of their files. Unless given they follow each "
                "other as named, in a folder by name.")
OPTION(.name = "with-source", .use = TAKES_PAGE, FLAG(report.with_source),
       .help = "source lines and instructions of functions, too",
       .manual = "Source lines of functions, from below `--source` and "
                 "`--source-map` alone, and instructions where their images "
                 "are found: beside the callers and callees of the one that "
                 "is picked.")
OPTION(.name = "normalize", .argument = "UNIT",
       .use = TAKES_DIFF | TAKES_GATE | TAKES_PAGE,
       NAMES(diff.options.normalize, normalize_name),
       .help = "others (percent; default), total, samples, wall, cpu, none",
       .manual = "The unit. `others` (default): percent of what all samples "
                 "would be but for the change, by the median over the "
                 "functions: when one grows, the others do not shrink. "
                 "`total`: percent of the side's samples; taken, and said, "
                 "where fewer than 20 functions with 20 samples a run are "
                 "common to both sides. `samples`, as if both sides were as "
                 "long as the shorter; `wall`: milliseconds of CPU time per "
                 "second; `cpu`: per run; `none`: samples as they are.")
OPTION(.name = "paths", .use = TAKES_DIFF, FLAG(diff.options.paths),
       .help = "call paths instead of functions",
       .manual = "Rows are call paths instead of functions.")
OPTION(.name = "all", .use = TAKES_DIFF | TAKES_CONTENTS, FLAG(report.all),
       .help = "diff: rows without a change too; info: whole lists",
       .manual = "Of `diff`: rows without a change, too. Of `info`: all of a "
                 "list; text shows the first 20 without. JSON, CSV and "
                 "Markdown have all.")
OPTION(.name = "verbose", .use = TAKES_DIFF | TAKES_GATE,
       FLAG(report.verbose),
       .help = "how sides were compared: statistics, pairs of names",
       .manual = "Say how sides were compared: where the uncertainty comes "
                 "from, what could have been shown, <q> values and ratios, "
                 "and which functions were paired by other than exact names.")
OPTION(.name = "relevant", .argument = "PERCENT",
       .use = TAKES_DIFF | TAKES_GATE | TAKES_SERIES, .set = set_relevant,
       .help = "smallest change of interest, % of the total (0.1; gate 0.5)",
       .manual = "The smallest change of interest, in percent of the total; "
                 "0.1 unless given, 0.5 for `gate`; of `series` the share "
                 "that a function must have somewhere to be looked at.")
OPTION(.name = "rename", .repeats = true, .argument = "OLD=NEW",
       .use = TAKES_DIFF | TAKES_GATE,
       .set = set_rename,
       .help = "function OLD of BEFORE is NEW of AFTER; may repeat",
       .manual = "A function that was renamed, by the names that reports or "
                 "JSON have. May repeat.")
OPTION(.name = "explain", .argument = "WHAT", .use = TAKES_DIFF | USE_EXPLAIN,
       .set = set_explain,
       .help = "diff: changes to trace to their calls (3); symbols: a module",
       .manual = "Of `diff`: for how many changes to show by way of which "
                 "calls they came about (3). The parts add up to the change. "
                 "Of `symbols`: the module to tell everything about.")
OPTION(.name = "force", .use = TAKES_DIFF | TAKES_GATE, FLAG(diff.force),
       .help = "compare different kinds of samples",
       .manual = "Compare CPU samples with samples of waiting threads all the "
                 "same.")
FIELD(const char *, to, .name = "to", .argument = "FORMAT",
      .use = TAKES_EXPORT, .set = set_export, .name_of = export_name,
      .elsewhere = "--show-to FUNCTION ends stacks at a function, --server "
                   "ADDRESS names a fleet",
      .help = "the format to write",
      .manual = "The format to write. Unless given, the name of the file that "
                "is written tells it.")
OPTION(.name = "diff", .use = TAKES_SIDES, FLAG(diff.both),
       .help = "of two sides, BEFORE AFTER",
       .manual = "Of `folded` <before after>: two counts a line, as "
                 "`difffolded.pl` writes them. Text only. Of `flame`: boxes "
                 "are as wide as the mean of both shares, and red where the "
                 "share has grown, blue where it has shrunk.")
OPTION(.name = "with-process", .use = TAKES_STACKS, FLAG(report.with_process),
       .help = "processes with their ids above stacks",
       .manual = "Above each stack its process with its id, "
                 "\"orders.exe (4410)\". `folded` and `flame` have its name "
                 "in any case.")
OPTION(.name = "with-thread", .use = TAKES_STACKS, FLAG(report.with_thread),
       .help = "threads above stacks",
       .manual = "Above each stack its thread, \"main (4411)\".")
OPTION(.name = "with-module", .use = TAKES_STACKS | USE_EVENTS,
       FLAG(report.with_module), .help = "functions as module!function",
       .manual = "Functions behind their modules, \"orders.exe!Run\".")
OPTION(.name = "lines", .use = TAKES_STACKS, FLAG(report.with_lines),
       .help = "functions as function:file:line",
       .manual = "Functions before the file and line where they were, "
                 "\"Run:orders.c:12\": a function is as many as it has lines.")
OPTION(.name = "marks", .use = TAKES_STACKS, FLAG(report.with_marks),
       .help = "mark kinds of code: _[k] kernel, _[j] generated, _[i] inlined",
       .manual = "Functions of the kernel are marked by _[k], of code that a "
                 "runtime makes by _[j], inlined ones by _[i], as FlameGraph "
                 "and inferno colour them. Collapsed stacks have these marks "
                 "in any case.")
OPTION(.name = "max-regression", .repeats = true, .argument = "[GLOB=]P%",
       .use = TAKES_GATE, .set = set_max_regression,
       .help = "a function, or those GLOB means, may become slower by P%",
       .manual = "By how much of itself any function may become slower, or "
                 "those that <GLOB> means: `Shop.*=2%`. May repeat: the first "
                 "pattern that means a function counts. What is allowed is "
                 "never less than the smallest relevant change.")
OPTION(.name = "max-total", .argument = "P%", .use = TAKES_GATE,
       .set = set_max_total,
       .help = "all samples together may grow by this much; no shares",
       .manual = "By how much all samples together may grow, by the same "
                 "rule. Shares always add up to the same: it needs "
                 "`--normalize wall`, `cpu` or `none`.")
OPTION(.name = "require", .repeats = true, .argument = "GLOB",
       .use = TAKES_GATE,
       .set = set_require,
       .help = "fail unless AFTER has samples of such a function",
       .manual = "Fails unless <after> has samples of such a function. May "
                 "repeat.")
OPTION(.name = "inconclusive", .argument = "AS", .use = TAKES_GATE,
       WORDS(diff.inconclusive, {"pass", GATE_PASS}, {"fail", GATE_FAIL},
             {"2", GATE_INCONCLUSIVE}),
       .help = "exit status when nobody can tell: pass, fail or 2 (2)",
       .manual = "The exit status when the profiles cannot tell: that of a "
                 "pass, that of a failure, or 2, unless given. What is "
                 "printed stays the same.")
OPTION(.name = "single", .use = TAKES_GATE, FLAG(diff.rules.single),
       .help = "one recording a side may fail",
       .manual = "Let one recording a side fail: what differs from start to "
                 "start counts as a change. Without it the gate cannot tell.")
OPTION(.name = "junit", .argument = "FILE", .use = TAKES_GATE,
       PATH(diff.junit), .help = "write JUnit XML too",
       .manual = "Write the findings as JUnit XML, too.")
OPTION(.name = "sarif", .argument = "FILE", .use = TAKES_GATE,
       PATH(diff.sarif), .help = "write SARIF too",
       .manual = "Write the findings as SARIF 2.1.0, too.")
FIELD(VEC(const char *), parameters, .name = "param", .repeats = true,
      .argument = "NAME=VALUE", .use = USE_QUERY, .set = add_parameter,
      .help = "the value of :NAME in the SQL; may repeat",
      .manual = "The value of `:`<NAME> in the SQL, or of the <NAME>th `?`: a "
                "number where it reads as one, else text. May repeat.")
FIELD(VEC(const char *), attached, .name = "attach", .repeats = true,
      .argument = "NAME=FILE", .use = USE_QUERY, .set = add_attached,
      .help = "another trace or database, as NAME.table; may repeat",
      .manual = "Another trace or database, whose tables and views are "
                "<NAME>`.`<table> in the SQL. May repeat.")
FIELD(int64_t, max_time, .name = "max-time", .argument = "TIME",
      .use = USE_QUERY, .set = set_max_time,
      .help = "a statement ends after so long; 0 = never (60s)",
      .manual = "How long a statement may take, as in `--time`; 60 seconds "
                "unless given, 0 is no limit. Reading the trace does not "
                "count.")
FIELD(uint64_t, max_memory, .name = "max-memory", .argument = "SIZE",
      .use = USE_QUERY, .set = set_max_memory,
      .help = "memory of a statement: 512M, 2G; 0 = any (1G)",
      .manual = "How much memory a statement may take beyond the tables, as "
                "`512M` or `2G`; `1G` unless given, 0 is no limit. Nothing is "
                "written to disk.")
FIELD(bool, sql_schema, .name = "schema", .use = USE_QUERY | USE_PUSH,
      FLAG(sql_schema),
      .help = "what can be asked: tables, views, columns; push: make them",
      .manual = "Every table, view and column, and what it is. Of `push`: "
                "print the statements that make the database and its tables, "
                "and send nothing.")
OPTION(.name = "process", .repeats = true, .argument = "WHICH",
       .use = USE_FILTER | USE_EVENTS, .set = add_processes,
       .help = "only such processes: a name, id or glob; may repeat",
       .manual = "Processes of this name, without regard to case, or id; * "
                 "and ? as in a shell. Behind `re:` stands a regular "
                 "expression. May repeat: any of them. Behind a `!`: not "
                 "these.")
OPTION(.name = "pid", .repeats = true, .argument = "N",
       .use = USE_FILTER | USE_EVENTS, .set = add_pid,
       .help = "the same as --process N",
       .manual = "The same as `--process` <N>.")
OPTION(.name = "thread", .repeats = true, .argument = "WHICH",
       .use = USE_FILTER | USE_EVENTS, .set = add_threads,
       .help = "only such threads: an id, name or glob; may repeat",
       .manual = "Threads of this id or name, in the same way. `events` knows "
                 "threads by their ids alone.")
OPTION(.name = "tid", .repeats = true, .argument = "N",
       .use = USE_FILTER | USE_EVENTS, .set = add_tid,
       .help = "the same as --thread N",
       .manual = "The same as `--thread` <N>.")
OPTION(.name = "cpu", .repeats = true, .argument = "N,N-N",
       .use = USE_FILTER, .set = add_cpus, .help = "only such processors: 0,2-5",
       .manual = "Samples taken on these processors, by number.")
OPTION(.name = "time", .argument = "FROM,TO",
       .use = USE_FILTER | USE_EVENTS, .set = set_time, .help = "only this part: 1.5s,2s or ,200ms or 25%,50%",
       .manual = "A part of the trace, in time since its start: `1.5s`, "
                 "`200ms`, `3us`, `10ns`; plain numbers are seconds. Or in "
                 "percent of its length: `25%,50%`. Either may be empty.")
OPTION(.name = "between", .repeats = true, .argument = "EVENT,EVENT",
       .use = USE_FILTER, .set = add_between,
       .help = "only from each such event to the next of the other",
       .manual = "The times between events, of which `topfn events` lists the "
                 "names: <GC/Start,GC/Stop> is from each of the first to the "
                 "next of the second, on whatever threads they are, and to the "
                 "end of the trace where none follows; <Process/Start> alone "
                 "is from its first to its last. Names may begin with that of "
                 "the provider and a slash, and are patterns. May repeat: the "
                 "times of any. Traces with raw events (Windows, .NET) only, "
                 "and not databases, which have none.")
OPTION(.name = "focus", .repeats = true, .argument = "FUNCTION",
       .use = USE_FILTER, .set = add_focus,
       .help = "only samples with such a function on their stack",
       .manual = "Samples with a function on their stack that this pattern "
                 "means: a glob of its whole name without regard to case, "
                 "with or without arguments; without * and ? the last parts "
                 "of it will do, `Cart.Total`. Behind `re:` a regular "
                 "expression that may match anywhere in it. With a `!` in it "
                 "also of <module>`!`<function>. May repeat: each of them "
                 "must be on the stack.")
OPTION(.name = "ignore", .repeats = true, .argument = "FUNCTION",
       .use = USE_FILTER, .set = add_ignore,
       .help = "only samples without such a function",
       .manual = "Samples without any such function on their stack.")
OPTION(.name = "leaf", .repeats = true, .argument = "FUNCTION",
       .use = USE_FILTER, .set = add_leaves,
       .help = "only samples taken in such a function",
       .manual = "Samples taken in such a function itself. May repeat: any "
                 "of them.")
OPTION(.name = "module", .repeats = true, .argument = "GLOB",
       .use = USE_FILTER, .set = add_modules,
       .help = "only samples with such a module on their stack",
       .manual = "Samples with code of such a module anywhere on their stack, "
                 "without regard to case; * and ? as in a shell, or `re:`. "
                 "Code without an image is in `[jit]`, `[script]` or "
                 "`[unknown]`. May repeat: any of them. Behind a `!`: without "
                 "code of it.")
OPTION(.name = "leaf-module", .repeats = true, .argument = "GLOB",
       .use = USE_FILTER, .set = add_leaf_modules,
       .help = "only samples taken in such a module",
       .manual = "Samples whose innermost function lies in such a module.")
OPTION(.name = "kind", .repeats = true, .argument = "KIND",
       .use = USE_FILTER, .set = add_kind, .name_of = leaf_kind_name,
       .help = "taken in kernel, native, managed, script, jit code",
       .manual = "Samples taken in such code; `jit` is what was generated at "
                 "run time, whatever its language. May repeat: any of them.")
OPTION(.name = "tier", .repeats = true, .argument = "TIER",
       .use = USE_FILTER, .set = add_tier, .name_of = code_tier_word,
       .help = "taken in .NET code of such a tier: tier0, tier1, ...",
       .manual = "Samples taken in methods of .NET that were compiled so: "
                 "`precompiled`, `minopts`, `optimized`, `tier0`, `tier1`, "
                 "`osr`, or `unknown`. May repeat: any of them.")
OPTION(.name = "sample-type", .argument = "TYPE", .use = USE_FILTER,
       WORDS(report.filter.types, {"managed", SAMPLE_MANAGED},
             {"external", SAMPLE_EXTERNAL}, {"all", 0}),
       .help = ".NET thread samples: managed, external or all",
       .manual = "Of samples of .NET threads: those taken in managed code; "
                 "those of threads in native code, or waiting; all.")
OPTION(.name = "include-idle", .use = USE_FILTER,
       FLAG(report.filter.include_idle), .help = "count idle processors too",
       .manual = "Count samples of idle processors too.")
OPTION(.name = "group", .repeats = true, .argument = "RULE",
       .use = USE_FRAMES, .set = add_group,
       .help = "PATTERN->NAME or =>NAME; modules, just-my-code, ...",
       .manual = "Calls functions that a pattern means by one name, before "
                 "anything else is asked: `Shop.*->shop`. Frames of a group "
                 "that follow one another are one, in the module and line of "
                 "the outermost. After `=>` the way into the group keeps its "
                 "name. `$1` is what the first * of a glob, or the first "
                 "parentheses, were: `*!*->$1`. `Shop.*->` leaves alone. May "
                 "repeat: the first rule that means a function counts. Rules "
                 "of their own: `modules`; `kernel`; `runtime`; "
                 "`namespaces:`<N>, the first <N> parts of names; "
                 "`just-my-code`, which shows of the system, of runtimes and "
                 "of packages only the ways into them.")
OPTION(.name = "mine", .repeats = true, .argument = "GLOB",
       .use = USE_FRAMES, .set = add_mine,
       .help = "just-my-code: modules or functions that are mine",
       .manual = "What `--group just-my-code` takes for one's own: modules or "
                 "functions; otherwise what their modules and paths do not "
                 "show to be another's. May repeat.")
OPTION(.name = "fold", .repeats = true, .argument = "FUNCTION",
       .use = USE_FRAMES, .set = add_folds,
       .help = "count such functions for their callers",
       .manual = "Samples of such functions count for their callers. No total "
                 "changes: where there is no caller they are [folded].")
OPTION(.name = "fold-percent", .argument = "P", .use = USE_FRAMES,
       HUNDREDTHS(report.filter.fold_percent),
       .help = "fold functions with less than this inclusive share",
       .manual = "Folds functions on less than <P> percent of the samples "
                 "that `--process`, `--thread`, `--cpu` and `--time` leave.")
OPTION(.name = "hide", .repeats = true, .argument = "FUNCTION",
       .use = USE_FRAMES, .set = add_hides,
       .help = "leave such frames out, after all samples are chosen",
       .manual = "Leaves such frames out of stacks, once samples are chosen: "
                 "`--focus` still sees them. No sample goes with them.")
OPTION(.name = "show-from", .repeats = true, .argument = "FUNCTION",
       .use = USE_FRAMES, .set = add_show_from,
       .help = "stacks begin at such a function; others are left out",
       .manual = "Stacks begin at the outermost such function; samples "
                 "without one are left out.")
OPTION(.name = "show-to", .repeats = true, .argument = "FUNCTION",
       .use = USE_FRAMES, .set = add_to_any,
       .help = "stacks end at such a function; others are left out",
       .manual = "Stacks end at the outermost such function, which has all "
                 "that it called; samples without one are left out.")
FIELD(bool, no_inlines, .name = "no-inlines", .use = USE_INLINES,
      FLAG(no_inlines),
      .help = "count inlined functions for the one they are inlined into",
      .manual = "Not which samples, but whose: samples in inlined functions "
                "count for the function that they are inlined into, at the "
                "line of the call. Otherwise an inlined function is one like "
                "others; a column <inlined> shows how many of its samples "
                "were taken where it was inlined.")
FIELD(VEC(const char *), symbols, .name = "symbols", .repeats = true,
      .argument = "PATH",
      .use = USE_SYMBOLS, .set = add_symbols, .names_file = true,
      .help = "look for debug files here too: a file, folder or store",
      .manual = "A debug file, a folder that holds it by its name (PDBs also "
                "in <exe>, <dll> or <sys> below it), a symbol store "
                "(<name>/<key>/<name>, where a file may be packed, as "
                "<name.pd_>, or elsewhere, as <file.ptr> says), or several of "
                "them between semicolons, also as `srv*`<store>`*`... and "
                "`cache*`<store>; servers in it are asked with `--online`. "
                "May be given more than once.")
FIELD(bool, online, .name = "online", .use = USE_SYMBOLS, FLAG(online),
      .help = "ask symbol servers, too (default: no network at all)",
      .manual = "Ask servers for what is in none of these places, for the "
                "modules with most samples first. Without this option the "
                "network is never used. PDBs and images come from the symbol "
                "servers in `--symbols` and `_NT_SYMBOL_PATH`, "
                "`srv*`<store>`*https://`<server> or the address alone; if "
                "there is none, from "
                "<https://msdl.microsoft.com/download/symbols>. Debug files "
                "of ELF come from the servers in `DEBUGINFOD_URLS`. What is "
                "sent is kept in the last folder of the chain before the "
                "server that can be written to, or in that of a "
                "`cache*`<store> element before it; else in "
                "<$XDG_CACHE_HOME/topfn/symbols> or "
                "<~/.cache/topfn/symbols>, where it is found without this "
                "option, too. A server that fails once is not asked again; "
                "each has 10 minutes and 8 GiB in all. `topfn symbols "
                "--explain` tells what was asked.")
FIELD(VEC(const char *), source_maps, .name = "source-map", .repeats = true,
      .argument = "FROM=TO", .use = TAKES_SOURCES, .set = add_source_map,
      .help = "source paths that begin with FROM are in TO; may repeat",
      .manual = "Source files whose paths begin with <FROM> are in <TO>. May "
                "repeat; the longest <FROM> counts. In paths of Windows "
                "either slash will do, and case does not matter.")
FIELD(VEC(const char *), sources, .name = "source", .repeats = true,
      .argument = "DIR", .use = TAKES_SOURCES, .set = add_source,
      .names_file = true, .help = "read source files below DIR; may repeat",
      .manual = "Source files below <DIR> may be read: those that debug files "
                "name by such a path, then those that the longest tail of "
                "their path leads to. `--source .` means the current folder. "
                "May repeat. A trace can name any file there is, so no other "
                "is opened but where a map leads; what was not opened is "
                "said.")
FIELD(enum demangle_style, names, .name = "demangle", .argument = "HOW",
      .use = USE_SYMBOLS,
      WORDS(names, {"short", DEMANGLE_SHORT}, {"full", DEMANGLE_FULL},
            {"none", DEMANGLE_NONE}),
      .help = "decorated names: short (default), full or none",
      .manual = "Decorated names without or with their arguments, or as they "
                "are stored; those that profiles of other tools bring, too.")
FIELD(bool, full_names, .name = "names", .argument = "HOW",
      .use = USE_INLINES,
      WORDS(full_names, {"label", false}, {"full", true}),
      .help = "label (default: as people say it) or full (as recorded)",
      .manual = "Functions are shown by labels, `Sorting<int>.Quick`, which "
                "no two functions of a profile share, or by their full names "
                "as recorded. JSON and CSV have both.")
FIELD(bool, unnamed_apart, .name = "unnamed", .argument = "BY",
      .use = USE_INLINES,
      WORDS(unnamed_apart, {"module", false}, {"address", true}),
      .help = "code without names: one row a module (default) or address",
      .manual = "Code without names is one row a `module`, [no symbols] in "
                "it, or one an `address`.")
OPTION(.name = "format", .argument = "FORMAT", .use = USE_FORMAT,
       NAMES(report.format, format_name),
       .help = "text (default), json, csv or md",
       .manual = "JSON is versioned by its <schema> member. Percentages have "
                 "two decimals in JSON and CSV, one in text.")
OPTION(.name = "width", .argument = "COLUMNS", .use = USE_LAYOUT,
       NUMBER(report.width, 100000),
       .help = "width of text; 0 = no limit",
       .manual = "Columns of text; 0 is no limit. Unless given, the width of "
                 "the terminal; into a pipe or a file nothing is shortened. "
                 "Where a name must be, parameters and namespaces go first "
                 "and the function's own name never. From 120 columns on `top` "
                 "draws a bar beside each share.")
FIELD(enum colour_choice, colours, .name = "color", .argument = "WHEN",
      .use = USE_LAYOUT,
      WORDS(colours, {"auto", COLOUR_AUTO}, {"always", COLOUR_ALWAYS},
            {"never", COLOUR_NEVER}),
      .help = "auto (default: on a terminal), always or never",
      .manual = "Colours on a terminal (`auto`, the default; not where "
                "`NO_COLOR` is set), `always` or `never`.")
FIELD(bool, no_pager, .name = "no-pager", .use = USE_FORMAT, FLAG(no_pager),
      .help = "print what is longer than the screen all the same",
      .manual = "On a terminal, what is longer than the screen is shown by "
                "`$TOPFN_PAGER`, else `$PAGER`, else `less`; with this option "
                "it is printed.")
FIELD(const char *, output, .name = "output", .letter = 'o',
      .argument = "FILE", .use = USE_OUTPUT, PATH(output),
      .help = "write to FILE",
      .manual = "Write to a file, which appears when it is complete.")
FIELD(const char *, over, .name = "over", .argument = "KEY",
      .use = TAKES_SERIES | TAKES_RANK, .set = set_over,
      .help = "of a fleet: by version (default), day, host, run, ...",
      .manual = "Of a fleet (topfn-push(1)): the recordings of each value of "
                "this label, or of each <day>, <host> or <run>, are one "
                "recording of a series, in the order of the numbers in it, "
                "or one row of `--by label`; `version` unless given.")
FIELD(const char *, where, .name = "where", .argument = "CONDITION",
      .use = USE_FLEET, TEXT(where),
      .help = "of a fleet: only recordings with such labels",
      .manual = "Of a fleet (topfn-push(1)): only recordings for which this "
                "holds, as `version=2.1 and service=orders`. Comparisons of "
                "a label, or of <host>, <os>, <file>, <format>, <metric>, "
                "<run> or <day>, with a value: = and != by text, with * and "
                "? as in a shell; <, <=, > and >= by the numbers in it, 2.9 "
                "before 2.10. Joined by `and`, `or`, `not` and parentheses.")
FIELD(int64_t, since, .name = "since", .argument = "TIME", .use = USE_FLEET,
      .set = set_since,
      .help = "of a fleet: only recordings of the last 7d, 12h, 30m",
      .manual = "Of a fleet: only recordings that began so long ago at most "
                "(`7d`, `12h`, `30m`), or on this day or later "
                "(`2026-11-01`, in UTC).")
FIELD(const char *, server, .name = "server", .argument = "ADDRESS",
      .use = USE_PUSH, TEXT(server),
      .help = "the fleet to send to: clickhouse://host/database",
      .manual = "The fleet to send to, `clickhouse://host/database`.")
FIELD(VEC(const char *), labels, .name = "label", .argument = "KEY=VALUE",
      .repeats = true, .use = USE_PUSH, .set = add_label,
      .help = "what is known of the recordings: version=2.1; may repeat",
      .manual = "A label of the recordings, to choose them by. Keys have "
                "letters, digits, _, - and dots. `host=` says which machine "
                "was recorded, where the recording does not.")
FIELD(const char *, cluster, .name = "cluster", .argument = "NAME",
      .use = USE_PUSH, TEXT(cluster),
      .help = "spread rows over the servers of this cluster",
      .manual = "Tables that are made are spread over the servers of this "
                "cluster, as the server's configuration names it. Each of "
                "its servers needs them: `push --schema --cluster NAME` "
                "prints the statements.")
FIELD(int64_t, slice_ns, .name = "slice", .argument = "TIME", .use = USE_PUSH,
      .set = set_slice,
      .help = "samples keep their time to this (10s)",
      .manual = "Samples of a process with the same stack are added up over "
                "so much time; 10s unless given. Shorter slices need more "
                "space.")
FIELD(unsigned, threads, .name = "threads", .argument = "N", .use = USE_LOAD,
      NUMBER(threads, 1024),
      .help = "threads to read with; 0 = one per core",
      .manual = "Threads to read with; 0, the default, is one per core. The "
                "output is the same.")
FIELD(const char *, event, .name = "event", .argument = "NAME",
      .use = USE_LOAD | USE_EVENTS, TEXT(event),
      .help = "samples to count: cpu, thread, cswitch, allocation, ...",
      .manual = "Which of the samples in a trace to count: `cpu`, `thread`, "
                "`cswitch`, `allocation` or any other event that has "
                "stacks, by a short name (topfn-formats(7)) or the name that "
                "`topfn info` lists; CPU or thread samples unless given. Of "
                "`events`: only events of this name, <Process/Start> or "
                "<Process>, or id; * and ? as in a shell, several between "
                "commas.")
FIELD(const char *, jit_folder, .name = "jit", .argument = "DIR",
      .use = USE_LOAD, TEXT(jit_folder),
      .help = "perf.data: where perf-PID.map and jit-PID.dump are",
      .manual = "Recordings of Linux perf: where the lists of generated code "
                "are that runtimes write, `perf-PID.map` and `jit-PID.dump`. "
                "Otherwise they are looked for beside the recording, and then "
                "in `/tmp` of the machine that recorded. A jitdump is also "
                "found where the recording says that it was, and below "
                "`~/.debug/jit`.")
FIELD(bool, follow_paths, .name = "follow-paths", .use = USE_LOAD,
      FLAG(follow_paths),
      .help = "open logs that a .vsp names, wherever they are",
      .manual = "A recording of Visual Studio (<.vsp>) names the ETL logs that "
                "were made with it, and they are read with it. A log that is "
                "neither in the folder of the recording nor in the current "
                "one is opened only with this option, as the path comes from "
                "whoever made the file.")
FIELD(bool, thread_weights, .name = "dotnet-trace-weights", .use = USE_LOAD,
      FLAG(thread_weights),
      .help = "nettrace: time to a thread's next sample",
      .manual = "Recordings of .NET only (<.nettrace>, <.netperf>): a sample "
                "does not count once but weighs the microseconds to the next "
                "one of its thread, as `dotnet-trace report` weighs it, so "
                "that the two tables can be held side by side. Allocations, "
                "scheduling of tasks and events of the program's own end an "
                "interval and begin one, too; the last sample of a thread "
                "weighs nothing. A database keeps the weights it was made "
                "with. Not together with `--event`.")
FIELD(bool, periods, .name = "periods", .use = USE_LOAD, FLAG(periods),
      .help = "perf: count the events that samples stand for",
      .manual = "Recordings of Linux perf and databases of them: a sample does "
                "not count once but as often as the event happened for it, "
                "its period, as `perf report` counts; where the recorder was "
                "to take so many samples a second, periods differ. Without "
                "it `top` shows both shares.")
FIELD(bool, strict, .name = "strict", .use = USE_LOAD | USE_EVENTS, FLAG(strict),
      .help = "fail when a part could not be read",
      .manual = "Exit with status 65 when a part of the input could not be "
                "read.")
FIELD(unsigned, help_form, .name = "as", .argument = "FORM", .use = USE_HELP,
      NAMES(help_form, help_form_name),
      .help = "text, or for packagers: bash, zsh, fish, roff",
      .manual = "What `help` writes: text; what `bash`, `zsh` or `fish` reads "
                "to complete a command line, of all commands; or these "
                "sections of the man page.")
FIELD(bool, quiet, .name = "quiet", .letter = 'q', .use = USE_ALWAYS,
      FLAG(quiet), .help = "no warnings, hints or progress",
      .manual = "No warnings, hints or progress bar. Hints and the bar are "
                "shown on terminals only.")
FIELD(bool, help, .name = "help", .letter = 'h', .use = USE_ALWAYS, FLAG(help),
      .help = "show this", .manual = "Help on a command.")
FIELD(bool, version, .name = "version", .use = USE_ALWAYS, FLAG(version),
      .help = "show the version", .manual = "The version.")

# fish completion for topfn, as topfn help --as fish writes it

function __topfn_takes
    set -l command top
    for word in (commandline -opc)[2..-1]
        if contains -- $word top tree folded callers list annotate info diff gate import merge symbols resolve help
            set command $word
            break
        end
    end
    contains -- $command $argv
end

function __topfn_is_first
    test (count (commandline -opc)) -eq 1
end

complete -c topfn -n __topfn_is_first -a top -d 'functions (or modules, processes, ...) by samples'
complete -c topfn -n __topfn_is_first -a tree -d 'the call tree, from the outermost callers down'
complete -c topfn -n __topfn_is_first -a folded -d 'one line per distinct stack, for flame graph tools'
complete -c topfn -n __topfn_is_first -a callers -d 'who called a function, and what it called'
complete -c topfn -n __topfn_is_first -a list -d 'source lines of a function, with their samples'
complete -c topfn -n __topfn_is_first -a annotate -d 'instructions of a function, with their samples'
complete -c topfn -n __topfn_is_first -a info -d 'what is in a file and how good it is'
complete -c topfn -n __topfn_is_first -a diff -d 'what changed between two profiles, and how sure that is'
complete -c topfn -n __topfn_is_first -a gate -d 'fail when a function became too slow: 0 pass, 1 fail, 2 unknown'
complete -c topfn -n __topfn_is_first -a import -d 'make a .topfn database (SQLite) of a trace'
complete -c topfn -n __topfn_is_first -a merge -d 'join profiles as runs in one .topfn database (-o)'
complete -c topfn -n __topfn_is_first -a symbols -d 'which modules have names, from where, or why not'
complete -c topfn -n __topfn_is_first -a resolve -d 'functions, files and lines of addresses of one image'
complete -c topfn -n __topfn_is_first -a help -d 'show commands, or the options of one'
complete -c topfn -n '__topfn_takes help' -f -a 'top tree folded callers list annotate info diff gate import merge symbols resolve help'
complete -c topfn -n '__topfn_takes top callers list annotate diff' -l limit -s n -x -d 'rows, or functions, to show; 0 = all (30)'
complete -c topfn -n '__topfn_takes list' -l context -x -d 'lines around those with samples (3)'
complete -c topfn -n '__topfn_takes top diff gate' -l sort -x -a 'exclusive inclusive' -d 'exclusive (default) or inclusive'
complete -c topfn -n '__topfn_takes top' -l by -x -a 'function module process thread file line address kind' -d 'function, module, process, thread, file, line, address, kind'
complete -c topfn -n '__topfn_takes top' -l cumulative -d 'a column that adds up the exclusive shares'
complete -c topfn -n '__topfn_takes top' -l waits -d 'rank functions that only wait among the others'
complete -c topfn -n '__topfn_takes tree' -l depth -x -d 'levels to show; 0 = all (0)'
complete -c topfn -n '__topfn_takes tree' -l min -x -d 'leave out branches with less than this (0.5)'
complete -c topfn -n '__topfn_takes tree' -l bottom-up -d 'from the sampled functions to their callers'
complete -c topfn -n '__topfn_takes folded diff gate' -l before -d 'the files that follow are runs of BEFORE'
complete -c topfn -n '__topfn_takes folded diff gate' -l after -d 'the files that follow are runs of AFTER'
complete -c topfn -n '__topfn_takes diff gate' -l normalize -x -a 'total samples wall cpu none' -d 'total (percent; default), samples, wall, cpu, none'
complete -c topfn -n '__topfn_takes diff' -l paths -d 'call paths instead of functions'
complete -c topfn -n '__topfn_takes diff' -l all -d 'rows without a change too'
complete -c topfn -n '__topfn_takes diff gate' -l relevant -x -d 'smallest change of interest, of the total (0.1)'
complete -c topfn -n '__topfn_takes diff gate' -l rename -x -d 'function OLD of BEFORE is NEW of AFTER; may repeat'
complete -c topfn -n '__topfn_takes diff symbols' -l explain -x -d 'diff: changes to trace to their calls (3); symbols: a module'
complete -c topfn -n '__topfn_takes diff gate' -l force -d 'compare different kinds of samples'
complete -c topfn -n '__topfn_takes folded' -l diff -d 'two counts a line: BEFORE AFTER'
complete -c topfn -n '__topfn_takes gate' -l max-regression -x -d 'a function may become slower by this much of itself'
complete -c topfn -n '__topfn_takes gate' -l max-total -x -d 'all samples together may grow by this much; no shares'
complete -c topfn -n '__topfn_takes gate' -l function -x -d 'functions with a limit of their own, the --max that follows'
complete -c topfn -n '__topfn_takes gate' -l max -x -d 'limit for the --function before it'
complete -c topfn -n '__topfn_takes gate' -l require -x -d 'fail unless AFTER has samples of such a function'
complete -c topfn -n '__topfn_takes gate' -l budgets -r -F -d 'limits from a file'
complete -c topfn -n '__topfn_takes gate' -l junit -r -F -d 'write JUnit XML too'
complete -c topfn -n '__topfn_takes gate' -l sarif -r -F -d 'write SARIF too'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate symbols' -l process -x -d 'only processes of this name'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate symbols' -l pid -x -d 'only this process'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate symbols' -l thread -x -d 'only this thread id'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate symbols' -l module -x -d 'only samples taken in such modules (* and ?)'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate symbols' -l time -x -d 'only this part: 1.5s,2s or 200ms, or ,3us'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate symbols' -l sample-type -x -a 'managed external all' -d '.NET thread samples: managed, external or all'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate symbols' -l include-idle -d 'count idle processors too'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate symbols' -l no-inlines -d 'count inlined functions for the one they are inlined into'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate import merge symbols resolve' -l symbols -r -F -d 'look for debug files here too: a file, folder or store'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate import merge symbols resolve' -l online -d 'ask symbol servers, too (default: no network at all)'
complete -c topfn -n '__topfn_takes list annotate' -l source-map -x -d 'source paths that begin with FROM are in TO; may repeat'
complete -c topfn -n '__topfn_takes list annotate' -l source -r -F -d 'read source files below DIR; may repeat'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate import merge symbols resolve' -l demangle -x -a 'short full none' -d 'decorated names: short (default), full or none'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate symbols' -l names -x -a 'label full' -d 'label (default: as people say it) or full (as recorded)'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate symbols' -l unnamed -x -a 'module address' -d 'code without names: one row a module (default) or address'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate symbols resolve' -l format -x -a 'text json csv md' -d 'text (default), json, csv or md'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate symbols resolve' -l csv-raw -d 'csv: names that begin like a formula stay as they are'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate symbols resolve' -l width -x -d 'width of text; 0 = no limit'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate symbols resolve' -l color -x -a 'auto always never' -d 'auto (default: on a terminal), always or never'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate symbols resolve' -l no-pager -d 'print what is longer than the screen all the same'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate import merge symbols resolve' -l output -s o -r -F -d 'write to FILE'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate import merge symbols' -l threads -x -d 'threads to read with; 0 = one per core'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate import merge symbols' -l event -x -d 'samples to count: cpu, thread, cswitch, allocation, ...'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate import merge symbols' -l jit -x -d 'perf.data: where perf-PID.map and jit-PID.dump are'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate import merge symbols' -l dotnet-trace-weights -d 'nettrace: time to a thread'\''s next sample'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate import merge symbols' -l strict -d 'fail when a part could not be read'
complete -c topfn -n '__topfn_takes help' -l as -x -a 'text bash zsh fish roff' -d 'text, or for packagers: bash, zsh, fish, roff'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate import merge symbols resolve help' -l quiet -s q -d 'no warnings, hints or progress'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate import merge symbols resolve help' -l help -s h -d 'show this'
complete -c topfn -n '__topfn_takes top tree folded callers list annotate info diff gate import merge symbols resolve help' -l version -d 'show the version'

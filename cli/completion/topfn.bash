# bash completion for topfn, as topfn help --as bash writes it

# Functions, modules, ... of the first recording on the line.
_topfn_rows() {
    local word row

    for word in "${COMP_WORDS[@]:1}"; do
        [[ -f $word ]] || continue
        while IFS= read -r row; do
            [[ $row != "$cur"* ]] ||
                COMPREPLY+=("$(printf %q "$row")")
        done < <("${COMP_WORDS[0]}" top "$word" --by "$1" -n 1000 -q --format csv --columns "$2" 2>/dev/null |
            sed '1d; s/\r$//; /^\[/d; s/^"\(.*\)"$/\1/')
        return
    done
}

_topfn() {
    local cur=${COMP_WORDS[COMP_CWORD]}
    local prev=${COMP_WORDS[COMP_CWORD - 1]}
    local command=top commands options columns words word

    commands="top timeline tree folded flame export page callers wakers list annotate info diff gate series import merge push runs symbols schema guide mcp resolve events gc query help"
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case " $commands " in
        *" $word "*) command=$word && break ;;
        esac
    done
    case $command in
    top)
        options="--limit --sort --by --waits --columns --when --process --thread --cpu "
        options+="--time --between --focus --ignore --leaf --module --kind --tier "
        options+="--sample-type --include-idle --group --mine --fold --show-from --show-to "
        options+="--no-inlines --symbols --online --names --format --width --color "
        options+="--output --max-output --over --where --since --threads --event --weight "
        options+="--dotnet-trace-weights --periods --strict --quiet --no-sandbox --help "
        options+="--version"
        columns="rank exclusive exclusive_percent ms exclusive_period inclusive inclusive_percent inclusive_period inlined_exclusive inlined_inclusive inlined waits when module name label function kind address file line token method_id module_id"
        ;;
    timeline)
        options="--limit --sort --by --columns --buckets --process --thread --cpu --time "
        options+="--between --focus --ignore --leaf --module --kind --tier --sample-type "
        options+="--include-idle --group --mine --fold --show-from --show-to --no-inlines "
        options+="--symbols --online --names --format --width --color --output "
        options+="--max-output --where --since --threads --event --weight "
        options+="--dotnet-trace-weights --periods --strict --quiet --no-sandbox --help "
        options+="--version"
        columns="rank exclusive exclusive_percent ms exclusive_period inclusive inclusive_percent inclusive_period inlined_exclusive inlined_inclusive inlined waits when module name label function kind address file line token method_id module_id"
        ;;
    tree)
        options="--by --waits --columns --depth --min --bottom-up --no-processes "
        options+="--no-threads --startup --root --process --thread --cpu --time --between "
        options+="--focus --ignore --leaf --module --kind --tier --sample-type "
        options+="--include-idle --group --mine --fold --show-from --show-to --no-inlines "
        options+="--symbols --online --names --format --width --color --output "
        options+="--max-output --where --since --threads --event --weight "
        options+="--dotnet-trace-weights --periods --strict --quiet --no-sandbox --help "
        options+="--version"
        columns="inclusive exclusive inlined waits module function"
        ;;
    folded)
        options="--by --before --after --diff --with-process --with-thread --with-module "
        options+="--lines --marks --process --thread --cpu --time --between --focus "
        options+="--ignore --leaf --module --kind --tier --sample-type --include-idle "
        options+="--group --mine --fold --show-from --show-to --no-inlines --symbols "
        options+="--online --names --format --width --color --output --max-output --where "
        options+="--since --threads --event --weight --dotnet-trace-weights --periods "
        options+="--strict --quiet --no-sandbox --help --version"
        ;;
    flame)
        options="--by --before --after --interactive --diff --with-process --with-thread "
        options+="--with-module --lines --marks --process --thread --cpu --time --between "
        options+="--focus --ignore --leaf --module --kind --tier --sample-type "
        options+="--include-idle --group --mine --fold --show-from --show-to --no-inlines "
        options+="--symbols --online --names --format --width --color --output "
        options+="--max-output --where --since --threads --event --weight "
        options+="--dotnet-trace-weights --periods --strict --quiet --no-sandbox --help "
        options+="--version"
        ;;
    export)
        options="--by --to --with-process --with-thread --with-module --lines --marks "
        options+="--process --thread --cpu --time --between --focus --ignore --leaf "
        options+="--module --kind --tier --sample-type --include-idle --group --mine "
        options+="--fold --show-from --show-to --no-inlines --symbols --online --names "
        options+="--format --width --color --output --max-output --where --since --threads "
        options+="--event --weight --dotnet-trace-weights --periods --strict --quiet "
        options+="--no-sandbox --help --version"
        ;;
    page)
        options="--sort --by --before --after --with-source --page-size --normalize "
        options+="--diff --process --thread --cpu --time --between --focus --ignore --leaf "
        options+="--module --kind --tier --sample-type --include-idle --group --mine "
        options+="--fold --show-from --show-to --no-inlines --symbols --online "
        options+="--source-map --source --names --format --width --color --output "
        options+="--max-output --where --since --threads --event --weight "
        options+="--dotnet-trace-weights --periods --strict --quiet --no-sandbox --help "
        options+="--version"
        ;;
    callers)
        options="--limit --by --waits --columns --depth --min --process --thread --cpu "
        options+="--time --between --focus --ignore --leaf --module --kind --tier "
        options+="--sample-type --include-idle --group --mine --fold --show-from --show-to "
        options+="--no-inlines --symbols --online --names --format --width --color "
        options+="--output --max-output --where --since --threads --event --weight "
        options+="--dotnet-trace-weights --periods --strict --quiet --no-sandbox --help "
        options+="--version"
        columns="samples module calls"
        ;;
    wakers)
        options="--limit --by --waits --columns --depth --min --process --thread --cpu "
        options+="--time --between --focus --ignore --leaf --module --kind --tier "
        options+="--sample-type --include-idle --group --mine --fold --show-from --show-to "
        options+="--no-inlines --symbols --online --names --format --width --color "
        options+="--output --max-output --where --since --threads --event --weight "
        options+="--dotnet-trace-weights --periods --strict --quiet --no-sandbox --help "
        options+="--version"
        columns="blocked module stack process"
        ;;
    list)
        options="--limit --context --waits --columns --process --thread --cpu --time "
        options+="--between --focus --ignore --leaf --module --kind --tier --sample-type "
        options+="--include-idle --group --mine --fold --show-from --show-to --no-inlines "
        options+="--symbols --online --source-map --source --names --format --width "
        options+="--color --output --max-output --where --since --threads --event --weight "
        options+="--dotnet-trace-weights --periods --strict --quiet --no-sandbox --help "
        options+="--version"
        columns="exclusive inclusive line source"
        ;;
    annotate)
        options="--limit --waits --columns --process --thread --cpu --time --between "
        options+="--focus --ignore --leaf --module --kind --tier --sample-type "
        options+="--include-idle --group --mine --fold --show-from --show-to --no-inlines "
        options+="--symbols --online --source-map --source --names --format --width "
        options+="--color --output --max-output --where --since --threads --event --weight "
        options+="--dotnet-trace-weights --periods --strict --quiet --no-sandbox --help "
        options+="--version"
        columns="samples address instruction"
        ;;
    info)
        options="--limit --all --process --thread --cpu --time --between --focus --ignore "
        options+="--leaf --module --kind --tier --sample-type --include-idle --group "
        options+="--mine --fold --show-from --show-to --no-inlines --symbols --online "
        options+="--names --format --width --color --output --max-output --where --since "
        options+="--threads --event --weight --dotnet-trace-weights --periods --strict "
        options+="--quiet --no-sandbox --help --version"
        ;;
    diff)
        options="--limit --sort --by --columns --before --after --history --normalize "
        options+="--paths --all --verbose --relevant --rename --explain --force --process "
        options+="--thread --cpu --time --between --focus --ignore --leaf --module --kind "
        options+="--tier --sample-type --include-idle --group --mine --fold --show-from "
        options+="--show-to --no-inlines --symbols --online --names --format --width "
        options+="--color --output --max-output --where --since --threads --event --weight "
        options+="--dotnet-trace-weights --periods --strict --quiet --no-sandbox --help "
        options+="--version"
        columns="change before after ratio q verdict waits module function hint"
        ;;
    gate)
        options="--sort --by --columns --before --after --history --normalize --relevant "
        options+="--rename --force --max-regression --max-total --require --require-power "
        options+="--min-share --single --junit --sarif --process --thread --cpu --time "
        options+="--between --focus --ignore --leaf --module --kind --tier --sample-type "
        options+="--include-idle --group --mine --fold --show-from --show-to --no-inlines "
        options+="--symbols --online --names --format --width --color --output "
        options+="--max-output --where --since --threads --event --weight "
        options+="--dotnet-trace-weights --periods --strict --quiet --no-sandbox --help "
        options+="--version"
        columns="outcome function module before after verdict rule reason"
        ;;
    series)
        options="--limit --columns --order --relevant --process --thread --cpu --time "
        options+="--between --focus --ignore --leaf --module --kind --tier --sample-type "
        options+="--include-idle --group --mine --fold --show-from --show-to --no-inlines "
        options+="--symbols --online --names --format --width --color --output "
        options+="--max-output --over --where --since --threads --event --weight "
        options+="--dotnet-trace-weights --periods --strict --quiet --no-sandbox --help "
        options+="--version"
        columns="before after change at between module function"
        ;;
    import)
        options="--symbols --online --names --output --max-output --where --since "
        options+="--threads --event --weight --dotnet-trace-weights --periods --strict "
        options+="--quiet --no-sandbox --help --version"
        ;;
    merge)
        options="--symbols --online --names --output --max-output --where --since "
        options+="--threads --event --weight --dotnet-trace-weights --periods --strict "
        options+="--quiet --no-sandbox --help --version"
        ;;
    push)
        options="--schema --symbols --online --names --server --label --cluster --slice "
        options+="--threads --event --weight --dotnet-trace-weights --periods --strict "
        options+="--quiet --no-sandbox --help --version"
        ;;
    runs)
        options="--format --width --color --output --max-output --where --since --quiet "
        options+="--help --version"
        ;;
    symbols)
        options="--columns --explain --bundle --process --thread --cpu --time --between "
        options+="--focus --ignore --leaf --module --kind --tier --sample-type "
        options+="--include-idle --group --mine --fold --show-from --show-to --no-inlines "
        options+="--symbols --online --source-map --source --names --format --output "
        options+="--max-output --where --since --threads --event --weight "
        options+="--dotnet-trace-weights --periods --strict --quiet --no-sandbox --help "
        options+="--version"
        columns="module samples unnamed cause"
        ;;
    schema)
        options="--quiet --help --version"
        ;;
    guide)
        options="--quiet --help --version"
        ;;
    mcp)
        options="--symbols --online --source-map --source --names --quiet --help "
        options+="--version"
        ;;
    resolve)
        options="--columns --symbols --online --names --format --output --max-output "
        options+="--quiet --help --version"
        columns="rva function file line inlined"
        ;;
    events)
        options="--limit --mode --separator --provider --providers --level --keywords "
        options+="--stacks --follow --columns --with-module --process --thread --time "
        options+="--no-inlines --symbols --online --names --format --width --color "
        options+="--output --max-output --event --strict --quiet --no-sandbox --help "
        options+="--version"
        columns="events % bytes fields provider event"
        ;;
    gc)
        options="--limit --columns --process --time --format --width --color --output "
        options+="--max-output --threads --event --weight --dotnet-trace-weights --periods "
        options+="--strict --quiet --no-sandbox --help --version"
        columns="gc start process gen kind reason pause before after promoted"
        ;;
    query)
        options="--param --attach --max-time --max-memory --schema --symbols --online "
        options+="--names --format --width --color --output --max-output --threads --event "
        options+="--weight --dotnet-trace-weights --periods --strict --quiet --no-sandbox "
        options+="--help --version"
        ;;
    help)
        options="--as --quiet --help --version"
        ;;
    esac

    COMPREPLY=()
    [[ $cur != = ]] || cur=
    [[ $prev != = ]] || prev=${COMP_WORDS[COMP_CWORD - 2]}
    case $prev in
    --limit | -n) return ;;
    --mode) words="table compact fnames full meta" ;;
    --separator) return ;;
    --provider) return ;;
    --providers) return ;;
    --level) return ;;
    --keywords) return ;;
    --context) return ;;
    --sort) words="exclusive inclusive" ;;
    --by) words="function module process thread file line address kind wait label" ;;
    --columns) words=$columns ;;
    --buckets) return ;;
    --depth) return ;;
    --min) return ;;
    --root) _topfn_rows function label; return ;;
    --order) words="time name" ;;
    --page-size) return ;;
    --normalize) words="others total samples wall cpu none" ;;
    --relevant) return ;;
    --rename) return ;;
    --explain) return ;;
    --bundle) compopt -o default 2>/dev/null; return ;;
    --to) words="pprof otlp speedscope firefox cpuprofile callgrind collapsed" ;;
    --max-regression) return ;;
    --max-total) return ;;
    --require) return ;;
    --min-share) return ;;
    --junit) compopt -o default 2>/dev/null; return ;;
    --sarif) compopt -o default 2>/dev/null; return ;;
    --param) return ;;
    --attach) return ;;
    --max-time) return ;;
    --max-memory) return ;;
    --process) _topfn_rows process name; return ;;
    --thread) _topfn_rows thread name; return ;;
    --cpu) return ;;
    --time) return ;;
    --between) return ;;
    --focus) _topfn_rows function label; return ;;
    --ignore) _topfn_rows function label; return ;;
    --leaf) _topfn_rows function label; return ;;
    --module) _topfn_rows module name; return ;;
    --kind) words="kernel native managed script jit unknown" ;;
    --tier) words="unknown precompiled minopts optimized tier0 tier1 osr" ;;
    --sample-type) words="managed external all" ;;
    --group) words="just-my-code modules kernel runtime" ;;
    --mine) return ;;
    --fold) _topfn_rows function label; return ;;
    --show-from) _topfn_rows function label; return ;;
    --show-to) _topfn_rows function label; return ;;
    --symbols) compopt -o default 2>/dev/null; return ;;
    --source-map) return ;;
    --source) compopt -o default 2>/dev/null; return ;;
    --names) words="short full raw" ;;
    --format) words="text json csv md" ;;
    --width) return ;;
    --color) words="auto always never" ;;
    --output | -o) compopt -o default 2>/dev/null; return ;;
    --max-output) return ;;
    --over) return ;;
    --where) return ;;
    --since) return ;;
    --server) return ;;
    --label) return ;;
    --cluster) return ;;
    --slice) return ;;
    --threads) return ;;
    --event) words="cpu thread cswitch allocation exception contention" ;;
    --weight) return ;;
    --as) words="text bash zsh fish roff" ;;
    *)
        if [[ $cur == -* ]]; then
            words=$options
        elif [[ $command == help ]]; then
            words="$commands filters formats symbols database json ci fleet"
        else
            case $command in
            callers | wakers | list | annotate) [[ $COMP_CWORD -ne 2 ]] || _topfn_rows function label ;;
            esac
            compopt -o default 2>/dev/null
            [[ $COMP_CWORD -eq 1 ]] || return
            words=$commands
        fi
        ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

complete -F _topfn topfn

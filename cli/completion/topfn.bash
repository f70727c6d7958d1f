# bash completion for topfn, as topfn help --as bash writes it

_topfn() {
    local cur=${COMP_WORDS[COMP_CWORD]}
    local prev=${COMP_WORDS[COMP_CWORD - 1]}
    local command=top commands options words word

    commands="top timeline tree folded flame export page callers list annotate info diff gate series import merge push runs symbols schema guide resolve events query help"
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case " $commands " in
        *" $word "*) command=$word && break ;;
        esac
    done
    case $command in
    top)
        options="--limit --sort --by --waits --columns --when --process --pid --thread "
        options+="--tid --cpu --time --between --focus --ignore --leaf --module "
        options+="--leaf-module --kind --tier --sample-type --include-idle --group --mine "
        options+="--fold --fold-percent --hide --show-from --show-to --no-inlines "
        options+="--symbols --online --demangle --names --unnamed --format --width --color "
        options+="--no-pager --output --over --where --since --threads --event --jit "
        options+="--follow-paths --dotnet-trace-weights --periods --strict --quiet --help "
        options+="--version"
        ;;
    timeline)
        options="--limit --sort --by --columns --buckets --process --pid --thread --tid "
        options+="--cpu --time --between --focus --ignore --leaf --module --leaf-module "
        options+="--kind --tier --sample-type --include-idle --group --mine --fold "
        options+="--fold-percent --hide --show-from --show-to --no-inlines --symbols "
        options+="--online --demangle --names --unnamed --format --width --color "
        options+="--no-pager --output --where --since --threads --event --jit "
        options+="--follow-paths --dotnet-trace-weights --periods --strict --quiet --help "
        options+="--version"
        ;;
    tree)
        options="--columns --depth --min --bottom-up --no-processes --no-threads "
        options+="--startup --root --process --pid --thread --tid --cpu --time --between "
        options+="--focus --ignore --leaf --module --leaf-module --kind --tier "
        options+="--sample-type --include-idle --group --mine --fold --fold-percent --hide "
        options+="--show-from --show-to --no-inlines --symbols --online --demangle --names "
        options+="--unnamed --format --width --color --no-pager --output --where --since "
        options+="--threads --event --jit --follow-paths --dotnet-trace-weights --periods "
        options+="--strict --quiet --help --version"
        ;;
    folded)
        options="--before --after --diff --with-process --with-thread --with-module "
        options+="--lines --marks --process --pid --thread --tid --cpu --time --between "
        options+="--focus --ignore --leaf --module --leaf-module --kind --tier "
        options+="--sample-type --include-idle --group --mine --fold --fold-percent --hide "
        options+="--show-from --show-to --no-inlines --symbols --online --demangle --names "
        options+="--unnamed --format --width --color --no-pager --output --where --since "
        options+="--threads --event --jit --follow-paths --dotnet-trace-weights --periods "
        options+="--strict --quiet --help --version"
        ;;
    flame)
        options="--before --after --diff --with-process --with-thread --with-module "
        options+="--lines --marks --process --pid --thread --tid --cpu --time --between "
        options+="--focus --ignore --leaf --module --leaf-module --kind --tier "
        options+="--sample-type --include-idle --group --mine --fold --fold-percent --hide "
        options+="--show-from --show-to --no-inlines --symbols --online --demangle --names "
        options+="--unnamed --format --width --color --no-pager --output --where --since "
        options+="--threads --event --jit --follow-paths --dotnet-trace-weights --periods "
        options+="--strict --quiet --help --version"
        ;;
    export)
        options="--to --with-process --with-thread --with-module --lines --marks "
        options+="--process --pid --thread --tid --cpu --time --between --focus --ignore "
        options+="--leaf --module --leaf-module --kind --tier --sample-type --include-idle "
        options+="--group --mine --fold --fold-percent --hide --show-from --show-to "
        options+="--no-inlines --symbols --online --demangle --names --unnamed --format "
        options+="--width --color --no-pager --output --where --since --threads --event "
        options+="--jit --follow-paths --dotnet-trace-weights --periods --strict --quiet "
        options+="--help --version"
        ;;
    page)
        options="--sort --before --after --with-source --normalize --diff --process --pid "
        options+="--thread --tid --cpu --time --between --focus --ignore --leaf --module "
        options+="--leaf-module --kind --tier --sample-type --include-idle --group --mine "
        options+="--fold --fold-percent --hide --show-from --show-to --no-inlines "
        options+="--symbols --online --source-map --source --demangle --names --unnamed "
        options+="--format --width --color --no-pager --output --where --since --threads "
        options+="--event --jit --follow-paths --dotnet-trace-weights --periods --strict "
        options+="--quiet --help --version"
        ;;
    callers)
        options="--limit --columns --depth --min --process --pid --thread --tid --cpu "
        options+="--time --between --focus --ignore --leaf --module --leaf-module --kind "
        options+="--tier --sample-type --include-idle --group --mine --fold --fold-percent "
        options+="--hide --show-from --show-to --no-inlines --symbols --online --demangle "
        options+="--names --unnamed --format --width --color --no-pager --output --where "
        options+="--since --threads --event --jit --follow-paths --dotnet-trace-weights "
        options+="--periods --strict --quiet --help --version"
        ;;
    list)
        options="--limit --context --columns --process --pid --thread --tid --cpu --time "
        options+="--between --focus --ignore --leaf --module --leaf-module --kind --tier "
        options+="--sample-type --include-idle --group --mine --fold --fold-percent --hide "
        options+="--show-from --show-to --no-inlines --symbols --online --source-map "
        options+="--source --demangle --names --unnamed --format --width --color "
        options+="--no-pager --output --where --since --threads --event --jit "
        options+="--follow-paths --dotnet-trace-weights --periods --strict --quiet --help "
        options+="--version"
        ;;
    annotate)
        options="--limit --columns --process --pid --thread --tid --cpu --time --between "
        options+="--focus --ignore --leaf --module --leaf-module --kind --tier "
        options+="--sample-type --include-idle --group --mine --fold --fold-percent --hide "
        options+="--show-from --show-to --no-inlines --symbols --online --source-map "
        options+="--source --demangle --names --unnamed --format --width --color "
        options+="--no-pager --output --where --since --threads --event --jit "
        options+="--follow-paths --dotnet-trace-weights --periods --strict --quiet --help "
        options+="--version"
        ;;
    info)
        options="--all --process --pid --thread --tid --cpu --time --between --focus "
        options+="--ignore --leaf --module --leaf-module --kind --tier --sample-type "
        options+="--include-idle --group --mine --fold --fold-percent --hide --show-from "
        options+="--show-to --no-inlines --symbols --online --demangle --names --unnamed "
        options+="--format --width --color --no-pager --output --where --since --threads "
        options+="--event --jit --follow-paths --dotnet-trace-weights --periods --strict "
        options+="--quiet --help --version"
        ;;
    diff)
        options="--limit --sort --by --columns --before --after --history --normalize "
        options+="--paths --all --verbose --relevant --rename --explain --force --process "
        options+="--pid --thread --tid --cpu --time --between --focus --ignore --leaf "
        options+="--module --leaf-module --kind --tier --sample-type --include-idle "
        options+="--group --mine --fold --fold-percent --hide --show-from --show-to "
        options+="--no-inlines --symbols --online --demangle --names --unnamed --format "
        options+="--width --color --no-pager --output --where --since --threads --event "
        options+="--jit --follow-paths --dotnet-trace-weights --periods --strict --quiet "
        options+="--help --version"
        ;;
    gate)
        options="--sort --columns --before --after --history --normalize --verbose "
        options+="--relevant --rename --force --max-regression --max-total --require "
        options+="--inconclusive --single --junit --sarif --process --pid --thread --tid "
        options+="--cpu --time --between --focus --ignore --leaf --module --leaf-module "
        options+="--kind --tier --sample-type --include-idle --group --mine --fold "
        options+="--fold-percent --hide --show-from --show-to --no-inlines --symbols "
        options+="--online --demangle --names --unnamed --format --width --color "
        options+="--no-pager --output --where --since --threads --event --jit "
        options+="--follow-paths --dotnet-trace-weights --periods --strict --quiet --help "
        options+="--version"
        ;;
    series)
        options="--limit --columns --order --relevant --process --pid --thread --tid "
        options+="--cpu --time --between --focus --ignore --leaf --module --leaf-module "
        options+="--kind --tier --sample-type --include-idle --group --mine --fold "
        options+="--fold-percent --hide --show-from --show-to --no-inlines --symbols "
        options+="--online --demangle --names --unnamed --format --width --color "
        options+="--no-pager --output --over --where --since --threads --event --jit "
        options+="--follow-paths --dotnet-trace-weights --periods --strict --quiet --help "
        options+="--version"
        ;;
    import)
        options="--symbols --online --demangle --output --where --since --threads --event "
        options+="--jit --follow-paths --dotnet-trace-weights --periods --strict --quiet "
        options+="--help --version"
        ;;
    merge)
        options="--symbols --online --demangle --output --where --since --threads --event "
        options+="--jit --follow-paths --dotnet-trace-weights --periods --strict --quiet "
        options+="--help --version"
        ;;
    push)
        options="--schema --symbols --online --demangle --server --label --cluster "
        options+="--slice --threads --event --jit --follow-paths --dotnet-trace-weights "
        options+="--periods --strict --quiet --help --version"
        ;;
    runs)
        options="--format --width --color --no-pager --output --where --since --quiet "
        options+="--help --version"
        ;;
    symbols)
        options="--columns --explain --process --pid --thread --tid --cpu --time "
        options+="--between --focus --ignore --leaf --module --leaf-module --kind --tier "
        options+="--sample-type --include-idle --group --mine --fold --fold-percent --hide "
        options+="--show-from --show-to --no-inlines --symbols --online --demangle --names "
        options+="--unnamed --format --no-pager --output --where --since --threads --event "
        options+="--jit --follow-paths --dotnet-trace-weights --periods --strict --quiet "
        options+="--help --version"
        ;;
    schema)
        options="--quiet --help --version"
        ;;
    guide)
        options="--quiet --help --version"
        ;;
    resolve)
        options="--columns --symbols --online --demangle --format --no-pager --output "
        options+="--quiet --help --version"
        ;;
    events)
        options="--limit --mode --separator --provider --providers --level --keywords "
        options+="--stacks --follow --columns --with-module --process --pid --thread --tid "
        options+="--time --no-inlines --symbols --online --demangle --names --unnamed "
        options+="--format --width --color --no-pager --output --event --strict --quiet "
        options+="--help --version"
        ;;
    query)
        options="--param --attach --max-time --max-memory --schema --symbols --online "
        options+="--demangle --format --width --color --no-pager --output --threads "
        options+="--event --jit --follow-paths --dotnet-trace-weights --periods --strict "
        options+="--quiet --help --version"
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
    --by) words="function module process thread file line address kind label" ;;
    --columns) return ;;
    --buckets) return ;;
    --depth) return ;;
    --min) return ;;
    --root) return ;;
    --order) words="time name" ;;
    --normalize) words="others total samples wall cpu none" ;;
    --relevant) return ;;
    --rename) return ;;
    --explain) return ;;
    --to) words="pprof speedscope firefox cpuprofile callgrind collapsed" ;;
    --max-regression) return ;;
    --max-total) return ;;
    --require) return ;;
    --inconclusive) words="pass fail 2" ;;
    --junit) compopt -o default 2>/dev/null; return ;;
    --sarif) compopt -o default 2>/dev/null; return ;;
    --param) return ;;
    --attach) return ;;
    --max-time) return ;;
    --max-memory) return ;;
    --process) return ;;
    --pid) return ;;
    --thread) return ;;
    --tid) return ;;
    --cpu) return ;;
    --time) return ;;
    --between) return ;;
    --focus) return ;;
    --ignore) return ;;
    --leaf) return ;;
    --module) return ;;
    --leaf-module) return ;;
    --kind) words="kernel native managed script jit unknown" ;;
    --tier) words="unknown precompiled minopts optimized tier0 tier1 osr" ;;
    --sample-type) words="managed external all" ;;
    --group) return ;;
    --mine) return ;;
    --fold) return ;;
    --fold-percent) return ;;
    --hide) return ;;
    --show-from) return ;;
    --show-to) return ;;
    --symbols) compopt -o default 2>/dev/null; return ;;
    --source-map) return ;;
    --source) compopt -o default 2>/dev/null; return ;;
    --demangle) words="short full none" ;;
    --names) words="label full" ;;
    --unnamed) words="module address" ;;
    --format) words="text json csv md" ;;
    --width) return ;;
    --color) words="auto always never" ;;
    --output | -o) compopt -o default 2>/dev/null; return ;;
    --over) return ;;
    --where) return ;;
    --since) return ;;
    --server) return ;;
    --label) return ;;
    --cluster) return ;;
    --slice) return ;;
    --threads) return ;;
    --event) return ;;
    --jit) return ;;
    --as) words="text bash zsh fish roff" ;;
    *)
        if [[ $cur == -* ]]; then
            words=$options
        elif [[ $command == help ]]; then
            words=$commands
        else
            compopt -o default 2>/dev/null
            [[ $COMP_CWORD -eq 1 ]] || return
            words=$commands
        fi
        ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

complete -F _topfn topfn

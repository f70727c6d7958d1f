# bash completion for topfn

_topfn() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    local commands="top tree folded callers list annotate info diff gate"
    commands+=" import merge symbols resolve help"
    local load="--threads --event --dotnet-trace-weights --strict --quiet"
    load+=" --symbols --online --demangle --help --version"
    local filter="--process --pid --thread --module --time --include-idle"
    filter+=" --sample-type --no-inlines"
    local compare="--before --after --normalize --sort --relevant --rename"
    local shown="--format --width --output"
    local command=top options word

    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case " $commands " in *" $word "*) command=$word ;; esac
    done
    case $command in
    top) options="$load $filter $shown --limit --sort --by" ;;
    tree) options="$load $filter $shown --depth --min --bottom-up" ;;
    folded) options="$load $filter $shown --diff --before --after" ;;
    callers) options="$load $filter $shown --limit" ;;
    list) options="$load $filter $shown --limit --source-map --context" ;;
    annotate) options="$load $filter $shown --limit --source-map" ;;
    symbols) options="$load $filter $shown --explain" ;;
    info) options="$load $filter $shown" ;;
    diff)
        options="$load $filter $shown $compare --force --limit --paths"
        options+=" --all --explain"
        ;;
    gate)
        options="$load $filter $shown $compare --force --max-regression"
        options+=" --max-total --function --max --require --budgets --junit --sarif"
        ;;
    import | merge) options="$load --output" ;;
    resolve) options="--symbols --online --demangle $shown --quiet --help" ;;
    *) options="--quiet --help --version" ;;
    esac

    COMPREPLY=()
    case $prev in
    --by) word="function module process thread file line address kind" ;;
    --sort) word="exclusive inclusive" ;;
    --format) word="text json csv md" ;;
    --demangle) word="short full none" ;;
    help) word=$commands ;;
    --normalize) word="total samples wall cpu none" ;;
    --output | -o | --budgets | --junit | --sarif | --symbols)
        compopt -o default 2>/dev/null && return
        ;;
    -n | --limit | --depth | --min | --width | --threads | --context) return ;;
    --source-map | --event) return ;;
    --sample-type) word="managed external all" ;;
    --process | --pid | --thread | --module | --time) return ;;
    --relevant | --rename | --explain | --max* | --function | --require)
        return
        ;;
    *)
        if [[ $cur == -* ]]; then
            word=$options
        else
            compopt -o default 2>/dev/null
            [[ $COMP_CWORD -eq 1 ]] || return
            word=$commands
        fi
        ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$word" -- "$cur")
}

complete -F _topfn topfn

# bash completion for topfn

_topfn() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    local commands="top tree folded info import resolve help"
    local load="--threads --strict --quiet --help --version"
    local filter="--process --pid --thread --module --time --include-idle"
    local shown="--format --width --output"
    local command=top options word

    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case " $commands " in *" $word "*) command=$word ;; esac
    done
    case $command in
    top) options="$load $filter $shown --limit --sort --by" ;;
    tree) options="$load $filter $shown --depth --min --bottom-up" ;;
    folded | info) options="$load $filter $shown" ;;
    import) options="$load --output" ;;
    resolve) options="--symbols --demangle $shown --quiet --help" ;;
    *) options="--quiet --help --version" ;;
    esac

    COMPREPLY=()
    case $prev in
    --by) word="function module process thread file line address kind" ;;
    --sort) word="exclusive inclusive" ;;
    --format) word="text json csv md" ;;
    --demangle) word="short full none" ;;
    help) word=$commands ;;
    --output | -o | --symbols) compopt -o default 2>/dev/null && return ;;
    -n | --limit | --depth | --min | --width | --threads) return ;;
    --process | --pid | --thread | --module | --time) return ;;
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

# Completes subcommands, options, variants and experiment files of tilelab in bash. `make install` puts this file where
# bash finds it; from a clone, `. tools/completion.bash` does. All words come from the program itself.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

# The words that follow "tilelab SUBCOMMAND", one a line.
_tilelab_words() {
    local program=$1 subcommand=$2
    "$program" "$subcommand" --help 2>/dev/null | grep -oE '(^|[ ,])--[a-z][a-z-]*' | tr -d ' ,'
    case $subcommand in
    new) printf '%s\n' variant problem study ;;
    list | verify | banks | show | compare) "$program" list 2>/dev/null | grep -oE '^[a-z0-9]+/[^ ]+' ;;
    esac
    case $subcommand in
    show | compare) find data -maxdepth 2 -name '*.results.csv' 2>/dev/null | sed 's|.*/||; s|\.results\.csv$||' ;;
    esac
    case $subcommand in
    run | report | plan | check | record | count | calibrate) compgen -G 'experiments/*.yaml'; compgen -G '*.yaml' ;;
    esac
}

_tilelab() {
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local words=''
    if [ "$COMP_CWORD" -eq 1 ]; then
        words=$("$program" --help 2>/dev/null | sed -nE 's/^  ([a-z]+) .*/\1/p')
    else
        case $before in
        --profile | -p) words='quick full record' ;;
        --only | -k)
            words=$("$program" list 2>/dev/null | grep -oE '^[a-z0-9]+/[^ ]+' | sed -E 'p; s|.*/||' | sort -u)
            ;;
        --data | -d | --into | --output | -o | --kernels) mapfile -t COMPREPLY < <(compgen -d -- "$word") && return ;;
        *) words=$(_tilelab_words "$program" "${COMP_WORDS[1]}") ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _tilelab tilelab

#!/usr/bin/env bats
# Completion of the command line in bash.
# SPDX-License-Identifier: MIT
load common

# completed WORD...: what bash offers for the last WORD, in a line.
completed() {
    # shellcheck source=tools/completion.bash
    . "$root/tools/completion.bash"
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _tilelab
    echo "${COMPREPLY[*]}"
}

@test "subcommands, options, profiles, variants and experiment files are completed" {
    [ "$(completed "$TILELAB" pla)" = plan ]
    [[ "$(completed "$TILELAB" run --pro)" == --profile ]]
    [ "$(completed "$TILELAB" run --profile q)" = quick ]
    [[ " $(completed "$TILELAB" verify matmul/omp-t) " == *" matmul/omp-tiled "* ]]
    [[ "$(completed "$TILELAB" run --dr)" == --dry-run ]]
    [[ " $(completed "$TILELAB" run -k omp-t) " == *" omp-tiled "* ]]
    tiny
    [ "$(completed "$TILELAB" run ti)" = tiny.yaml ]
    measure tiny.yaml
    [ "$(completed "$TILELAB" show ti)" = tiny ]
    [ -z "$(completed "$TILELAB" rnu x)" ]
}

@test "every subcommand of the usage text is completed" {
    local subcommand subcommands
    subcommands=" $(completed "$TILELAB" '') "
    for subcommand in run plan show check keys list verify query compare doctor; do
        [[ "$subcommands" == *" $subcommand "* ]] || { echo "$subcommand is missing"; return 1; }
    done
}

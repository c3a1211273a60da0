#!/usr/bin/env bats
# What the checks themselves are made of.
# SPDX-License-Identifier: MIT
load common

@test "each check that is left out has its reason" {
    run -0 awk -f "$root/tests/reasons.awk" <<'TAP'
ok 1 a check of bats
ok 2 another one # skip jq is missing
ok 3 - format # skip clang-format 14 is missing
# left out: nothing can be mounted here
not ok 4 - of_cmocka # SKIP
# left out: a line of a check that was not left out
ok 5 - of_cmocka
not ok 6 - failed
ok 7 - silent # SKIP
TAP
    [ "$output" = $'jq is missing\nclang-format 14 is missing\nnothing can be mounted here
no reason was given: ok 7 - silent # SKIP' ]
}

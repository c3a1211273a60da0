# Prints why each check of TAP lines was left out. bats tells it behind "# skip", a unit test in a line before.
# SPDX-License-Identifier: MIT
tolower($0) ~ /^(not )?ok .*# skip/ {
    behind = $0
    sub(/^.*# [Ss][Kk][Ii][Pp] */, "", behind)
    print before != "" ? before : behind != "" ? behind : "no reason was given: " $0
}
{ before = sub(/^# left out: /, "") ? $0 : "" }

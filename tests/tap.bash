# TAP lines. A script that sources this file ends with: echo "1..$count" and exit $result.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034 # result is for the script

count=0 result=0
# tell STATUS NAME: the line of a check, which has passed if its status is 0. Returns the status.
tell() {
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; result=1; fi
    return "$1"
}

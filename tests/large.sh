#!/bin/bash
# Verifies large products on a device: offsets need 64 bits, and grids are long. A product of n = 32768 needs 12 GiB of
# the device's memory in f32 and 24 GiB in f64, and as much of the host's; cuda-int8-f64 needs 42 GiB more. It takes a
# minute or more for each variant.
#   [TILELAB=build/tilelab] tests/large.sh [N] [PATTERN...]
# SPDX-License-Identifier: MIT
set -u
cd "$(dirname "$0")/.." || exit 1
tilelab=${TILELAB:-$PWD/${BUILD:-build}/tilelab}
n=${1:-32768}
shift
[ $# -gt 0 ] || set -- matmul/cuda-async matmul/cuda-dmma matmul/cuda-3xtf32 matmul/cuda-3xf16 matmul/cuda-int8 \
    matmul/cuda-int8-f64 aat/cuda-async aat/cuda-dmma aat/cuda-3xtf32
count=0 result=0
for pattern in "$@"; do
    count=$((count + 1))
    output=$("$tilelab" verify "$pattern" --sizes "$n" --square --inputs random 2>&1)
    status=$?
    if [ $status -eq 0 ] && grep -q '^ok' <<<"$output"; then
        echo "ok $count - $pattern is right at n = $n"
    elif [ $status -eq 0 ]; then
        echo "ok $count - # skip $pattern: $(head -n 1 <<<"$output")"
    else
        echo "not ok $count - $pattern at n = $n: exit code $status"
        grep -v '^ok' <<<"$output" | head -n 5 | sed 's/^/# /'
        result=1
    fi
done
exit $result

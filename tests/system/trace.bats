#!/usr/bin/env bats
# `tilelab trace`: timelines of kernels. Their times are those of this machine, so that only their sums are known.
# SPDX-License-Identifier: MIT
load common

trace() { run -0 "$TILELAB" trace "$@" precision=f64 n=256 tile=64 threads=2; }

@test "the shares of works and idle time add up to the whole, on each thread and on the critical path" {
    trace lu/omp-tasks
    says 'lu/omp-tasks precision=f64' 'with the record of' 'matmul/omp-packed'
    awk 'function off(sum) { return sum < 99 || sum > 101 }
         /^share of/ { inside = 1; next }
         /^It reaches/ { inside = 0 }
         inside { gsub(/ %/, ""); time += $(NF - (/^idle/ ? 4 : 5)); path += $(NF - (/^idle/ ? 3 : 4)); lines++
                  one += $(NF - 1); two += $NF }
         END { print time, path, one, two
               exit lines < 2 || off(time) || off(path) || off(one) || off(two) }
        ' <<<"$output"
}

@test "a trace is a file that trace viewers read, in which no thread does two things at once" {
    trace 'lu/omp-tasks,lu/omp-depend' --format json
    python3 - 3<<<"$output" <<'PY'
import json
events = json.load(open(3))["traceEvents"]
names = {e["args"]["name"] for e in events if e["name"] == "process_name"}
assert len(names) == 2 and any(n.startswith("lu/omp-depend ") for n in names), names
# Blocks of 64: 4 on the diagonal, 3 + 2 + 1 below them, and 9 + 4 + 1 updates.
calls = {w: sum(e["name"] == w for e in events if e["ph"] == "X" and e["pid"] == 1 and e["tid"] < 2)
         for w in ("lu_factor_block", "lu_solve_left_block", "lu_solve_upper_block", "lu_update_block")}
assert list(calls.values()) == [4, 6, 6, 14], calls
lanes = {}
for e in events:
    if e["ph"] == "X":
        lanes.setdefault((e["pid"], e["tid"]), []).append((e["ts"], e["ts"] + e["dur"]))
for pieces in lanes.values():
    assert all(a[1] <= b[0] + 0.002 for a, b in zip(pieces, pieces[1:]))
PY
}

@test "thread blocks of a CUDA kernel tell their works, and the trace explains the gap to the product's rate" {
    [ -e /dev/nvidia0 ] || skip 'no GPU'
    run -0 "$TILELAB" trace lu/cuda-dataflow precision=f64 n=2048
    says 'lu/cuda-dataflow precision=f64 n=2048' 'matmul/cuda-dmma' 'idle thread blocks'
    for work in update solve factor copy idle; do grep -q "^$work " <<<"$output"; done
    share=$(sed -n 's/^The trace explains \([0-9]*\) %.*/\1/p' <<<"$output")
    ((share >= 80 && share <= 120)) || { echo "$output"; return 1; }
    run -1 "$TILELAB" trace matmul/cuda-shared n=256
    says 'kernels/matmul/cuda_shared.cu tells nothing of its works'
}

@test "rows of a timeline beside results are a table, and explain the gap to the product's rate" {
    trace lu/omp-tasks --format csv
    printf '%s\n' "$output" >data/tiny.timeline.csv
    run -0 "$TILELAB" query --data data --format lines "
        SELECT experiment, variant, threads, max(thread) < 2, count(*) FILTER (WHERE end_s <= begin_s),
               count(*) FILTER (WHERE work = 'run'), sum(product_s) FILTER (WHERE work GLOB 'lu_*' OR work = 'other')
                   / sum(product_s) FILTER (WHERE work = 'run') BETWEEN 0.999 AND 1.001
        FROM timeline"
    [ "$output" = $'tiny\tlu/omp-tasks\t2\t1\t0\t1\t1' ]
    [ ! -s data/left-out.csv ]
}

@test "the figure of a timeline draws each thread, and says what explains the gap" {
    cat >data/tiny.timeline.csv <<'ROWS'
cell,variant,precision,n,tile,threads,source_hash,work,thread,begin_s,end_s,busy_s,path_s,product_s
01,lu/omp-tasks,f64,4,2,2,ab,run,,,,8,4,2
01,lu/omp-tasks,f64,4,2,2,ab,traced run,,,,8.2,4.1,
01,lu/omp-tasks,f64,4,2,2,ab,idle,,,,3,0,0
01,lu/omp-tasks,f64,4,2,2,ab,lu_update_block,,,,4,3,2
01,lu/omp-tasks,f64,4,2,2,ab,other,,,,1,1,0
01,lu/omp-tasks,f64,4,2,2,ab,other,0,0,1,,,
01,lu/omp-tasks,f64,4,2,2,ab,lu_update_block,1,1,4,,,
01,lu/omp-tasks,f64,4,2,2,ab,lu_update_block,-1,1,4,,,
ROWS
    draw() {
        "$TILELAB" query --data data --set host=data --set experiment="$1" --facts facts --format gnuplot \
            "$root"/figures/{study,timeline}.sql
    }
    run -0 draw tiny
    says "curves_title[2] = ['updates', 'other work']" "panels_title[1] = ['omp-tasks, tile 2']" \
        'x_most = 4000' 'n_all = 4' $'1 1000.0 4000.0 1\n1 1000.0 4000.0 2'
    # Of 6 seconds, 3 are idle and 2 are slow updates; nobody knows what took the sixth.
    grep -q 'both=83.idle=50' facts
    # A trace of another source than the result's is not drawn.
    for hash in cd ab; do
        printf '%s\n' experiment,cell,variant,status,source_hash "tiny,01,lu/omp-tasks,ok,$hash" >data/tiny.results.csv
        run -0 draw tiny
        says "curves_count = $([ $hash = cd ] && echo 0 || echo 2)"
    done
    # A run that the record has made longer says nothing of the gap.
    sed -i s/8.2,4.1/8.8,4.4/ data/tiny.timeline.csv
    run -0 draw tiny
    run ! grep '^row' facts
    run -0 draw none
    says 'curves_count = 0'
}

@test "what cannot be traced is told" {
    run -1 "$TILELAB" trace matmul/blas-openblas n=64
    says 'only kernels of the CPU and of CUDA that this program compiles can be traced'
    run -2 "$TILELAB" trace lu/omp-tasks n=zero
    says "'zero' is no value of n"
    run -2 "$TILELAB" trace lu/omp-tasks sides=4
    says "'sides=4' is no setting"
}

#!/usr/bin/env bats
# A part of a study from the command line: --set, --only and --dry-run.
# SPDX-License-Identifier: MIT
load common

# cells FILE: variant and n of each row.
cells() {
    column variant,n "$1" | grep ^matmul/
}

@test "a setting measures other cells; the report's files keep those of the experiment file" {
    tiny
    measure tiny.yaml
    cp data/tiny.results.csv before.csv
    measure -0 tiny.yaml --set n=80,88
    [[ "$output" == *"tiny: 4 of these results are of cells that tiny.yaml does not have."* ]]
    cmp before.csv data/tiny.results.csv
    [ "$(cells data/tiny.archive.csv | sort)" = \
        $'matmul/seq-ijk 80\nmatmul/seq-ijk 88\nmatmul/seq-ikj 80\nmatmul/seq-ikj 88' ]
    # They are results like others: nothing is measured twice, and a file that grows takes them up.
    measure tiny.yaml --set n=80,88
    [[ "$output" == *"4 cells, 4 finished"*" 0 to measure"* ]]
    sed -i 's/\[64, 72\]/[64, 72, 80, 88]/' tiny.yaml
    measure tiny.yaml
    [[ "$output" == *"8 cells, 8 finished"*" 0 to measure"* ]]
    [ "$(cells data/tiny.results.csv | wc -l)" -eq 8 ]
}

@test "the run record tells the settings of the last run that measured" {
    command -v jq >/dev/null || skip "jq is missing"
    tiny
    measure tiny.yaml
    [ "$(jq -c '.experiment | [.set, .only]' data/tiny.run.json)" = '[null,null]' ]
    measure tiny.yaml --set n=80 --set rounds=4 --only '*-ikj'
    [ "$(jq -c '.experiment | [.name, .set, .only, .measure.rounds]' data/tiny.run.json)" = \
        '["tiny",["n=80","rounds=4"],["*-ikj"],4]' ]
    measure tiny.yaml
    [ "$(jq -c '.experiment.set' data/tiny.run.json)" = '["n=80","rounds=4"]' ]
    sed -i 's/\[64, 72\]/[64, 72, 96]/' tiny.yaml
    measure tiny.yaml
    [ "$(jq -c '.experiment | [.set, .only]' data/tiny.run.json)" = '[null,null]' ]
}

@test "show --orphaned shows cells that the file does not have" {
    tiny
    measure tiny.yaml
    measure tiny.yaml --set n=80 -k seq-ijk
    run "$TILELAB" show tiny --data data
    [[ "$output" == *": 4 cells"* && "$output" != *80* ]]
    run "$TILELAB" show tiny --data data --orphaned
    [[ "$output" == *": 5 cells"*"matmul/seq-ijk  80"* ]]
    run "$TILELAB" show tiny --data data --orphaned --format csv
    [ "$(grep -c '^tiny,' <<<"$output")" -eq 5 ]
    run -2 "$TILELAB" show tiny --data data --orphaned --generations
}

@test "--only measures the cells that match, and their results stay beside the others" {
    tiny
    measure -0 tiny.yaml -k 'seq-ikj and n=72'
    [[ "$output" == *"tiny: 1 cells, "*" 1 to measure"* ]]
    [ "$(cells data/tiny.results.csv)" = 'matmul/seq-ikj 72' ]
    measure tiny.yaml --again --only n=72
    [[ "$output" == *"2 cells"*" 2 to measure"* ]]
    measure tiny.yaml
    [[ "$output" == *"4 cells, 2 finished"*" 2 to measure"* ]]
    [ "$(cells data/tiny.results.csv | wc -l)" -eq 4 ]
}

@test "several patterns mean either, in one option or in several, and \"and\" means both" {
    tiny
    "$TILELAB" plan tiny.yaml --data data -k 'seq-ikj,n=72' >either
    grep -q ' 3 to measure' either
    "$TILELAB" plan tiny.yaml --data data -k seq-ikj -k n=72 | diff either -
    "$TILELAB" plan tiny.yaml --data data -k 'seq-ikj and n=72, seq-ijk and n=64' | grep -q ' 2 to measure'
    run -2 "$TILELAB" plan tiny.yaml --data data -k 'seq-ikj and seq-ijk'
    [ "$output" = "tilelab: no cell matches all of 'seq-ikj and seq-ijk'" ]
}

@test "an unmatched pattern ends with the nearest name before a folder is touched" {
    tiny
    local subcommand
    for subcommand in run plan record; do
        run -2 "$TILELAB" "$subcommand" tiny.yaml --data other -k 'seq-ikjj'
        [ "$output" = "tilelab: no cell matches 'seq-ikjj'; did you mean 'seq-ikj'?" ]
        run -2 "$TILELAB" "$subcommand" tiny.yaml --data other --set 'tiel=4'
        [[ "$output" == *"--set:1:1: error: unknown key 'tiel'"*"did you mean 'tile'?" ]]
    done
    [ ! -e other ]
    run -2 "$TILELAB" run tiny.yaml --part 1/2 --set n=8
    [[ "$output" == *"--part measures whole studies"* ]]
}

@test "a dry run prints what plan prints, and writes nothing" {
    tiny
    measure tiny.yaml --only n=64
    find data -type f -exec cksum {} + | sort >before
    "$TILELAB" plan tiny.yaml --data data --set n=64,96 -k 'seq-i*' >planned
    "$TILELAB" run tiny.yaml --data data --set n=64,96 -k 'seq-i*' --dry-run >dry
    diff planned dry
    grep -q '4 cells: 2 finished, 2 to measure, about ' dry
    "$TILELAB" record tiny.yaml --data data --profile quick --set n=64,96 -k 'seq-i*' --dry-run >recorded
    [ "$(head -n "$(wc -l <planned)" recorded)" = "$(cat planned)" ]
    grep -q '^left on the CPU, about .*: 2 missing$' recorded
    find data -type f -exec cksum {} + | sort | diff before -
    "$TILELAB" record tiny.yaml --data fresh --dry-run
    "$TILELAB" run tiny.yaml --data fresh --dry-run
    [ ! -e fresh ]
}

@test "what a run was asked for stays in the command that goes on" {
    tiny
    run "$TILELAB" run tiny.yaml --data data --set n=80 -k 'seq-*' --budget 0.000001s
    [[ "$output" == *"run tiny.yaml --data data --set n=80 -k 'seq-*'"* ]]
}

@test "verify takes several patterns, and only the cells that match" {
    run -0 --separate-stderr "$TILELAB" verify matmul/seq-ijk,matmul/seq-ikj --sizes 3,5 --square \
        -k 'n=5 and precision=f64'
    [ "$(wc -l <<<"$output")" -eq 2 ]
    [ "$stderr" = 'tilelab: 2 cells, 2 ok' ]
    run --separate-stderr "$TILELAB" verify matmul/seq-ijk --sizes 3 --dry-run
    [ "$(grep -c '^variant=matmul/seq-ijk ' <<<"$output")" -eq 6 ]
    run -2 "$TILELAB" verify matmul/seq-ijj
    [ "$output" = "tilelab: no variant matches 'matmul/seq-ijj'; did you mean 'matmul/seq-ijk'?" ]
    run -2 "$TILELAB" verify matmul/seq-ijk --sizes 3 -k n=4
}

@test "verify checks each cell once, also where no rectangular one exists" {
    run -0 --separate-stderr "$TILELAB" verify lu/seq-naive,matmul/seq-ijk,jacobi/seq --sizes 1,7 --dry-run
    [ -z "$(sort <<<"$output" | uniq -d)" ]
    [ "$(grep -c '^variant=lu/seq-naive ' <<<"$output")" -eq 4 ]                 # f32 and f64
    [ "$(grep -c '^variant=matmul/seq-ijk .*n=7 ' <<<"$output")" -eq 6 ]         # i32 as well, rectangular and square
    [ "$(grep -c '^variant=jacobi/seq .*sweeps=5' <<<"$output")" -eq 4 ]
    [ "$(grep -c '^variant=jacobi/seq ' <<<"$output")" -eq 8 ]
}

@test "verify names a cell that crashes, hangs or ends its process, and goes on with the others" {
    export TILELAB_TEST=1
    local faults=fault/cpu-right,fault/cpu-crash,fault/cpu-endless,fault/cpu-exit,fault/cpu-idle
    run -1 --separate-stderr "$TILELAB" verify $faults --sizes 5 -k 'precision=f64 and n=5' --timeout 1
    cut -d ' ' -f 1,2 <<<"$output" >outcomes
    diff outcomes - <<'TEXT'
ok variant=fault/cpu-right
crash variant=fault/cpu-crash
timeout variant=fault/cpu-endless
exit variant=fault/cpu-exit
ok variant=fault/cpu-idle
TEXT
    [[ $output == *'crash variant=fault/cpu-crash precision=f64 '*' n=5: the kernel crashed here by SIGSEGV'* ]]
    [[ $output == *'timeout variant=fault/cpu-endless precision=f64 '*' n=5: no result in 1 s'* ]]
    [[ $output == *'exit variant=fault/cpu-exit precision=f64 '*' n=5: the kernel ended the process here'* ]]
    [ "$stderr" = 'tilelab: 5 cells, 2 ok, 1 crash, 1 timeout, 1 exit' ]
    # A grading script must not take the silence behind the fault for a success.
    run -1 --separate-stderr "$TILELAB" verify fault/cpu-exit --sizes 5,6 -k precision=f64
    [ "$stderr" = 'tilelab: 2 cells, 2 exit' ]
    # Without a limit all happens in one process, for a debugger. This process ends with the kernel.
    run -1 --separate-stderr "$TILELAB" verify fault/cpu-exit --sizes 5,6 -k precision=f64 --timeout 0
    [[ $output == *'exit variant=fault/cpu-exit '*' n=5: the kernel ended the process here, and '*' ends' ]]
    run -2 "$TILELAB" verify fault/cpu-exit --timeout soon
    [[ $output == *"'soon' is no number of seconds"* ]]
}

@test "verify without a limit names the cell in which a kernel crashed" {
    "$TILELAB" verify matmul/seq-ijk --sizes 1,2000 --square --timeout 0 >out 2>/dev/null 3>&- &
    local verify=$! ended=0
    until [ -s out ] || ! kill -0 "$verify"; do sleep 0.05; done
    kill -SEGV "$verify"
    wait "$verify" || ended=$?
    [ "$ended" -eq 139 ] || { echo "$ended"; cat out; return 1; }
    tail -n 1 out | grep -q '^crash variant=matmul/seq-ijk .*: the kernel crashed here'
}

@test "list, verify and run tell of a kernel file without its line in the registry" {
    tiny
    mkdir -p kernels/matmul kernels/common
    touch kernels/registry.def kernels/matmul/{seq_ijk.c,seq_mine.c,problem.c,verify.c,notes.md} kernels/common/gemm.c
    local warning='warning: kernels/matmul/seq_mine.c is no variant of this program; '
    warning+='give it a line in kernels/registry.def, and build again'
    run --separate-stderr "$TILELAB" list
    [ "$status" -eq 0 ] && [ "$stderr" = "$warning" ]
    run --separate-stderr "$TILELAB" verify matmul/seq-ijk --sizes 3
    [ "$status" -eq 0 ] && [[ "$stderr" == "$warning"* ]]
    run --separate-stderr "$TILELAB" verify matmul/seq-mine
    [ "$status" -eq 2 ] && [[ "$stderr" == "$warning"*"no variant matches"* ]]
    sed 's/seq-ijk/seq-mine/' tiny.yaml >mine.yaml
    run --separate-stderr "$TILELAB" run mine.yaml --data data
    [ "$status" -eq 2 ] && [[ "$stderr" == "$warning"*"unknown variant 'seq-mine'"* ]]
    run --separate-stderr "$TILELAB" run tiny.yaml --data data
    [ "$status" -eq 0 ] && [ "$stderr" = "$warning" ]
    rm kernels/registry.def
    run --separate-stderr "$TILELAB" list
    [ -z "$stderr" ]
}

@test "make suggests the study that a misspelt name means, and takes names, files and paths" {
    run -2 make -s -C "$root" run EXP=lab5-matmull
    [[ "$output" == *"no study named 'lab5-matmull' in experiments/; did you mean 'lab5-matmul'? There are: "*smoke* ]]
    run -2 make -s -C "$root" report EXPS=xyzzy,smoke
    [[ "$output" == *"no study named 'xyzzy' in experiments/; there are: "* ]]
    run -0 make -n -s -C "$root" plan NVCC= EXPS=lab5-aat,smoke.yaml 'EXP=experiments/peaks.yaml' ARGS='--set n=8'
    local file=experiments
    [[ "$output" == *" --set n=8 $file/peaks.yaml $file/lab5-aat.yaml $file/smoke.yaml" ]]
}

@test "make takes the file that is named, not the study in experiments/ of the same name" {
    mkdir "it's"
    tiny "it's/smoke"
    local file=$PWD/it\'s/smoke.yaml
    run -0 make -n -s -C "$root" plan NVCC= EXP="$file,peaks"
    [[ "$output" == *" '${file/\'/\'\\\'\'}' experiments/peaks.yaml" ]]
    run -0 make -n -s -C "$root" run NVCC= EXP="$(realpath "$root")/experiments/smoke.yaml"
    [[ "$output" == *" experiments/smoke.yaml" ]]
    # A file beside the Makefile.
    local tree=$PWD/tree
    mkdir "$tree"
    ln -s "$(realpath "$root")"/* "$tree"
    tiny "$tree/products"
    run -0 make -n -s -C "$tree" run NVCC= BUILD=build EXP=products.yaml
    [[ "$output" == *" 'products.yaml'" ]]
    run -2 make -n -s -C "$root" report NVCC= EXP="$file"
    says "make report takes the studies in experiments/, and $file is a file elsewhere; copy it there, or type: "
}

@test "a study is named by its file or by its name, and a misspelt one has a suggestion" {
    mkdir experiments
    tiny
    mv tiny.yaml experiments/
    local subcommand
    for subcommand in run plan record; do
        run -0 "$TILELAB" "$subcommand" tiny --data data
        [[ "$output" == tiny* ]]
    done
    [ "$("$TILELAB" check tiny)" = "$("$TILELAB" check experiments/tiny.yaml)" ]
    for subcommand in run plan record check count; do
        for name in tyni tyni.yaml experiments/tyni.yaml; do
            run -2 "$TILELAB" "$subcommand" "$name"
            [ "$output" = "tilelab: there is no experiment file '$name'; did you mean 'experiments/tiny.yaml'?" ]
        done
    done
    cp experiments/tiny.yaml mine.yaml
    [[ "$("$TILELAB" plan mine --data data)" == mine* ]]
    run -2 "$TILELAB" plan nime --data data
    [ "$output" = "tilelab: there is no experiment file 'nime'; did you mean 'mine.yaml'?" ]
    run -2 "$TILELAB" run xyzzy --data data
    [ "$output" = "tilelab: there is no experiment file 'xyzzy'; there are: tiny" ]
    run -2 "$TILELAB" check
    [[ "$output" == *'name an experiment'* ]]
}

@test "the time of a plan grows with its cells, not with their square" {
    local seconds=() sizes TIMEFORMAT=%3U
    for sizes in 1000 20000; do
        study many <<<"grid: {n: {from: 1, to: $sizes, step: 1}, threads: [1, 2], variant: [seq-ijk, seq-ikj, omp-ijk]}"
        # Only a real clock has probes beside the cells.
        { time env -u TILELAB_FAKE_TIMER "$TILELAB" plan many.yaml --data data >planned 2>&1; } 2>took.txt
        seconds+=("$(<took.txt)")
        grep -qE "^ +[0-9]+ cells: 0 finished, [0-9]{4,} to measure" planned || { tail -n 3 planned; return 1; }
    done
    # Twenty times the cells: their square would take 400 times as long.
    awk -v few="${seconds[0]}" -v many="${seconds[1]}" 'BEGIN { exit !(many < 80 * few) }' ||
        { echo "${seconds[*]}"; return 1; }
}

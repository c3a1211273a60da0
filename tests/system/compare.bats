#!/usr/bin/env bats
# `tilelab compare`: results of folders and of generations, cell by cell.
# SPDX-License-Identifier: MIT
load common

head='experiment,cell,problem,variant,backend,precision,n,status,reason,rounds,launches,flags,median_s,ci_lo_s,ci_hi_s,source_hash'
head+=',library_hash,machine_hash,generation'

# row CELL N MEDIAN LOW HIGH [SOURCE [MACHINE [STATUS [GENERATION]]]]: a row of results.csv.
row() {
    printf 's,%s,matmul,matmul/seq-ijk,cpu,f64,%s,%s,,8,3,,%s,%s,%s,%s,,%s,%s\n' "$1" "$2" "${8:-ok}" "$3" "$4" "$5" \
        "${6:-c1}" "${7:-m1}" "${9:-1}"
}

# two_folders: a and b, whose five shared cells get five verdicts; each has one cell of its own.
two_folders() {
    mkdir -p a b
    {
        echo "$head"
        row c1 1 1.0 0.99 1.01
        row c2 2 1.0 0.99 1.01
        row c3 3 1.0 0.999 1.001
        row c4 4 1.0 0.8 1.2
        row c5 5 1.0 0.99 1.01
        row c6 6 1.0 0.99 1.01
    } >a/s.results.csv
    {
        echo "$head"
        row c1 1 0.5 0.49 0.51 c2
        row c2 2 1.2 1.19 1.21
        row c3 3 1.001 1 1.002
        row c4 4 1.1 0.9 1.3
        row c5 5 '' '' '' c1 m1 wrong
        row c7 7 1.0 0.99 1.01
    } >b/s.results.csv
}

@test "each shared cell gets a verdict, and what one side lacks is listed" {
    two_folders
    run -0 --separate-stderr "$TILELAB" compare a b
    [ -z "$stderr" ]
    [[ ${lines[0]} == 'Cells that both sides have, all with precision=f64' ]]
    grep -Eq 'n=1 +1.00 s +500 ms +2.00 +1.94 .. 2.06 +FASTER +code changed$' <<<"$output"
    grep -Eq 'n=2 +1.00 s +1.20 s +0.833 +0.818 .. 0.849 +SLOWER *$' <<<"$output"
    grep -Eq 'n=3 .* SAME *$' <<<"$output"
    grep -Eq 'n=4 .* UNDECIDED *$' <<<"$output"
    grep -Eq 'n=5 .* REGRESSED +wrong$' <<<"$output"
    grep -Eq '^b +matmul/seq-ijk +n=6 +no result$' <<<"$output"
    grep -Eq '^a +matmul/seq-ijk +n=7 +no result$' <<<"$output"
    # The summary: cells, faster, slower, same, undecided, regressed, speed-ups, lacks, more.
    grep -Eq '^a +b +5 +1 +1 +1 +1 +1 +0.833 .. 2.00 +1 +1$' <<<"$output"
}

@test "a regression beyond the threshold gives exit code 3" {
    two_folders
    run -3 "$TILELAB" compare a b --fail-above 5%
    [[ $output == *'2 cells have become slower beyond the threshold, or have regressed'* ]]
    sed -i /wrong/d b/s.results.csv
    run -3 "$TILELAB" compare a b --fail-above 5%
    run -0 "$TILELAB" compare a b --fail-above 25%
    run -3 "$TILELAB" compare b a --fail-above 5%
    run -2 "$TILELAB" compare a b --fail-above 5
    run -2 "$TILELAB" compare a b --fail-above=-5%
}

@test "times of another machine, of another clock and of a single run are no regression" {
    mkdir a b
    { echo "$head"; row c1 1 1.0 0.99 1.01; row c2 2 1 '' ''; row c3 3 1 0.99 1.01; } >a/s.results.csv
    { echo "$head"; row c1 1 2.0 1.99 2.01 c1 m2; row c2 2 2 1.9 2.1; row c3 3 2 1.99 2.01 |
        sed 's/,8,3,,/,8,3,simulated,/'
    } >b/s.results.csv
    run -0 "$TILELAB" compare a b --fail-above 5%
    grep -Eq 'n=1 .* SLOWER +other machine$' <<<"$output"
    grep -Eq 'n=2 .* UNDECIDED +one run$' <<<"$output"
    grep -Eq 'n=3 +1.00 s +2.00 s +UNDECIDED +two clocks$' <<<"$output"
}

@test "a doubt that both sides have is told once" {
    mkdir a b
    { echo "$head"; row c1 1 1 0.99 1.01 | sed 's/,8,3,,/,8,3,noisy+once,/'; } >a/s.results.csv
    { echo "$head"; row c1 1 1 0.99 1.01 | sed 's/,8,3,,/,8,3,noisy+throttled,/'; } >b/s.results.csv
    run -0 "$TILELAB" compare a b
    grep -q ' flagged noisy once throttled$' <<<"$output"
}

@test "a side with a flag, or of too few rounds or launches, gives no verdict, and the reason is told" {
    mkdir a b
    local change reason
    { echo "$head"; row c1 1 1.0 0.99 1.01; } >a/s.results.csv
    while IFS='|' read -r change reason; do
        { echo "$head"; row c1 1 0.5 0.49 0.51 | sed "$change"; } >b/s.results.csv
        run -0 "$TILELAB" compare a b
        grep -Eq "^matmul.* $reason *\$" <<<"$output" || { echo "$change"; echo "$output"; return 1; }
        run -0 "$TILELAB" compare b a
        grep -Eq "^matmul.* ${reason/FASTER/SLOWER} *\$" <<<"$output" || { echo "$change"; echo "$output"; return 1; }
    done <<'CHANGES'
s/,8,3,,/,5,3,,/|FASTER
s/,8,3,,/,8,3,simulated,/|UNDECIDED +two clocks
s/,8,3,,/,4,3,,/|UNDECIDED +4 rounds in 3 launches
s/,8,3,,/,8,2,,/|UNDECIDED +8 rounds in 2 launches
s/,8,3,,/,8,,,/|UNDECIDED +8 rounds in 1 launch
s/,8,3,,/,8,3,noisy,/|UNDECIDED +flagged noisy
s/,8,3,,/,8,3,unsteady,/|UNDECIDED +flagged unsteady
CHANGES
    # Where a run takes longer than 2 s, a round in each launch suffices. The samples tell the launches of old rows.
    { echo "$head"; row c1 1 3.0 2.9 3.1 | sed 's/,8,3,,/,3,3,,/'; } >a/s.results.csv
    { echo "$head"; row c1 1 9.0 8.9 9.1 | sed 's/,8,3,,/,3,,,/'; } >b/s.results.csv
    run -0 "$TILELAB" compare a b
    grep -Eq '^matmul.* UNDECIDED +3 rounds in 1 launch$' <<<"$output"
    printf '%s\n' cell,round,launch,kernel_s c1,0,0,9 c1,1,1,9 c1,2,2,9 >b/s.samples.csv
    run -0 "$TILELAB" compare a b
    grep -Eq '^matmul.* SLOWER *$' <<<"$output"
}

@test "the verdicts of two folders are the opposite when the folders change places" {
    two_folders
    run "$TILELAB" compare b a --format csv
    [ "$(grep -c ',slower,' <<<"$output")" -eq 1 ]
    grep -Eq '^s,c2,.*,faster,' <<<"$output"
    grep -Eq '^s,c5,.*,fixed,' <<<"$output"
}

@test "the other formats hold all rows" {
    two_folders
    run -0 "$TILELAB" compare a b --format csv
    [ "${#lines[@]}" -eq 8 ]
    [ "$(grep -c ',lacking,' <<<"$output")" -eq 2 ]
    run -0 "$TILELAB" compare a b --format markdown
    grep -Fxq '| variant | settings | before | time | speed-up | interval | verdict | remark |' <<<"$output"
    grep -Fq '| matmul/seq-ijk | n=1 | 1.00 s | 500 ms | 2.00 | 1.94 .. 2.06 | FASTER | code changed |' <<<"$output"
    run -2 "$TILELAB" compare a b --format xml
    command -v jq >/dev/null || skip 'jq is missing'
    run "$TILELAB" compare a b --format json
    [ "$(jq -r '.base, .summary[0].slower, .summary[0].regressions, (.cells | length), (.lacking | length)' \
        <<<"$output" | tr '\n' ' ')" = 'a 1 2 5 2 ' ]
}

@test "a class of many hosts is compared with the first" {
    local i
    two_folders
    for i in {1..28}; do
        mkdir "h$i"
        cp b/s.results.csv "h$i/"
    done
    run -0 "$TILELAB" compare a b h{1..28}
    [ "$(grep -c FASTER <<<"$output")" -eq 29 ]
    [ "$(grep -cE '^a +(b|h[0-9]+) +5 +1 +1 ' <<<"$output")" -eq 29 ]
}

@test "two generations of a study are compared" {
    mkdir -p data/local
    { echo "$head"; row c1 1 0.5 0.49 0.51 c2 m1 ok 2; row c2 2 1 0.99 1.01 c2 m1 ok 2; } >data/local/s.results.csv
    { echo "$head"; row c1 1 1.0 0.99 1.01; } >data/local/s.archive.csv
    run -0 "$TILELAB" compare 1 2 --exp s
    grep -Eq 'n=1 +1.00 s +500 ms +2.00 .* FASTER +code changed$' <<<"$output"
    grep -Eq '^generation 1 +matmul/seq-ijk +n=2 +no result$' <<<"$output"
    run -2 "$TILELAB" compare 1 3 --exp s
}

@test "compare says what it lacks" {
    two_folders
    run -2 "$TILELAB" compare a
    run -2 "$TILELAB" compare a a
    [[ $output == *'named twice'* ]]
    run -2 "$TILELAB" compare a nowhere
    [[ $output == *'no results on one side: nowhere;'* ]]
    run -2 "$TILELAB" compare a b --exp other
    echo '{"outputs": {"results.csv": "the hash of another file"}}' >b/s.run.json
    run --separate-stderr "$TILELAB" compare a b
    [ "$stderr" = "warning: b: s.results.csv was changed after its run, or a run has not ended" ]
}

@test "a folder is compared with what git has of it at a revision" {
    tiny
    "$TILELAB" run tiny.yaml --profile quick --data data
    git init -q .
    git add data/tiny.*
    git -c user.name=n -c user.email=e commit -qm one
    sed -i -E 's/^(.*,matmul\/seq-ijk,.*),ok,/\1,wrong,/' data/tiny.results.csv
    rm -r data/.journal
    run -0 "$TILELAB" compare data@HEAD data --format csv
    [ "$(grep -c ',same,' <<<"$output")" -eq 2 ]
    [ "$(grep -c ',regressed,' <<<"$output")" -eq 2 ]
    # Nothing is left of the copy.
    mkdir temporary
    TMPDIR=$PWD/temporary run -0 "$TILELAB" compare data@HEAD data
    [ -z "$(ls temporary)" ]
    run -2 "$TILELAB" compare data@nothing data
    [[ "$output" == *"git has no files of data at the revision nothing"* ]]
}

@test "a difference among many cells needs more than one alone" {
    mkdir a b
    { echo "$head"; row c1 1 1.0 0.96 1.04; } >a/s.results.csv
    { echo "$head"; row c1 1 0.9 0.865 0.935; } >b/s.results.csv
    run -0 "$TILELAB" compare a b
    grep -Eq '^matmul.* FASTER *$' <<<"$output"
    # At 5 % of 41 equal cells, two would differ by chance.
    local i
    for i in {2..41}; do
        row "c$i" "$i" 1.0 0.99 1.01 >>a/s.results.csv
        row "c$i" "$i" 1.0 0.99 1.01 >>b/s.results.csv
    done
    run -0 "$TILELAB" compare a b
    grep -Eq 'n=1 .* UNDECIDED +faster if compared alone$' <<<"$output"
    [[ ${lines[-1]} == 'Called faster or slower: 0 of 41 comparisons'*' Compared alone, 1 more would be.' ]]
    # A great difference is called among as many.
    sed -i 's/,0.9,0.865,0.935,/,0.3,0.29,0.31,/' b/s.results.csv
    run -3 "$TILELAB" compare b a --fail-above 5%
    grep -q '^Called faster or slower: 1 of 41 comparisons; at most 0.050 of them are expected to be false ' \
        <<<"$output"
}

@test "two variants are measured in the same rounds, and one sentence says which is faster" {
    few=(--data data --set rounds=6 --set launches=3)
    run --separate-stderr -0 "$TILELAB" compare matmul/seq-ikj seq-ijk --sizes 64 "${few[@]}"
    [ "${#lines[@]}" -eq 1 ]
    [[ $output =~ ^'seq-ikj is '[0-9.]+' ['[0-9.]+', '[0-9.]+'] times as fast as seq-ijk: '[A-Z]+' (f64, n = 64)'$ ]]
    [[ $stderr == *'2 to measure'* ]]
    # The other order is the same study.
    run --separate-stderr -0 "$TILELAB" compare matmul/seq-ijk matmul/seq-ikj --sizes 64 "${few[@]}"
    [[ $output == 'seq-ijk is '* && $stderr == *'2 finished'* ]]
    run --separate-stderr -0 "$TILELAB" compare matmul/seq-ijk matmul/seq-ikj --sizes 64 "${few[@]}" --again
    [[ $stderr == *'2 to measure'* ]]
    run --separate-stderr -0 "$TILELAB" compare seq-ikj matmul/seq-ijk --sizes 64,72 --set precision=f32,f64 "${few[@]}"
    [[ $stderr == *'8 cells, 2 finished'* ]]
    [ "$(grep -c '^seq-ikj is' <<<"$output")" -eq 0 ]
    grep -Eq '^f32, n = 72 .* [A-Z]+ *$' <<<"$output"
    [ "$(grep -c '^Geometric mean over 2 sizes, n = 64 to 72: seq-ikj is .* times as fast as seq-ijk (precision=f..)$' \
        <<<"$output")" -eq 2 ]
    [[ ${lines[-1]} == 'Called faster or slower: '*' of 4 comparisons'* ]]
    run -0 "$TILELAB" list --results --data data
    [[ $output != *seq-ikj* ]]
    # Where one cell of a size has to be measured, the other one is measured again.
    study both <<<'grid: {n: 64, variant: [seq-ijk, omp-ijk]}'
    run -0 "$TILELAB" run both.yaml --only seq-ijk --data data
    run --separate-stderr -0 "$TILELAB" compare seq-ijk matmul/omp-ijk --exp both.yaml --data data
    [[ $stderr == *'2 to measure'*'asked for again: 1'* ]]
    # A seed that the user gave says nothing of the run.
    for variant in seq-ijk omp-ijk; do "$TILELAB" run both.yaml --only $variant --seed 5 --data seeded; done
    run --separate-stderr -0 "$TILELAB" compare seq-ijk matmul/omp-ijk --exp both.yaml --data seeded
    [[ $stderr == *'2 to measure'*'asked for again: 2'* ]]
}

@test "sizes that no matrix has are told of --sizes, and nothing is written" {
    local sizes
    for sizes in 0 1x 64,99999999999; do
        run -2 "$TILELAB" compare matmul/seq-ijk matmul/seq-ikj --sizes "$sizes"
        says "--sizes takes up to 32 sizes from 1 to 2147483647, as 1,33,64, not '$sizes'"
        run -2 "$TILELAB" verify matmul/seq-ijk --sizes "$sizes"
        says "--sizes takes up to 32 sizes from 1 to 2147483647, as 1,33,64, not '$sizes'"
    done
    [ ! -e data/local ]
}

@test "a comparison of variants has the other formats" {
    two=(compare matmul/seq-ijk matmul/omp-ijk --data data --sizes '64,72' --set rounds=6 --set launches=3)
    run --separate-stderr -0 "$TILELAB" "${two[@]}" --format csv
    [ "${#lines[@]}" -eq 3 ]
    run --separate-stderr -0 "$TILELAB" "${two[@]}" --format markdown
    grep -Fxq '| cell | base | time | speed-up | interval | verdict |' <<<"$output"
    command -v jq >/dev/null || skip 'jq is missing'
    run --separate-stderr -0 "$TILELAB" "${two[@]}" --format json
    [ "$(jq -r '.subject, .base, .tests, .calls, (.cells[0] | .launches, .verdict), .means[0].sizes' <<<"$output" |
        tr '\n' ' ')" = 'seq-ijk omp-ijk 2 0 3 same 2 ' ]
}

@test "the cells of a study are compared, and what cannot be compared is told" {
    tiny
    run --separate-stderr -0 "$TILELAB" compare seq-ikj matmul/seq-ijk --exp tiny.yaml --data data --only n=72
    [[ $output == 'seq-ikj is '*' (f64, n = 72)' ]]
    # A quick run of the study has three launches.
    run --separate-stderr -0 "$TILELAB" run tiny.yaml --data data
    [[ $output == *'4 cells, 2 finished'* ]]
    local want
    while IFS='|' read -r arguments want; do
        # shellcheck disable=SC2086 # several words
        run -2 "$TILELAB" compare $arguments --data data
        [[ $output == *"$want"* ]] || { echo "$arguments: $output"; return 1; }
    done <<'FAULTS'
matmul/seq-ikj lu/seq-naive|are variants of two problems
matmul/seq-ikj seq-ikj|are one variant
matmul/seq-ikj matmul/seq-ikk|no variant matches 'matmul/seq-ikk'; did you mean
matmul/seq-ikj omp-ijk --exp tiny.yaml --sizes 64|--exp takes the cells of the study
matmul/seq-ikj omp-ijk --exp nothing|nothing
data data --again|nothing is measured
FAULTS
}

@test "two revisions are built and measured in turn" {
    tiny
    git init -q tree
    cd tree
    mkdir experiments
    sed 's/72/80/' ../tiny.yaml >experiments/tiny.yaml
    # A revision is a program that calls the one under test. The times of the second revision are longer,
    # by a quarter for the small size and by a half for the large one.
    cat >Makefile <<'MAKE'
build/tilelab: program
	mkdir -p build && cp program build/tilelab && chmod +x build/tilelab
MAKE
    cat >program <<'PROGRAM'
#!/bin/sh
exec "$PROGRAM" "$@"
PROGRAM
    git add .
    git -c user.name=n -c user.email=e commit -qm one
    cat >program <<'PROGRAM'
#!/bin/bash
"$PROGRAM" "$@"
for ((i = 1; i <= $#; i++)); do [ "${!i}" != --data ] || { i=$((i + 1)); data=${!i}; }; done
awk -F , -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 { by = $at["kernel_s"] < 0.9e-3 ? 1.25 : 1.5; $at["kernel_s"] *= by; $at["cpu_s"] *= by }
    { print }' "$data/tiny.samples.csv" >"$data/edited"
mv "$data/edited" "$data/tiny.samples.csv"
PROGRAM
    git -c user.name=n -c user.email=e commit -qam two
    mkdir temporary
    PROGRAM=$(realpath "$TILELAB") TMPDIR=$PWD/temporary run --separate-stderr -3 "$TILELAB" compare HEAD~1 HEAD \
        --exp tiny --set launches=4 --fail-above 10% --only seq-ikj,n=80
    [[ $stderr == *'launch 4 of 4'*'in 3 cells, HEAD is slower than HEAD~1'* ]]
    [ "$(grep -cE ' 0.800 +0.800 .. 0.800 +SLOWER *$' <<<"$output")" -eq 1 ]
    [ "$(grep -cE ' 0.667 +0.667 .. 0.667 +SLOWER *$' <<<"$output")" -eq 2 ]
    # The mean is as certain as its cells are, however far apart the sizes lie.
    [[ $output == *'n = 64 to 80: HEAD is 0.730 [0.730, 0.730] times as fast as HEAD~1'* ]]
    [ -z "$(ls temporary)" ]
    run -2 "$TILELAB" compare HEAD~1 HEAD
    [[ $output == *'--exp STUDY'* ]]
}

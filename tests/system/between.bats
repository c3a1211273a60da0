#!/usr/bin/env bats
# `tilelab show --between`: how far the times of cells lie apart that were measured again.
# SPDX-License-Identifier: MIT

load common

head='experiment,cell,problem,variant,backend,device,precision,n,threads,tile,status,reason,flags,median_s,ci_lo_s,ci_hi_s'
head+=',source_hash,library_hash,machine_hash,machine_number,machine_mark'

# row STUDY N MEDIAN [LOW HIGH]: a row of results.csv. Further variables change it: variant, backend, device, threads,
# tile, outcome, flags, source, kind, mark.
row() {
    local name=${variant:-matmul/omp-ijk}
    printf '%s,%s-%s-%s,%s,%s,%s,%s,f64,%s,%s,%s,%s,,%s,%s,%s,%s,%s,,%s,1,%s\n' "$1" "$name" "$2" "${threads-2}" \
        "${name%%/*}" "$name" "${backend:-cpu}" "${device:-C}" "$2" "${threads-2}" "${tile-}" "${outcome:-ok}" \
        "${flags-}" "$3" "${4-}" "${5-}" "${source:-s1}" "${kind:-k1}" "${mark-m1}"
}

# put STUDY [FOLDER]: writes the rows of standard input as the results of a study.
put() {
    mkdir -p "${2:-data}"
    { echo "$head"; cat; } >"${2:-data}/$1.results.csv"
}

# spread [FOLDER]...: the rows of the table, with bars between their columns.
spread() {
    local options=() folder
    for folder; do options+=(--data "$folder"); done
    [ $# -gt 0 ] || options=(--data data)
    "$TILELAB" show --between "${options[@]}" | sed -nE '/^(Host|Device) /,/^$/p' | sed -E '/^$/d; s/ {2,}/|/g'
}

# asked FORMAT FOLDERS SQL...: what queries of the tree say of folders, with blanks between them.
asked() {
    local options=() folder
    for folder in $2; do options+=(--data "$BATS_TEST_TMPDIR/$folder"); done
    (cd "$root" && "$TILELAB" query "${options[@]}" --set studies= --set "hosts=$2" --set most=4 \
        --set probes=no --format "$1" report/chosen.sql "${@:3}")
}

@test "the distribution of the slower time over the faster one is that of the data" {
    {
        row a 64 1 0.99 1.01
        row a 65 1 0.99 1.01
        row a 66 1.2 1.1 1.3
        row a 67 1
        row a 68 1 0.99 1.01
        for n in {74..78}; do row a "$n" 1; done
    } | put a
    {
        row b 64 1 0.98 1.02
        row b 65 1.1 1.09 1.11
        row b 66 1 0.9 1.15
        row b 67 1.3 1.29 1.31
        row b 68 0.5 0.49 0.51
        row b 74 1
        row b 75 1.1
        row b 76 1.2
        row b 77 1.3
        row b 78 0.4
        threads=4 row b 64 1
    } | put b
    # Ratios 1, 1.1, 1.2, 1.3, each twice, 2 and 2.5. Of four pairs with two intervals, two do not overlap.
    run -0 spread
    [ "${lines[0]}" = 'Device|What|Measured again in|Cells|Pairs|Median|75 %|90 %|Largest|Over 1.1, %|Apart, %' ]
    row='CPU, few threads|kernels|another run, same machine|10|10|1.200|1.300|2.050|2.500|60.0|50.0'
    [ "${lines[1]}" = "$row" ]
    [ "${#lines[@]}" -eq 2 ]
    # The order of the folders and of the times changes nothing, and other formats have the same numbers.
    "$TILELAB" show --between --data data --format md | grep -qF "| ${row//|/ | } |"
    run -0 "$TILELAB" show --between --data data --format csv
    head='folder,device,work,measured_in,cells,pairs,median,p75,p90,largest,above,apart,intervals'
    [ "${lines[0]}" = "$head" ]
    [[ ${lines[1]} == 'data,"CPU, few threads",kernels,"another run, same machine",10,10,1.2,1.3,2.05,2.5,0.6,0.5,4' ]]
    if command -v jq >/dev/null; then
        "$TILELAB" show --between --data data --format json >rows.json
        jq -e '.[0] | [.pairs, .intervals, .largest, .above] == [10, 4, 2.5, 0.6]' rows.json
    fi
}

@test "percentiles need ten pairs, and the largest ratio has the flags of its pair" {
    for n in {64..72}; do row a "$n" 1; done | put a
    { for n in {65..72}; do row b "$n" 1; done; flags=noisy row b 64 2; } | put b
    run -0 spread
    [ "${lines[0]}" = 'Device|What|Measured again in|Cells|Pairs|Median|Largest|Over 1.1, %' ]
    [ "${lines[1]}" = 'CPU, all threads|kernels|another run, same machine|9|9|1.000|2.000ⁿ|11.1' ]
    row c 73 1 | put c
    row d 73 1 | put d
    run -0 spread
    [[ ${lines[1]} == *'|10|10|1.000|1.000|1.100|2.000ⁿ|10.0' ]]
}

@test "devices, probes and machines stand apart" {
    {
        row a 64 1
        threads=4 row a 64 1
        variant=matmul/seq-ijk threads='' row a 64 1
        variant=fma/omp threads=4 row a 64 1
        # A backend that drives a CPU as a device uses all its threads.
        variant=read/opencl backend=opencl threads='' row a 64 1
        variant=matmul/cuda-shared backend=cuda device=G threads='' tile=32 row a 64 1
    } | put a
    {
        mark=m2 row b 64 1.5
        mark=m2 threads=4 row b 64 1.25
        mark='' variant=matmul/seq-ijk threads='' row b 64 3
        variant=fma/omp threads=4 row b 64 2
        variant=read/opencl backend=opencl threads='' row b 64 2
        # The kind of the machine does not count for a GPU, but its name does.
        mark=m2 variant=matmul/cuda-shared backend=cuda device=G threads='' tile=32 kind=k2 row b 64 1.125
        mark=m2 variant=matmul/cuda-shared backend=cuda device=H threads='' tile=32 row b 64 9
    } | put b
    run -0 spread
    diff - <(tail -n +2 <<<"$output") <<'ROWS'
CPU, few threads|kernels|another run|2|2|2.250|3.000|100.0
CPU, few threads|kernels|another run, other machine|1|1|1.500|1.500|100.0
CPU, few threads|kernels|another run, machine not recorded|1|1|3.000|3.000|100.0
CPU, all threads|kernels|another run, other machine|1|1|1.250|1.250|100.0
GPU|kernels|another run, other machine|1|1|1.125|1.125|100.0
CPU, all threads|probes|another run, same machine|2|2|2.000|2.000|100.0
ROWS
    # The run record knows how many cores the machine has.
    echo '{"machine": {"cores": 8}}' | tee data/a.run.json >data/b.run.json
    run -0 spread
    [[ $output != *'all threads|kernels'* && $output == *'CPU, few threads|probes'*'CPU, all threads|probes'* ]]
}

@test "only times of one cell and one code make a pair" {
    { for n in 64 65 66 67 68 69 70 71; do row a "$n" 1; done; variant=matmul/omp-tiled tile=8 row a 64 1; } | put a
    {
        source=s2 row b 64 2
        outcome=skipped row b 65 2
        outcome=timeout row b 66 ''
        flags=simulated row b 67 2
        threads=1 row b 68 2
        kind=k2 mark=m2 row b 69 2
        row b 70 ''
        variant=matmul/omp-ikj row b 71 2
        variant=matmul/omp-tiled tile=16 row b 64 2
    } | put b
    row smoke 64 2 | put smoke
    run -0 spread
    [ -z "$output" ]
    # A flagged time counts.
    { flags=noisy row c 64 1.5; } | put c
    run -0 spread
    [[ ${lines[1]} == *'|1|1|1.500|'* && ${#lines[@]} -eq 2 ]]
    # No time of a variant counts that is wrong somewhere.
    { row c 64 1.5; outcome=wrong row c 32 ''; } | put c
    run -0 spread
    [ -z "$output" ]
}

@test "launches of one run are compared by the medians of their rounds" {
    row a 64 1 | put a
    {
        echo cell,round,launch,index,kernel_s
        while read -r round launch time; do
            echo "matmul/omp-ijk-64-2,$round,$launch,0,$time"
            echo "matmul/omp-ijk-64-2,$round,$launch,1,$time"
        done <<'ROUNDS'
0 0 1.0
1 0 1.1
2 1 2.0
3 1 2.2
4 2 1.05
ROUNDS
        # The samples of a copy have no time of a run.
        echo matmul/omp-ijk-64-2,5,3,0,
    } >data/a.samples.csv
    # Launches of 1.05, 2.1 and 1.05 s; the last one has one round and so no interval.
    run -0 spread
    [ "${lines[1]}" = 'CPU, all threads|kernels|another launch|1|3|2.000|2.000|66.7|100.0' ]
}

@test "archived results of another machine count" {
    row a 64 1 | put a
    { echo "$head"; mark=m2 row a 64 1.5; source=s2 row a 64 5; } >data/a.archive.csv
    run -0 spread
    [[ ${lines[1]} == *'|another run, other machine|1|1|1.500|'* && ${#lines[@]} -eq 2 ]]
}

@test "several folders are compared, but a copy of a folder is no second measurement" {
    row a 64 1 0.9 1.1 | put a here
    cp -r here copy
    run -0 spread here copy
    [ -z "$output" ]
    row a 64 1.5 1.4 1.6 | put a there
    run -0 spread here there
    [[ ${lines[0]} == 'Host|Device|'* ]]
    [[ ${lines[1]} == 'several folders|CPU, all threads|kernels|another run, same machine|1|1|1.500|'*'|100.0' ]]
    row b 64 1.25 | put b here
    run -0 spread here there
    [[ ${lines[1]} == 'here|CPU, all threads|kernels|another run, same machine|1|1|1.250|'* ]]
    [[ ${lines[2]} == 'several folders|CPU, all threads|kernels|another run, same machine|1|2|1.350|'* ]]
}

@test "a report of a class has the rows of its first folder and of pairs, show has all" {
    local host hosts=(h1 h2 h3 h4 h5)
    for host in "${hosts[@]}"; do
        mark=$host row a 64 "1.${host#h}" | put a "$host"
        mark=$host row b 64 1 | put b "$host"
    done
    run -0 spread "${hosts[@]}"
    [ "$(grep -cE '^h[1-5]\|' <<<"$output")" -eq 5 ]
    [ "$(grep -c '^several folders|' <<<"$output")" -eq 1 ]
    run -0 asked tsv "${hosts[*]}" report/between-table.sql
    [ "$(grep -cP '^h[1-5]\t' <<<"$output")" -eq 1 ]
    [ "$(grep -cP '^several folders\t' <<<"$output")" -eq 1 ]
    run -0 asked tsv 'h1 h2 h3' report/between-table.sql
    [ "$(grep -cP '^h[1-3]\t' <<<"$output")" -eq 3 ]
}

@test "without pairs, show --between says so" {
    run -0 "$TILELAB" show --between --data data
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == 'No cell was measured again in data: '* ]]
    # A test's fake timer gives no times.
    tiny a
    tiny b
    measure a.yaml b.yaml
    run -0 "$TILELAB" show --between --data data
    [[ $output == 'No cell was measured again in data: '* ]]
    run -0 "$TILELAB" show --between --data data --format csv
    [[ $output == folder,device,* && ${#lines[@]} -eq 1 ]]
    run -0 "$TILELAB" show --between --data data --format json
    [ "$(tr -d '\n ' <<<"$output")" = '[]' ]
}

@test "show --between refuses what does not belong to it" {
    run -2 "$TILELAB" show --between --data nowhere
    [[ $output == 'tilelab show: nowhere: No such file or directory; '*'--data DIR names another folder' ]]
    for option in tiny --generations '--assembly matmul/seq-ijk'; do
        # shellcheck disable=SC2086
        run -2 "$TILELAB" show --between $option
        [[ $output == *'--between shows all studies of the folders'* ]]
    done
    run -2 "$TILELAB" show --between --orphaned
    [[ $output == *'--orphaned belongs to the results of an experiment, not to --between'* ]]
}

@test "the report and the README have the figures of the kernels, and nothing without pairs" {
    row a 64 1 | put a
    [ -z "$(asked lines data tools/readme-between.sql)" ]
    [ -z "$(asked latex data report/between-table.sql)" ]
    { row b 64 1.5; variant=fma/omp row b 64 1; } | put b
    { row c 64 1.5; variant=fma/omp row c 64 7; } | put c
    run -0 asked lines data tools/readme-between.sql
    [[ $output == *': 1.500 at the median on all cores (3 pairs). '* ]]
    run -0 asked facts data report/between-table.sql
    [[ $output == *'device=all'*'pairs=3'*'median=1.500'* ]]
    echo "$output" >facts
    run -0 "$TILELAB" findings --report "$root/report" --facts facts --caption "$root/report/between-table.sql"
    [[ $output == *'All threads of a CPU: 1.500 at the median (3 pairs)'*'means nothing.' ]]
    run -0 "$TILELAB" findings --report "$root/report" --facts facts --language ru \
        --caption "$root/report/between-table.sql"
    [[ $output == *'пар: 3. '*'ничего не значит.' ]]
}

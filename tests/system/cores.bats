#!/usr/bin/env bats
# Threads and cores: what a study may ask for, what this machine has, and how many of its cores behave like cores.
# SPDX-License-Identifier: MIT
load common

# usable: the CPUs that this process may use, one a line.
usable() {
    local list first last
    list=$(taskset -cp $$ | sed 's/.*: //')
    for range in ${list//,/ }; do
        first=${range%-*} last=${range#*-}
        seq "$first" "$last"
    done
}

# threads_of FILE: the thread counts of the cells of omp-ijk, with their statuses.
threads_of() {
    column variant,threads,status "$1" | sed -n 's/^matmul\/omp-ijk //p' | sort -n
}

counted() {
    study counted <<<'grid: {n: 64, variant: omp-ijk, threads: [1, half, all]}'
}

@test "1, half and all are each measured once, whatever they are on this machine" {
    counted
    run -0 "$TILELAB" run counted.yaml --profile quick --data data
    local cores
    cores=$("$TILELAB" doctor | sed -nE 's/.* cores +([0-9]+) .*/\1/p' | head -1)
    printf '%s ok\n' 1 "$((cores > 1 ? cores / 2 : 1))" "$cores" | sort -nu |
        diff - <(threads_of data/counted.results.csv)
    # A run again has the same cells.
    run -0 "$TILELAB" run counted.yaml --profile quick --data data
    [[ "$output" == *', 0 to measure'* ]]
}

@test "the last CPU alone is a core like any other" {
    counted
    run -0 env -u TILELAB_FAKE_TIMER taskset -c "$(usable | tail -1)" "$TILELAB" run counted.yaml --profile quick \
        --data data --set threads=all
    [ "$(threads_of data/counted.results.csv)" = '1 ok' ]
    [[ "$output" != *warning*'gain like'* ]]
}

@test "more threads than cores are a row with the reason, and no time" {
    study many <<'YAML'
grid: {n: 64, variant: omp-ijk, threads: [1, 3]}
YAML
    run -0 taskset -c "$(usable | head -1)" "$TILELAB" run many.yaml --profile quick --data data
    column variant,threads,status,median_s,reason data/many.results.csv
    column threads,status,median_s,reason data/many.results.csv | grep -qE '^3 skipped - 3 threads on 1 usable cores$'
}

@test "a control group of 1.5 cores is one core, and two threads are skipped with the reason" {
    [ "$(usable | wc -l)" -ge 2 ] || skip 'a machine with one CPU has no second core'
    local group=/sys/fs/cgroup/cpu/tilelab-test.$$
    mkdir "$group" 2>/dev/null || skip 'no control group can be made here (cgroup version 1, as root)'
    study many <<'YAML'
grid: {n: 64, variant: omp-ijk, threads: [2, all]}
YAML
    echo 100000 >"$group/cpu.cfs_period_us"
    echo 150000 >"$group/cpu.cfs_quota_us"
    inside() {
        echo "$BASHPID" >"$group/tasks" && exec "$@"
    }
    run inside "$TILELAB" run many.yaml --profile quick --data data
    rmdir "$group"
    [ "$status" -eq 0 ]
    column threads,status,reason data/many.results.csv | sort | diff - <(
        printf '%s\n' '1 ok -' '2 skipped 2 threads over a CPU quota of 1.5 cores')
}

@test "an order of cores that a user sets is used, and told in the record" {
    local order
    order=$(usable | tac | paste -sd,)
    counted
    TILELAB_CORE_ORDER=$order run -0 "$TILELAB" run counted.yaml --profile quick --data data
    grep -q "\"TILELAB_CORE_ORDER\": \"$order\"" data/counted.run.json
}

@test "simulated times need no probe of the cores" {
    counted
    run -0 "$TILELAB" run counted.yaml --profile quick --data data
    ! grep -q effective_cores data/counted.run.json
    ! "$TILELAB" doctor | grep -q 'effective cores'
}

@test "a run and doctor tell how many cores behave like cores" {
    counted
    run -0 env -u TILELAB_FAKE_TIMER "$TILELAB" run counted.yaml --profile quick --data data --set threads=1
    local effective cores
    effective=$(sed -nE 's/.*"effective_cores": ([0-9.]+),?/\1/p' data/counted.run.json)
    cores=$(sed -nE 's/.*"cores": ([0-9]+),?/\1/p' data/counted.run.json)
    awk -v e="$effective" -v c="$cores" 'BEGIN { exit !(e >= 1 && e <= c) }'
    env -u TILELAB_FAKE_TIMER "$TILELAB" doctor |
        grep -qE "(found|limited) +effective cores +[0-9.]+ of $cores(, [0-9.]+ at best)?(;|$)"
    # A run that measures nothing keeps the fact.
    run -0 env -u TILELAB_FAKE_TIMER "$TILELAB" run counted.yaml --profile quick --data data --set threads=1
    grep -q "\"effective_cores\": $effective" data/counted.run.json
}

@test "cores means what the run record of the folder tells of this machine, and else a probe" {
    study effective <<'YAML'
grid: {n: 64, variant: omp-ijk, threads: [1, cores]}
YAML
    run -0 "$TILELAB" run effective.yaml --profile quick --data data
    local cores
    cores=$(sed -nE 's/.*"cores": ([0-9]+),?/\1/p' data/effective.run.json)
    printf '%s ok\n' 1 "$cores" | sort -nu >expected
    threads_of data/effective.results.csv | diff expected -
    # All cores, since times are simulated. A record of this machine knows better; one of another machine does not.
    grep -q "\"cores_counted\": $cores" data/effective.run.json
    sed -i 's/"cores_counted": [0-9]*/"cores_counted": 1/' data/effective.run.json
    run -0 "$TILELAB" plan effective.yaml --profile quick --data data
    [[ "$output" == *'1 cells: 1 finished'* ]]
    sed -i 's/"cpu_model": "/&Another /' data/effective.run.json
    run -0 "$TILELAB" plan effective.yaml --profile quick --data data
    [[ "$output" == *"$(wc -l <expected) cells: "* ]]
    # Under a real clock the probe counts, and a run again counts the same.
    run -0 env -u TILELAB_FAKE_TIMER "$TILELAB" run effective.yaml --profile quick --data real
    run -0 env -u TILELAB_FAKE_TIMER "$TILELAB" run effective.yaml --profile quick --data real
    [[ "$output" == *', 0 to measure'* ]]
    run -2 "$TILELAB" run effective.yaml --data data --part 1/2
    [[ "$output" == *"each machine counts its own 'cores'"* ]]
}

@test "the report shows the range of effective cores, and no row for records without them" {
    cp -r "$root/tests/golden/report/local" old
    cp -r old new
    sed -i 's/"cores_online": 2,/&\n  "effective_cores": 1.43,/' new/hostile.run.json
    sed -i 's/"cores_online": 2,/&\n  "effective_cores": 1.52,/' new/slow-gpu.run.json
    testbed() {
        (cd "$root" && "$TILELAB" query --data "$BATS_TEST_TMPDIR/$1" --published data/published --set studies= \
            --set hosts=all --format tsv "${@:2}" report/{chosen,testbed,testbed-hosts}.sql)
    }
    testbed old >old.tsv
    testbed new >new.tsv
    diff old.tsv new.tsv | grep '^[<>]' >changes || true
    cat changes
    grep -q '^Cores used	2' old.tsv
    [ "$(cat changes)" = '> Effective cores	1.43–1.52' ]
    testbed new --language ru --words "$root/report/words.csv" | grep -q '^Эффективных ядер	1,43–1,52$'
    # A note beside the times of each study tells the same of all threads.
    local data
    for data in old new; do
        (cd "$root" && "$TILELAB" query --data "$BATS_TEST_TMPDIR/$data" --set studies= --set hosts=all \
            --format facts report/chosen-cells.sql report/notes/effective-cores.sql) >"$data.facts"
    done
    ! grep -q $'^row\tnotes/effective-cores' old.facts
    grep -q $'^row\tnotes/effective-cores\t.*\tthreads=2\tleast=1.43\tmost=1.43$' new.facts ||
        { cat new.facts; return 1; }
}

#!/usr/bin/env bats
# A run and its results: what is measured, what is kept, what is measured again and why.
# SPDX-License-Identifier: MIT
load common

@test "a study becomes two CSV files and a record" {
    tiny
    measure -0 tiny.yaml
    [ "$(column variant,status data/tiny.results.csv | grep -c '^matmul/seq-i.. ok$')" -eq 4 ]
    [ -s data/tiny.samples.csv ]
    if command -v jq >/dev/null; then
        [ "$(jq -r .schema data/tiny.run.json)" = 1 ]
        [ "$(jq -r .experiment.name data/tiny.run.json)" = tiny ]
        # The record tells where all of the time went.
        jq -e '.overhead | .in_samples_s + .in_warmup_s + .in_verification_s + .in_inputs_s + .in_starts_s + .waiting_s
            - .wall_s | fabs < 1e-6' data/tiny.run.json
        ! grep -qF "$(hostname)" data/tiny.run.json || [ "$(hostname | wc -c)" -lt 5 ]
    fi
}

@test "run again, nothing is measured and no file is touched" {
    tiny
    measure tiny.yaml
    local before after
    before=$(stat -c '%n %Y %i' data/tiny.*)
    measure -0 tiny.yaml
    after=$(stat -c '%n %Y %i' data/tiny.*)
    [ "$before" = "$after" ] || { echo "$before"; echo "$after"; return 1; }
}

@test "less careful settings: a careful result suffices" {
    tiny
    measure tiny.yaml
    local before
    before=$(sha256sum data/tiny.*.csv)
    printf 'quick: {rounds: 4, max-time: 10ms, ci: 9%%}\n' >>tiny.yaml
    measure -0 tiny.yaml
    [[ "$output" == *"4 finished"*" 0 to measure"* ]]
    [ "$before" = "$(sha256sum data/tiny.*.csv)" ]
}

@test "a quick run after a full one measures nothing and drops no row" {
    tiny
    printf 'quick: {n: [64, 96]}\n' >>tiny.yaml
    "$TILELAB" run tiny.yaml --profile full --data data
    cp data/tiny.results.csv full.csv
    run -0 "$TILELAB" run tiny.yaml --data data
    [[ "$output" == *"2 finished"*" 2 to measure; missing: 2"* ]]
    [ "$(column n data/tiny.results.csv | uniq -c | tr -s ' \n' ' ')" = " 2 64 2 72 2 96 " ]
    run diff full.csv data/tiny.results.csv
    [ "$(grep -c '^<' <<<"$output")" -eq 0 ]
    [ "$(grep -c '^>' <<<"$output")" -eq 2 ]
}

@test "the profile is quick unless the command line names another" {
    tiny
    printf 'quick: {n: [80]}\n' >>tiny.yaml
    run "$TILELAB" plan tiny.yaml --data data
    [[ "$output" == *"2 cells: 0 finished"* ]]
    "$TILELAB" run tiny.yaml --data data
    [ "$(column n data/tiny.results.csv | sort -u)" = 80 ]
}

@test "an experiment file is read once, so that it can come through a pipe" {
    local call
    tiny
    mv tiny.yaml text
    mkfifo tiny.yaml
    for call in check plan run 'run --set n=80' record; do
        cat text >tiny.yaml 3>&- &
        # shellcheck disable=SC2086 # the words of a call
        run -0 timeout 60 "$TILELAB" $call tiny.yaml
        wait
    done
}

@test "results are the same in a locale with a decimal comma" {
    [ -r /usr/share/i18n/locales/de_DE ] || skip "the sources of locales are missing"
    localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 || [ -d de_DE.UTF-8 ]
    [ "$(env LOCPATH="$PWD" LC_ALL=de_DE.UTF-8 printf %.1f 1,5)" = 1,5 ]
    tiny
    measure tiny.yaml
    LOCPATH=$PWD LC_ALL=de_DE.UTF-8 "$TILELAB" run tiny.yaml --profile quick --data comma
    cmp data/tiny.results.csv comma/tiny.results.csv
    cmp data/tiny.samples.csv comma/tiny.samples.csv
}

@test "output that is no terminal is plain lines" {
    tiny
    measure tiny.yaml
    [[ "$output" != *$'\e'* && "$output" != *$'\r'* ]]
}

@test "a probe is measured along with the cells" {
    unset TILELAB_FAKE_TIMER # with it, the runner leaves probes out, because their times would mean nothing
    tiny
    measure tiny.yaml
    column variant,status data/tiny.results.csv | grep -q '^fma/omp ok'
    column variant,status data/tiny.results.csv | grep -q '^copy/omp ok'
}

@test "a host's folder belongs to one machine; a folder named local does not" {
    tiny
    measure tiny.yaml
    "$TILELAB" run tiny.yaml --data local
    local before call folder hash
    hash=$(column machine_hash data/tiny.results.csv | head -n 1)
    # Rows of another machine, as those of a recorded host.
    for folder in data local; do
        rm -r "$folder/.journal"
        sed -i -E "s/$hash/0123456789abcdef/" "$folder"/tiny.{results.csv,run.json}
    done
    before=$(find data local -type f -exec sha256sum {} + | sort)
    cp tiny.yaml other.yaml
    for call in 'run other.yaml' 'count tiny.yaml' 'plan tiny.yaml' 'run tiny.yaml'; do
        # shellcheck disable=SC2086 # the words of a call
        run -4 "$TILELAB" $call --data data
        [[ $output == *'results of another kind of machine'* && $output != *'to measure'* ]]
    done
    [[ "$output" == *"results of another kind of machine"*" core"*"this machine is"* ]]
    [ "$before" = "$(find data local -type f -exec sha256sum {} + | sort)" ]
    # A processor of the same name may be another one.
    mkdir named
    cp data/* named
    sed -i "s/0123456789abcdef/$hash/" named/*
    run -0 "$TILELAB" plan tiny.yaml --data named
    jq '.machine.l2_bytes = 1' data/tiny.run.json | sed "s/0123456789abcdef/$hash/" >named/tiny.run.json
    run -4 "$TILELAB" plan tiny.yaml --data named
    [[ $output == *'results of another kind of machine'*'; there l2_bytes is 1, not '[1-9]* ]]
    run -0 "$TILELAB" run tiny.yaml --data local
    [[ "$output" == *"4 to measure; machine changed: 4"* ]]
    run -4 "$TILELAB" run tiny.yaml --data elsewhere/published
    [ ! -e elsewhere ]
}

@test "rows of an older program, which do not tell their settings, suffice if a profile has such settings" {
    tiny
    "$TILELAB" run tiny.yaml --profile full --data data
    # The last five columns are new: profile, measure, generation, and number and mark of the physical machine.
    sed -i -E 's/(,[^,]*){5}$//' data/tiny.results.csv
    head -n 1 data/tiny.results.csv | grep -q ',settings_hash$'
    rm -r data/.journal
    measure tiny.yaml
    [[ "$output" == *"4 finished"*" 0 to measure"* ]]
    printf 'measure: {rounds: 20}\nquick: {rounds: 20}\n' >>tiny.yaml
    measure tiny.yaml
    [[ "$output" == *"settings changed: 4"* ]]
}

@test "two profiles of which neither is more careful are measured once each" {
    tiny
    printf 'record: {rounds: 10}\n' >>tiny.yaml # max-time is 3 s, that of full is 30 s
    local profile
    for profile in record full; do
        run "$TILELAB" run tiny.yaml --profile $profile --data data
        [[ "$output" == *" 4 to measure"* ]]
    done
    for profile in record full quick record; do
        run "$TILELAB" run tiny.yaml --profile $profile --data data
        [[ "$output" == *"4 finished"*" 0 to measure"* ]] || { echo "$profile: $output"; return 1; }
    done
}

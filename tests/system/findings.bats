# Checks what the report says in words: each finding and note on the data of a recorded host, on invented data, on a
# machine without a GPU and on empty data, in both languages.
# SPDX-License-Identifier: MIT
load common

# facts LANGUAGE FOLDER...: the facts of all findings and notes.
facts() {
    local options=(--language "$1" --words report/words.csv) folder
    shift
    for folder; do options+=(--data "$folder"); done
    facts_of "${options[@]}"
}

# invent: data without a GPU, data of nothing, and rows for the notes.
invent() {
    mkdir -p cpu empty noted
    for file in "$root"/data/h200/*.{results.csv,run.json,history.csv}; do
        [ ! -f "$file" ] || grep -v ',cuda,' "$file" >"cpu/${file##*/}"
    done
    {
        echo experiment,cell,problem,variant,backend,precision,n,k,tile,status,median_s,ci_hi_s,flops,gflops,flags
        echo lab5-aat,01,aat,aat/cuda-b,cuda,f32,1024,1024,32,ok,0.001,0.001,2147483648,9000,partial+simulated
        echo lab5-aat,02,fma,fma/cuda,cuda,f32,16384,16384,,ok,1,1,2147483648,5000,
    } >noted/lab5-aat.results.csv
    echo '{"experiment": {"name": "lab5-aat", "problems": ["aat"], "tables": ["conflicts"]}}' >noted/lab5-aat.run.json
    {
        echo measured_at,profile,side,variant,settings,rounds,speedup,low,high,verdict
        echo 1,quick,CPU,matmul/seq-ijk,n=32,5,1,0.99,1.01,same
        echo 1,quick,CPU,matmul/omp-ijk,n=32,5,0.9,0.88,0.92,slower
    } >noted/calibration.csv
}

# What a recorded host has to say is found once, in each language.
setup_file() {
    root=$BATS_TEST_DIRNAME/../..
    TILELAB=${TILELAB:-$root/build/tilelab}
    local language
    for language in en ru; do facts $language "$root/data/h200" >"$BATS_FILE_TMPDIR/h200.$language" || return 1; done
}
# recorded LANGUAGE: these facts.
recorded() { cat "$BATS_FILE_TMPDIR/h200.$1"; }

# say OPTION...: sentences, from the files of the repository.
say() { "$TILELAB" findings --report "$root/report" "$@"; }

# told LANGUAGE FACTS: everything that the facts give sentences for.
told() {
    local part
    for part in conclusions summary studies undecided method; do
        say --language "$1" --facts "$2" --part $part || return 1
    done
}

@test "every finding and note has its sentences on all data, in both languages" {
    invent
    for language in en ru; do
        recorded $language >h200
        facts $language "$root/data/h100" >h100
        facts $language "$root"/tests/golden/report/{local,gpu} >golden
        facts $language "$PWD/cpu" >cpu-only
        facts $language "$PWD/noted" >noted-only
        facts $language "$PWD/empty" >nothing
        run -1 grep '^row' nothing
        # Every fact that is printed has a value, and nothing of a template is left.
        for data in h200 h100 golden cpu-only noted-only nothing; do
            told $language $data >$data.$language 2>faults
            [ ! -s faults ] || { cat faults; return 1; }
        done
        run -1 grep -nE '\?\?|–– |\\|\<fact\>|NULL|[{}]' {h200,h100,golden,cpu-only,noted-only,nothing}.$language
        [ ! -s nothing.$language ]
        run -1 grep cuda cpu-only.$language
    done
    [ "$(say --facts h200 | grep -c '?$')" -gt 10 ]
    # The summary answers its questions in their order, each with its evidence, or says what is missing.
    [ "$(say --facts h200 --part summary | grep -c '?$')" -eq 9 ]
    say --facts h200 --part summary | grep -q 'faster method is: on one core Gauss–Seidel, by .* (granular-'
    say --facts cpu-only --part summary | grep -q '^  No GPU ran the product with and without tiles'
    # Each sentence of a conclusion names its evidence too, so that two numbers for one question can be told apart.
    say --facts h200 >concluded
    run -1 grep -nE '^  .*[^)]\.$' concluded
    # The section on the method shows what belongs to no study: launches, and what a calibration said.
    say --facts h200 --part method | grep -q 'cells with an interval'
    say --facts noted-only --part method | grep -q 'The same code under two names'
    # The Russian sentences are Russian, with a decimal comma.
    grep -q 'быстрее, чем' h200.ru
    run -1 grep -nE '[0-9]\.[0-9]' {h200,h100,golden,cpu-only,noted-only}.ru
    grep -hv '^## ' {h200,h100,golden,cpu-only,noted-only}.ru >russian
    run -1 grep -niwE 'the|of|times|is|and|takes|with|than|sweeps|one' russian
}

@test "no sentence stands twice, and none has a phrase that says nothing" {
    recorded en >h200.en
    recorded ru >h200.ru
    for language in en ru; do
        for format in text latex; do
            for part in summary conclusions studies method; do
                say --language $language --format $format --facts h200.$language --part $part
            done | sed -E 's/\\evidence\{[^}]*\}\{[^}]*\}\././g; s/\\said\{/\n/g' |
                sed -E 's/ \([a-z0-9-]+\)\.$/./; s/^(- |  )//' >$language.$format
            run -1 grep -nE -f "$BATS_TEST_DIRNAME/banned" $language.$format
            # A question is a heading, and a few words are a number or a name.
            sed -E 's/([.?]) /\1\n/g' $language.$format | grep -E '([^ ]+ ){8}' | grep -vF '?' | sort | uniq -d >twice
            [ ! -s twice ] || { cat twice; return 1; }
        done
    done
}

@test "the conclusions of data are those of their facts, and a folder that is not there is told" {
    recorded en >h200
    (cd "$root" && "$TILELAB" findings --data data/h200) >said
    diff said <(say --facts h200)
    run -2 "$TILELAB" findings --data absent
    [[ $output == *'absent: No such file or directory'* ]]
    mkdir -p some
    run -2 "$TILELAB" findings --data some --report absent
    [[ $output == *'there is no folder absent/findings; --report names the folder report/ of tilelab' ]]
    run -2 say --facts h200 --language xx
    [[ $output == *'findings/xx.tex: error: No such file'* ]]
    run -2 say --part nonsense
    [[ $output == *'the parts are conclusions, summary, studies, undecided and method'* ]]
}

@test "most findings have something to say of a recorded host" {
    recorded en >h200
    facts en "$root/data/h200-x2" >two-gpus
    for file in "$root"/report/findings/*.sql; do
        name=$(basename "$file" .sql)
        grep -q "^row.findings/$name." h200 two-gpus || echo "$name"
    done >silent
    cat silent
    # These need cells that no study has recorded.
    run -1 grep -vxE 'loop-order|block-sizes|cold-caches|pinned|own-problem|(input|rung|digit|least)-.*' silent
    # Each names a variant that it uses, for `tilelab record`; one speaks of published times alone.
    "$TILELAB" list | awk '/^[^ ]/ { print $1; sub(/.*\//, "", $1); print $1 }' >names
    awk -F '\t' 'NR == FNR { name[$1]; next }
        $1 == "row" && $2 ~ /^findings/ {
            for (i = 3; i <= NF && !(substr($i, index($i, "=") + 1) in name); i++);
            if (i > NF) print $2
        }' names h200 | sort -u >nameless
    [ "$(cat nameless)" = findings/source-seidel ] || { cat nameless; return 1; }
}

@test "every finding and note has its texts in both languages, and a name of its own" {
    run -0 uniq -d < <(basename -a "$root"/report/{findings,notes}/*.sql | sort)
    [ -z "$output" ]
    for file in "$root"/report/findings/*.sql; do
        for key in 'asks\.ru' says 'says\.ru' rank chapter; do
            grep -qE "^-- $key: ." "$file" || { echo "$file has no $key"; return 1; }
        done
        # A question of the summary also says what is missing where no row answers it.
        told=$(grep -cE '^-- (answer|lacks|lacks\.ru): .' "$file") || true
        ((told == 0 || told == 3)) || { echo "$file has not all of answer, lacks and lacks.ru"; return 1; }
    done
    for file in "$root"/report/notes/*.sql; do
        for key in says 'says\.ru'; do
            grep -qE "^-- $key: ." "$file" || { echo "$file has no $key"; return 1; }
        done
    done
}

@test "a text with a fact that its query lacks is an error with file and line, and leaves no report" {
    mkdir -p tree/data
    cp -r "$root/figures" "$root/report" "$root/kernels" tree/
    cp -r "$root/data/published" "$root/tests/golden/report/." tree/data/
    sed -i 's/^-- says: /&\\fact{nonsense} /; s/\\judged{}/\\when{verdict}{swift}{}/' \
        tree/report/findings/library-gap.sql
    line=$(grep -n nonsense tree/report/findings/library-gap.sql | cut -d: -f1)
    cd tree
    TILELAB=$(realpath "$TILELAB") EXPS=slow-gpu run -2 report/build.sh report
    [[ $output == *"report/findings/library-gap.sql:$line: error: the query lacks the fact \"nonsense\""* ]]
    [[ $output == *'this is no verdict: "swift"'* && $output != *LATEX* ]]
    [ ! -e build/report.pdf ]
}

@test "an answer is of the largest size that decides, but of no size below a quarter of the largest" {
    # answered DECIDED FLAGGED: the size of the answer, where times at the first size have no doubt
    answered() {
        local n flags
        {
            echo experiment,cell,problem,variant,backend,precision,n,k,tile,status,rounds,launches,median_s,ci_lo_s,\
ci_hi_s,flops,gflops,flags
            for n; do
                [ "$n" = "$1" ] && flags='' || flags=throttled
                echo "a,1$n,matmul,matmul/cuda-shared,cuda,f32,$n,$n,32,ok,5,3,0.5,0.49,0.51,1,1,$flags"
                echo "a,2$n,matmul,matmul/cuda-global,cuda,f32,$n,$n,32,ok,5,3,1,0.99,1.01,1,1,"
            done
        } >data/a.results.csv
        said gpu-tile-worth
    }
    [[ $(answered 1024 4096) == *' n=1024 '*' verdict=faster '* ]]
    [[ $(answered 512 4096) == *' n=4096 '*' verdict=undecided '* ]]
}

@test "a text says what a verdict allows" {
    rows() {
        echo experiment,cell,problem,variant,backend,precision,n,k,tile,status,rounds,launches,median_s,\
ci_lo_s,ci_hi_s,flops,gflops,flags
        echo "a,01,matmul,matmul/cuda-shared,cuda,f32,1024,1024,32,ok,5,3,$1,2147483648,2000,$2"
        echo a,02,matmul,matmul/cuda-global,cuda,f32,1024,1024,32,ok,5,3,1.00,0.99,1.01,2147483648,2000,
    }
    while read -r times word flags; do
        rows "$times" "$flags" >data/a.results.csv
        facts en "$PWD/data" >said
        grep -F "	verdict=$word	" said || { cat said; return 1; }
    done <<'ROWS'
0.50,0.49,0.51 faster
2.00,1.98,2.02 slower
1.00,0.995,1.005 same
0.97,0.90,1.10 undecided
0.50,0.49,0.51 undecided throttled
0.50,0.49,0.51 faster simulated
0.50,, single
ROWS
    [[ $(grep -F 'row	findings/gpu-tile-worth' said) != *'	low='* ]]
}

@test "the answer of each device comes from the first host that decides it" {
    local name=findings/library-gap host
    # gap HOST SIDE VARIANT VERDICT
    gap() { printf 'row\t%s\thost=%s\texperiment=ladder\tside=%s\tvariant=%s\tverdict=%s\n' $name "$@"; }
    {
        printf 'table\treport/hostnames\thost\tlocal\tdevice\tlimit\tchapters\n'
        for host in a b; do
            printf 'row\treport/hostnames\thost=%s\tlocal=0\tdevice=%s\tchapters= matmul \n' $host $host
        done
        printf 'table\t%s' $name
        printf '\t%s' host experiment side variant base precision n threads ratio low high verdict flagged cost_ratio \
            cost_low cost_high cost_flagged slower minor share base_share unit base_unit
        echo
        gap a GPU first faster
        gap a CPU open undecided
        gap b GPU second faster
        gap b CPU decided faster
    } >invented
    run -0 say --facts invented --part summary
    says first decided
    [[ $output != *open* && $output != *second* ]]
    sed -i '/variant=decided/s/faster/undecided/' invented
    run -0 say --facts invented --part summary
    says first open
    [[ $output != *'decided is'* && $output != *second* ]]
}

@test "findings outside the tree takes the files that come with the program" {
    is_at_home_anywhere findings '--report names the folder report/ of tilelab'
}

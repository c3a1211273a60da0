#!/usr/bin/env bats
# `tilelab grade`: what becomes of submissions, the rule of a mark, and what is told of equal sources.
# SPDX-License-Identifier: MIT
load common

grades() { # OPTION...
    run "$TILELAB" grade submissions --assignment assignment.yaml --output grades "$@"
}

assignment() { # LINE...
    printf '%s\n' 'schema: 1' 'title: "Products"' 'problem: matmul' 'precision: f64' 'variant: omp-mine' \
        'baseline: omp-tiled' 'shown: 64' 'points: {built: 10, right: 40, 0.0001: 60, 1000: 100}' "$@" >assignment.yaml
}

# submission NAME [SED SCRIPT]: hands in the stub of the course, changed by the script.
submission() {
    mkdir -p "submissions/$1"
    sed "${2:-}" "$root/examples/course/handout/kernels/omp_mine.c" >"submissions/$1/omp_mine.c"
}

# outcome NAME: points, status and remark of marks.csv.
outcome() {
    mkdir -p tables
    cp grades/marks.csv tables/graded.csv
    "$TILELAB" query --data "$root/report/grade" --published tables --format lines \
        <(echo "SELECT points || ' ' || status || ' ' || coalesce(remark, '') FROM graded WHERE submission = '$1'")
}

# mark ROUNDS RATIO...: the mark of rounds in which the baseline took so many times the time of the submission.
mark() {
    mkdir -p tables
    printf 'kind,ratio,points\nright,,40\nratio,0.5,60\nratio,1,80\nratio,2,100\n' >tables/points.csv
    awk -v rounds="$1" -v list="${*:2}" 'BEGIN {
        count = split(list, ratio, " ")
        print "series,round,n,own_s,base_s,own_first_s,base_first_s,doubts"
        for (i = 0; i < rounds; i++) print "s," i ",64,1.0," ratio[i % count + 1] ",1.0," ratio[i % count + 1] ",+"
    }' >tables/rounds.csv
    "$TILELAB" query --data "$root/report/grade" --published tables --set error=0.0025 --format lines \
        "$root/report/grade/mark.sql" <(echo "SELECT low || ' ' || high || ' ' || points || ' ' || decided FROM mark")
}

@test "a mark is given where the interval lies between two thresholds, and else the lower one is undecided" {
    [ "$(mark 10 1.5)" = '1.5 1.5 80 1' ]
    # Ten rounds give the whole range, and twenty leave out two on each side.
    [ "$(mark 10 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 2.1)" = '1.1 2.1 80 0' ]
    [ "$(mark 20 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 2.1)" = '1.2 1.9 80 1' ]
    [ "$(mark 10 0.4 1.5)" = '0.4 1.5 40 0' ]
    [ "$(mark 10 0.4)" = '0.4 0.4 40 1' ]
    [ "$(mark 10 2)" = '2.0 2.0 100 1' ]
    # Too few rounds give no interval, and no mark above that of a right result.
    [ -z "$(mark 5 1.5)" ]
}

@test "processor time counts where both compute on one thread, also without the axis threads" {
    mkdir -p series
    local threads
    # The submission waits for three quarters of its time. The baseline makes threads of its own, or is disturbed.
    printf '%s\n' cell,round,launch,index,kernel_s,cpu_s a,0,0,0,4.5,1.5 a,0,0,1,4,1 b,0,0,0,2,3 \
        >series/speed.samples.csv
    for threads in '' 1 2; do
        printf '%s\n' \
            experiment,cell,problem,variant,backend,precision,threads,n,status,rounds,launches,flags,median_s \
            speed,a,matmul,matmul/seq-mine,cpu,f64,,64,ok,10,10,noisy,4.25 \
            "speed,b,matmul,matmul/omp-tiled,cpu,f64,$threads,64,ok,10,10,capped,2" >series/speed.results.csv
        "$TILELAB" query --data series --set own=matmul/seq-mine --set baseline=matmul/omp-tiled --format lines \
            "$root/report/grade/rounds.sql" <(echo "SELECT own_s || ' ' || base_s || ' ' || doubts FROM rounds")
    done >found
    [ "$(<found)" = $'1.0 2.0 +\n1.0 2.0 +\n4.0 2.0 noisy+' ] || { cat found; return 1; }
}

@test "a submission stands behind those that are certainly faster, and flagged times make nothing certain" {
    mkdir tables
    printf '%s\n' kind,ratio,points right,,40 >tables/points.csv
    printf '%s\n' folder,file,hash >tables/sources.csv
    printf '%s\n' folder,status,reason,points,ratio,low,high,rounds,single,flags,decided \
        ./slow,ok,,40,1,0.9,1.1,10,1,,1 ./fast,ok,,40,2,1.9,2.1,10,2,,1 ./near,ok,,40,1.8,1.7,1.95,10,2,,1 \
        ./disturbed,ok,,40,4,3.9,4.1,10,4,noisy,1 ./both,ok,,40,1,0.9,1.1,10,1,noisy,0 >tables/outcome.csv
    "$TILELAB" query --data "$root/report/grade" --published tables --format lines "$root/report/grade/placed.sql" \
        <(echo "SELECT submission || ' ' || place || coalesce(': ' || remark, '') FROM placed") >found
    diff - found <<'PLACES'
slow 3
fast 1
near 1
disturbed 1: flagged noisy
both 4: undecided: the interval holds a threshold, and the lower mark is given; flagged noisy
PLACES
}

@test "sources are equal if comments, blanks, names and texts are all that differs" {
    local tokens=$root/report/grade/tokens.awk
    printf '/* A */ int sum(int a)\n{\n    return a + 1; // one\n}\n' >a.c
    printf 'int  total(int value) { return value /* the\n value */ + 1; }\n' >b.c
    printf 'int sum(int a) { return a - 1; }\n' >c.c
    [ "$(awk -f "$tokens" a.c)" = "$(awk -f "$tokens" b.c)" ]
    [ "$(awk -f "$tokens" a.c)" != "$(awk -f "$tokens" c.c)" ]
}

@test "the faults of an assignment are told with their lines" {
    submission anna
    assignment 'hiden: 64' 'limits: {memory: 4}'
    sed -i 's/omp-tiled/omp-tild/; s/0.0001: 60/2: 60, 1: 50/' assignment.yaml
    grades
    [ "$status" -eq 2 ]
    [[ $output == *"assignment.yaml:9:1: error: unknown key 'hiden'"*"did you mean 'hidden'"* ]]
    [[ $output == *":10:18: error: 'memory' takes a value such as 512MiB or 4GiB"* ]]
    [[ $output == *"the ratios of 'points' ascend"* ]]
    assignment
    sed -i 's/omp-tiled/omp-tild/' assignment.yaml
    grades
    [[ $output == *"assignment.yaml:6:11: error: the baseline 'omp-tild' is no variant of matmul"*omp-tiled* ]]
}

@test "without bubblewrap nothing is graded, unless that is asked for" {
    submission anna
    assignment
    mkdir bin
    ln -s /usr/bin/* /bin/* bin/ 2>/dev/null || true
    rm -f bin/bwrap
    PATH=$PWD/bin grades
    [ "$status" -eq 2 ]
    [[ $output == *'install bubblewrap, or give --no-sandbox' ]]
    [ ! -e grades/marks.csv ]
}

@test "each submission gets its points, whatever the others do" {
    local sandbox=()
    bwrap --ro-bind / / --proc /proc --unshare-net true 2>/dev/null || sandbox=(--no-sandbox)
    assignment 'verified: [1, 33]' 'limits: {time: 60s}'
    submission anna
    submission boris 's/\<sum\>/total/g; s/^ \* The threads.*/ * Mine./'
    submission clara 's/l < k/l < k - k % 2/'
    submission dmitri 's/return 0;/return nothing;/'
    mkdir submissions/eva && ln -s ../anna/omp_mine.c submissions/eva/omp_mine.c
    submission felix 's|return 0;|FILE *file = fopen("../anna/omp_mine.c", "r"); return fgetc(file);|'
    submission galina '1,/variant.h/ s/#include .*/&\n#include "..\/anna\/omp_mine.c"/'
    submission hans 's/j < n; j++/j < n - n % 32; j++/'
    submission 007
    grades "${sandbox[@]}"
    [ "$status" -eq 0 ] || { echo "$output"; return 1; }
    [ "$(outcome anna)" = '60 ok ' ]
    [ "$(outcome boris)" = '60 ok ' ]
    [ "$(outcome 007)" = '60 ok ' ]
    [[ $(outcome clara) == '10 wrong wrong: n = 1: '* ]]
    grep -q 'elements are wrong' grades/students/clara/page.html
    # All elements of the least size are wrong; a larger one shows where.
    grep -q 'the last column, all rows' grades/students/hans/page.html
    grep -q 'C, 33 x 33; a sign is' grades/students/hans/page.html
    [[ $(outcome dmitri) == '0 not built '*"omp_mine.c:"*nothing*undeclared* ]]
    [[ $(outcome eva) == '0 refused '*'omp_mine.c leads to ../anna/omp_mine.c' ]]
    [[ $(outcome galina) == '0 refused '*'omp_mine.c:5:#include "../anna/omp_mine.c"' ]]
    [[ $(outcome felix) == '10 crash '* ]]
    grep -q '007/omp_mine.c, anna/omp_mine.c, boris/omp_mine.c' grades/equal.csv
    [ "$(jq .score grades/students/clara/results.json)" = 10 ]
    [ ${#sandbox[@]} -eq 0 ] || grep -q 'without a sandbox' grades/students/anna/page.html

    # What is graded is kept, and what has changed is graded again.
    submission clara
    grades "${sandbox[@]}"
    [ "$(grep -c '(kept)$' <<<"$output")" -eq 6 ]
    [ "$(outcome clara)" = '60 ok ' ]
    [ ${#sandbox[@]} -eq 0 ] || skip 'bwrap is missing, or user namespaces are not allowed'
}

@test "a submission without the kernel that is asked for is told so" {
    mkdir -p submissions/igor
    sed 's/omp_mine/omp_other/' "$root/examples/course/handout/kernels/omp_mine.c" >submissions/igor/omp_other.c
    assignment
    grades --no-sandbox
    [ "$status" -eq 0 ]
    [[ $(outcome igor) == '0 not built '*'no file holds VARIANT(matmul, omp_mine), the kernel that is asked for' ]]
}

@test "the folder of the submissions, or a submission, takes no marks" {
    submission anna
    assignment
    local folder
    for folder in submissions ./submissions/ submissions/anna/grades; do
        run -2 "$TILELAB" grade submissions --assignment assignment.yaml --no-sandbox --output "$folder"
        says 'name another folder with --output'
    done
    [ "$(find submissions)" = $'submissions\nsubmissions/anna\nsubmissions/anna/omp_mine.c' ]
}

@test "what is graded is graded again where that is asked for" {
    submission dmitri 's/return 0;/return nothing;/'
    assignment
    grades --no-sandbox
    grades --no-sandbox
    [[ $output == *'(kept)'* ]]
    grades --no-sandbox --again
    [[ $output == *'dmitri: 0 points, not built'* && $output != *'(kept)'* ]]
}

@test "a submission that forks without end ends with its time, and with all its processes" {
    bwrap --ro-bind / / --proc /proc --unshare-net true 2>/dev/null ||
        skip 'bwrap is missing, or user namespaces are not allowed'
    assignment 'limits: {time: 8s, processes: 40}'
    submission hugo 's|return 0;|while (fork() >= 0 \|\| 1) ;|; s|#include .*|#include <unistd.h>\n&|'
    grades
    [ "$(outcome hugo)" = '10 time limit time limit: the runs took more than 8 s' ] || { outcome hugo; return 1; }
    run -1 pgrep -f 'tilelab run [^ ]*/check.yaml'
}

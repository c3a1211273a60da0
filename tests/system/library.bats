#!/usr/bin/env bats
# The library at its best: the fastest number of threads counts, and its count is told. SPDX-License-Identifier: MIT

# Text between single quotes is Markdown.
# shellcheck disable=SC2016
load common

# invent STUDY: writes the results of a study from rows "CELL PROBLEM/VARIANT THREADS N ROUNDS LOW MEDIAN HIGH [FLAGS]".
invent() {
    local cell variant threads n rounds low median high flags backend
    {
        echo experiment,cell,problem,variant,backend,precision,threads,n,status,rounds,launches,median_s,ci_lo_s,\
ci_hi_s,gflops,flags
        while read -r cell variant threads n rounds low median high flags; do
            backend=cpu
            [[ $variant != */blas-* ]] || backend=blas
            echo "$1,$cell,${variant%/*},$variant,$backend,f64,${threads#-},$n,ok,$rounds,3,$median,${low#-},${high#-},\
$((n * 10)),$flags"
        done
    } >"data/$1.results.csv"
    cat >"data/$1.run.json" <<JSON
{"experiment": {"name": "$1", "problems": ["lu", "matmul"], "figures": ["gflops-by-n"]},
 "variants": [{"name": "lu/omp-recursive-pivot", "order": 1, "unit": "fma", "pivoting": "partial"},
              {"name": "lu/blas-openblas-getrf", "order": 2, "unit": "fma", "pivoting": "partial", "vendor": true,
               "library": "openblas"},
              {"name": "lu/blas-mkl-getrf", "order": 3, "unit": "fma", "pivoting": "partial", "vendor": true,
               "library": "mkl"}]}
JSON
}

# A factorisation whose library is fastest on two of four threads, and takes four times as long on all.
losing() {
    invent "$1" <<'ROWS'
01 lu/omp-recursive-pivot 4 64 5 0.99 1.00 1.01
02 lu/omp-recursive-pivot 1 64 5 2.97 3.00 3.03
03 lu/blas-openblas-getrf 1 64 5 0.99 1.00 1.01
04 lu/blas-openblas-getrf 2 64 5 0.495 0.50 0.505
05 lu/blas-openblas-getrf 4 64 5 1.98 2.00 2.02
ROWS
}

# A product beside two libraries.
beside_two() {
    invent "$1" <<'ROWS'
01 matmul/omp-packed 2 64 5 0.99 1.00 1.01
02 matmul/blas-openblas 2 64 5 0.79 0.80 0.81
03 matmul/blas-mkl 2 64 5 0.49 0.50 0.51
ROWS
}

@test "tables hold an own variant against the library's fastest threads, and tell the ratio on equal threads" {
    losing mine
    run -0 of_study mine tsv figures/study.sql report/tables/best.sql
    [[ $output == *$'\topenblas-getrf × 2\t500 ms\t0.500 [0.490, 0.510]\t2.00 [1.96, 2.04]' ]]
    run -0 of_study mine tsv figures/study.sql report/tables/lu-libraries.sql
    [[ $output == *$'\t× 4\t'*$'\tblas-openblas-getrf × 2\t500 ms\t0.500 [0.490, 0.510]\t2.00 [1.96, 2.04]'* ]]
    # A row about one thread holds both sides to one thread.
    run -0 of_study mine tsv figures/study.sql report/tables/frontier.sql
    [[ $output == *$'× 1\t64\tomp-recursive-pivot\t640\t640\t\t\t\t0.333 [0.327, 0.340]\t\t\tslower'* ]]
    [[ $output == *$'× 4\t64\tomp-recursive-pivot\t640\t640 × 2\t\t\t\t0.500 '* ]]
    [[ $output == *$'0.500 [0.490, 0.510]\t2.00 [1.96, 2.04]\t\tslower' ]]
}

@test "captions, findings, summary and figures take the same time and name its threads" {
    losing mine
    run -0 of_study mine facts figures/study.sql report/tables/best.sql
    [[ $output == *$'blas-openblas-getrf × 2\t'*'ratio=0.500'*'verdict=slower'* ]]
    run -0 said library-gap
    [[ $output == *'base=blas-openblas-getrf × 2 '*'threads=4 ratio=0.500 '* && ${#lines[@]} -eq 1 ]]
    run -0 of_study mine tsv report/summary.sql
    [[ $output == *$'\topenblas × 2\t0.500 [0.490, 0.510]\tslower'* ]]
    run -0 of_study mine gnuplot figures/study.sql figures/time-by-n.sql
    [[ $output == *$'\n64 0.5 0.495 0.505 0\n'*"'blas-openblas-getrf'"* && $output != *$'\n64 2.0 '* ]]
    losing frontier-cpu
    run -0 of_study frontier-cpu lines tools/readme-frontier.sql
    [[ $output == *'| `blas-openblas-getrf × 2` | 0.500 [0.490, 0.510] |' && ${#lines[@]} -eq 1 ]]
}

@test "the README gives the error of a split product over the library's" {
    cat >data/ladder.results.csv <<'CSV'
experiment,cell,problem,variant,backend,precision,n,status,rounds,launches,median_s,ci_lo_s,ci_hi_s,gflops,error
ladder,01,matmul,matmul/cuda-3xf16,cuda,f32,64,ok,5,3,0.25,0.25,0.25,640,3e-7
ladder,02,matmul,matmul/cuda-async,cuda,f32,64,ok,5,3,0.5,0.5,0.5,320,8e-7
ladder,03,matmul,matmul/cublas,cuda,f32,64,ok,5,3,1,1,1,160,4e-7
CSV
    cat >data/ladder.run.json <<'JSON'
{"experiment": {"name": "ladder", "problems": ["matmul"]},
 "variants": [{"name": "matmul/cuda-3xf16", "order": 1, "unit": "fma", "split": "f32"},
              {"name": "matmul/cuda-async", "order": 2, "unit": "fma"},
              {"name": "matmul/cublas", "order": 3, "unit": "fma", "vendor": true, "library": "cublas"}]}
JSON
    run -0 of_study ladder lines tools/readme-frontier.sql
    [[ ${#lines[@]} -eq 2 && ${lines[0]} == "| \`matmul/cuda-async\` | "* ]]
    [[ ${lines[1]} == "| \`matmul/cuda-3xf16\` | "*" (split, 0.75 × the error) | "*" | 4.00 "* ]]
}

@test "figures over n draw several libraries of the CPU as one curve, of the fastest at each n" {
    invent mine <<'ROWS'
01 lu/omp-recursive-pivot 4 64 5 0.99 1.00 1.01
02 lu/blas-openblas-getrf 2 64 5 0.495 0.50 0.505
03 lu/blas-openblas-getrf 4 64 5 1.98 2.00 2.02
04 lu/blas-mkl-getrf 4 64 5 0.792 0.80 0.808
05 lu/blas-openblas-getrf 2 128 5 3.96 4.00 4.04
06 lu/blas-mkl-getrf 4 128 5 2.97 3.00 3.03
ROWS
    local figure
    for figure in time-by-n gflops-by-n; do
        run -0 of_study mine gnuplot figures/study.sql figures/$figure.sql
        [[ $output == *"curves_title[2] = ['omp-recursive-pivot, 4 threads', 'fastest BLAS']"* ]]
    done
    run -0 of_study mine gnuplot figures/study.sql figures/time-by-n.sql
    [[ $output == *$'\n64 0.5 '*$'\n128 3.0 '* && $output != *$'\n64 0.8 '* && $output != *$'\n128 4.0 '* ]]
}

@test "the best own variant is the one of the highest rate, also where a slow one was measured at a larger size" {
    invent packed <<'ROWS'
01 matmul/omp-packed 2 64 5 0.99 1.00 1.01
02 matmul/blas-openblas 2 64 5 0.99 1.00 1.01
ROWS
    invent tiled <<'ROWS'
01 matmul/omp-tiled 2 128 5 79 80 81
02 matmul/blas-openblas 2 128 5 7.9 8.0 8.1
ROWS
    sed -i '/omp-tiled/s/,1280,/,128,/' data/tiled.results.csv
    run -0 said library-gap
    [[ ${lines[0]} == *' variant=matmul/omp-packed '* ]]
    run -0 of_study packed tsv report/summary.sql
    [[ $output == *$'\t64\tomp-packed\t'* && $output != *omp-tiled* ]]
}

@test "a sentence says when a library is slower on more threads, unless a time is in doubt" {
    losing mine
    run -0 said library-threads
    [[ $output == *'variant=lu/blas-openblas-getrf '*'threads=4 fewer=2 points=1 all=1 ratio=4.00 '* ]]
    sed -i '/^mine,05,/s/$/noisy/' data/mine.results.csv
    run -0 said library-threads
    [ -z "$output" ]
    invent mine <<'ROWS'
03 lu/blas-openblas-getrf 1 64 5 0.99 1.00 1.01
05 lu/blas-openblas-getrf 4 64 5 0.90 1.02 1.10
ROWS
    run -0 said library-threads
    [ -z "$output" ]
}

@test "a record with one number of threads has the ratios that it had, and no ratio on equal threads" {
    invent mine <<'ROWS'
01 lu/omp-recursive-pivot 4 64 5 0.99 1.00 1.01
02 lu/omp-recursive-pivot 2 64 5 1.98 2.00 2.02
05 lu/blas-openblas-getrf 4 64 5 1.98 2.00 2.02
ROWS
    run -0 of_study mine tsv figures/study.sql report/tables/best.sql
    [[ $output == *$'\topenblas-getrf × 4\t2.00 s\t2.00 [1.96, 2.04]\t' ]]
    # The table that the report prints has no empty column.
    run -0 of_study mine latex figures/study.sql report/tables/best.sql
    [[ $output == *'Own/library'* && $output != *'Equal threads'* ]]
}

@test "a size that lacks the fastest variant of the fullest size has no row among the fastest" {
    invent mine <<'ROWS'
01 lu/omp-recursive-pivot 4 64 5 0.99 1.00 1.01
02 lu/omp-pivot 4 64 5 1.98 2.00 2.02
03 lu/omp-pivot 4 32 5 1.98 2.00 2.02
04 lu/omp-pivot 4 128 5 1.98 2.00 2.02
05 lu/omp-recursive-pivot 4 256 5 1.98 2.00 2.02
ROWS
    sed -i 's|{"name": "lu/omp-rec|{"name": "lu/omp-pivot", "order": 0, "unit": "fma", "pivoting": "partial"}, &|' \
        data/mine.run.json
    run -0 of_study mine tsv figures/study.sql report/tables/best.sql
    [ "$(tail -n +2 <<<"$output" | cut -f 1 | xargs)" = '32 64 256' ] || { echo "$output"; return 1; }
}

@test "a host is shown unnamed where three quarters of its times give a verdict" {
    invent mine <<'ROWS'
01 lu/omp-recursive-pivot 4 64 5 0.99 1.00 1.01
02 lu/omp-recursive-pivot 4 32 5 0.99 1.00 1.01
03 lu/omp-recursive-pivot 4 16 5 0.99 1.00 1.01
04 lu/omp-recursive-pivot 4 8 1 - 1.00 -
ROWS
    run -0 "$TILELAB" query --data data --format lines 'SELECT good || times || decides FROM host_verdicts'
    [ "$output" = 341 ]
    sed -i '/^mine,03,/s/,5,3,1.00,0.99,1.01,/,1,1,1.00,,,/' data/mine.results.csv
    run -0 "$TILELAB" query --data data --format lines 'SELECT good || times || decides FROM host_verdicts'
    [ "$output" = 240 ]
}

@test "a host is shown unnamed where no other has over four times as many verdicts" {
    invent mine <<'ROWS'
01 lu/omp-recursive-pivot 4 64 5 0.99 1.00 1.01
02 lu/omp-recursive-pivot 4 32 5 0.99 1.00 1.01
03 lu/omp-recursive-pivot 4 16 5 0.99 1.00 1.01
04 lu/omp-recursive-pivot 4 8 5 0.99 1.00 1.01
ROWS
    mkdir few
    cp data/mine.run.json few
    head -n 2 data/mine.results.csv >few/mine.results.csv
    shown() {
        run -0 "$TILELAB" query --data data --data few --format lines \
            "SELECT group_concat(host, ' ') FROM (SELECT host FROM host_verdicts WHERE decides ORDER BY host)"
    }
    shown
    [ "$output" = 'data few' ]
    sed '/^mine,04,/{p;s/,04,/,05,/;s/,8,/,4,/}' data/mine.results.csv >longer
    mv longer data/mine.results.csv
    shown
    [ "$output" = data ]
}

@test "a library's time of several rounds counts before a faster one of a single run" {
    invent mine <<'ROWS'
01 lu/omp-recursive-pivot 4 64 5 0.99 1.00 1.01
03 lu/blas-openblas-getrf 1 64 5 1.98 2.00 2.02
05 lu/blas-openblas-getrf 4 64 1 - 0.50 -
ROWS
    run -0 of_study mine tsv figures/study.sql report/tables/best.sql
    [[ $output == *$'\topenblas-getrf × 1\t2.00 s\t2.00 [1.96, 2.04]\t0.500' ]]
    # Where each is a single run, the fastest counts.
    sed -i '/^mine,03,/s/,5,3,2.00,1.98,2.02,/,1,1,2.00,,,/' data/mine.results.csv
    run -0 of_study mine tsv figures/study.sql report/tables/best.sql
    [[ $output == *$'\topenblas-getrf × 4\t500 ms\t0.500\t' ]]
}

@test "a library that another machine has measured on more threads gives no verdict on fewer" {
    invent mine <<'ROWS'
01 lu/omp-recursive-pivot 4 64 5 0.99 1.00 1.01
03 lu/blas-openblas-getrf 1 64 5 1.98 2.00 2.02
05 lu/blas-openblas-getrf 4 64 5 0.49 0.50 0.51
ROWS
    # The row of four threads is of a second machine of the kind.
    sed -i '1s/$/,machine_hash,machine_mark/; 2,$s/$/,kind,first/; /^mine,05,/s/first$/second/' data/mine.results.csv
    run -0 of_study mine tsv report/summary.sql
    [[ $output == *$'\topenblas × 1\t2.00 [1.96, 2.04]'* && $output != *$'\tfaster'* ]]
    # A machine of another kind has other threads.
    sed -i '/^mine,05,/s/kind,second$/other,second/' data/mine.results.csv
    run -0 of_study mine tsv report/summary.sql
    [[ $output == *$'\topenblas × 1\t2.00 [1.96, 2.04]\tfaster'* ]]
}

@test "a headline comes from the study with the most libraries" {
    invent few <<'ROWS'
01 matmul/omp-packed 2 128 5 7.9 8.0 8.1
02 matmul/blas-openblas 2 128 5 7.9 8.0 8.1
ROWS
    beside_two many
    run -0 of_study few tsv report/summary.sql
    [[ $output == *$'\t64\tomp-packed\t'*$'\tmkl × 2\t0.500 '* ]]
    run -0 said library-gap
    [[ ${lines[0]} == *' base=blas-mkl × 2 '*'ratio=0.500 '* ]]
    # With as many libraries, the larger size counts.
    sed -i '/^many,03,/d' data/many.results.csv
    run -0 of_study few tsv report/summary.sql
    [[ $output == *$'\t128\tomp-packed\t'* ]]
}

@test "an error of sums over rows is not held against an error of entries" {
    beside_two mine
    # The check of variants for several GPUs compares sums.
    sed -i '1s/$/,gpus,error/; 2,$s/$/,,0.05/; /^mine,03,/s/,,0.05$/,1,0.001/' data/mine.results.csv
    run -0 "$TILELAB" query --data data 'SELECT place, gpus, entry_error FROM library_cells ORDER BY place' --format tsv
    [ "${lines[*]: -2}" = $'1\t1\t0.05 2\t\t0.05' ]
}

@test "a study measures its library on 1, half and all threads, unless it fixes one" {
    [ "$(nproc)" -gt 1 ] || skip 'one core'
    study several <<'YAML'
grid: {n: 16, variant: [omp-ijk, blas-openblas]}
YAML
    study fixed <<'YAML'
grid: {n: 16, variant: [omp-ijk, blas-openblas], threads: 1}
YAML
    measure several.yaml fixed.yaml
    column variant,threads data/several.results.csv | sort -u >rows
    [ "$(grep -c '^matmul/blas-openblas' rows)" -ge 2 ]
    grep -qx 'matmul/blas-openblas 1' rows
    [ "$(grep -c '^matmul/omp-ijk' rows)" -eq 1 ]
    [ "$(column variant,threads data/fixed.results.csv | sort -u)" = $'matmul/blas-openblas 1\nmatmul/omp-ijk 1' ]
}

@test "a slow variant does not stand for the fastest one, which was measured on another machine than the library" {
    invent mine <<'ROWS'
01 matmul/omp-packed 1 64 5 0.99 1.00 1.01
02 matmul/omp-ijk 1 64 5 8.90 9.00 9.10
03 matmul/blas-openblas 1 64 5 0.99 1.00 1.01
ROWS
    local vendor='{"name": "matmul/blas-openblas", "order": 3, "vendor": true, "library": "openblas"},'
    sed -i "s|^ \"variants\": \[|&$vendor|" data/mine.run.json
    sed -i '1s/$/,machine_mark/; 2,$s/$/,here/' data/mine.results.csv
    run -0 said library-gap
    says 'variant=matmul/omp-packed '
    sed -i '/^mine,01,/s/,here$/,there/' data/mine.results.csv
    run -0 said library-gap
    [ -z "$output" ]
}

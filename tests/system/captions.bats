#!/usr/bin/env bats
# Checks what captions say of their figures and tables, from invented rows. SPDX-License-Identifier: MIT
load common

# invent STUDY: writes the results of a study from rows "CELL VARIANT N TILE ELEMENTS ROUNDS LOW MEDIAN HIGH".
invent() {
    local cell variant n tile elements rounds low median high backend
    {
        echo experiment,cell,problem,variant,backend,precision,m,n,k,tile,elements,status,rounds,launches,median_s,\
ci_lo_s,ci_hi_s,gflops
        while read -r cell variant n tile elements rounds low median high; do
            backend=cpu
            [[ $variant != cuda-* && $variant != cublas ]] || backend=cuda
            echo "$1,$cell,matmul,matmul/$variant,$backend,f32,$n,$n,$n,${tile#-},${elements#-},ok,$rounds,3,$median,\
$low,$high,1"
        done
    } >"data/$1.results.csv"
    echo '{"experiment": {"name": "'"$1"'"}, "variants": []}' >"data/$1.run.json"
}

# facts STUDY FILE: the facts of a query, without the commands around them.
facts() {
    of_study "$1" facts figures/study.sql "$2" | sed -n '/^row/p' | tr '\t' ' '
}

@test "the figure over tiles names the best tile, or says that there is none" {
    invent mine <<'ROWS'
01 cuda-shared 512 8 - 5 0.99 1.00 1.01
02 cuda-shared 512 16 - 5 0.49 0.50 0.51
03 cuda-shared 256 32 - 5 0.1 0.1 0.1
ROWS
    run -0 facts mine figures/speed-by-tile.sql
    [[ $output == *'idea=cuda-shared tile=16 second=8 ratio=2.00 low=1.94 high=2.06 verdict=faster'* ]]
    invent mine <<'ROWS'
04 seq-tiled 512 8 - 5 2.0 3.0 4.0
05 seq-tiled 512 16 - 5 2.5 3.5 4.5
ROWS
    run -0 facts mine figures/speed-by-tile.sql
    [[ $output == *'idea=seq-tiled tile=8 second=16 ratio=1.17 '*'verdict=undecided'* ]]
    invent mine <<'ROWS'
06 cuda-global 512 8 - 1 - 1.0 -
07 cuda-global 512 16 - 1 - 2.0 -
ROWS
    sed -i 's/,-,/,,/g; s/,-,/,,/g' data/mine.results.csv
    run -0 facts mine figures/speed-by-tile.sql
    [[ $output == *'idea=cuda-global tile=8 second=16 ratio=2.00 verdict=single'* ]]
}

@test "the caption over tiles tells of the tile that gains most, and first of one that is faster" {
    invent mine <<'ROWS'
01 cuda-shared 512 8 - 5 0.99 1.00 1.01
02 cuda-shared 512 16 - 5 0.66 0.67 0.68
03 cuda-global 512 8 - 5 0.99 1.00 1.01
04 cuda-global 512 16 - 5 0.49 0.50 0.51
05 seq-tiled 512 8 - 1 - 1.0 -
06 seq-tiled 512 16 - 1 - 9.0 -
ROWS
    sed -i 's/,-,/,,/g; s/,-,/,,/g' data/mine.results.csv
    run -0 facts mine figures/speed-by-tile.sql
    [ "$(grep -c ^row <<<"$output")" -eq 1 ]
    [[ $output == *'idea=cuda-global tile=16 second=8 ratio=2.00 '*'verdict=faster'* ]]
}

@test "the figure over tiles leaves out a size whose fastest tile another machine measured" {
    local mark
    for mark in b a; do
        invent mine <<'ROWS'
01 cuda-shared 256 8 - 5 0.99 1.00 1.01
02 cuda-shared 256 16 - 5 0.79 0.80 0.81
03 cuda-shared 512 8 - 5 0.99 1.00 1.01
04 cuda-shared 512 16 - 5 0.49 0.50 0.51
05 cuda-shared 512 32 - 5 0.29 0.30 0.31
ROWS
        sed -i "1s/$/,machine_mark/; 2,5s/$/,a/; 6s/$/,$mark/" data/mine.results.csv
        run -0 facts mine figures/speed-by-tile.sql
        [[ $output == *"n=$([ $mark = b ] && echo '256 idea=cuda-shared tile=16 second=8' ||
            echo '512 idea=cuda-shared tile=32 second=16') "* ]]
    done
}

@test "settings are compared with the fastest one of their variant" {
    invent mine <<'ROWS'
01 cuda-shared-xn 512 16 1 5 1.9 2.0 2.1
02 cuda-shared-xn 512 16 4 5 0.99 1.00 1.01
03 cuda-shared 512 16 - 5 0.99 1.00 1.01
ROWS
    run -0 facts mine report/tables/tuning.sql
    [[ $output == *'setting=tile 16, 4 a thread second=tile 16, 1 a thread ratio=2.00'*'verdict=faster'* ]]
    [[ $output != *'idea=cuda-shared '* ]]
}

@test "a caption tells of the largest n that both the own variants and the library have" {
    invent mine <<'ROWS'
01 cuda-shared 512 16 - 5 0.99 1.00 1.01
02 cuda-shared 1024 16 - 5 3.9 4.0 4.1
03 cublas 512 - - 5 0.49 0.50 0.51
ROWS
    run -0 facts mine report/tables/best.sql
    [[ $output == *'side=GPU n=512 own=cuda-shared library=cublas ratio=0.500 '*'verdict=slower'* ]]
    # A host without either has no sentence.
    sed -i 's/,ok,/,skipped,/' data/mine.results.csv
    run -0 facts mine report/tables/best.sql
    [ -z "$output" ]
}

@test "what programs compute as printed is tried on small systems" {
    invent feup-matmul-gpu <<<'01 cuda-shared 512 16 - 5 1 1 1'
    cd "$root"
    run -0 "$TILELAB" query --data "$BATS_TEST_TMPDIR/data" --experiments experiments --set host=data \
        --set experiment=feup-matmul-gpu --format tsv figures/study.sql report/tables/as-printed.sql
    [[ $output == *$'is not used\t16\t'*$'read transposed\t0\t'*$'as it should be\t64\t'* ]]
}

@test "the figure of speed over error names the fastest own variant, of the precision where it gains most" {
    cd "$root"
    run -0 "$TILELAB" query --data data/h100 --published data/published --set host=h100 --set experiment=ladder \
        --format facts figures/study.sql figures/speed-by-error.sql
    local rows
    rows=$(sed -n 's/^row.*\tprecision=\([a-z0-9]*\)\tidea=\([a-z0-9-]*\)\t.*/\1 \2/p' <<<"$output")
    [ "$rows" = 'f32 cuda-3xf16' ] || { echo "$rows"; return 1; }
}

@test "a point of a library has the shape of its name in the key" {
    command -v gnuplot >/dev/null || skip 'gnuplot is missing'
    cp -r "$root/figures" .
    # Without nvcc the recorded code counts as another one, and all points are hollow.
    "$TILELAB" query --data "$root/data/h100" --published "$root/data/published" --save data.db
    python3 -c "import sqlite3
with sqlite3.connect('data.db') as db: db.execute('UPDATE results SET stale = 0')"
    local figure libraries
    while read -r figure libraries; do
        "$TILELAB" query --database data.db --set host=h100 \
            --set "experiment=${figure%.*}" --format gnuplot figures/study.sql \
            "figures/${figure#*.}.sql" >"$figure.data"
        gnuplot -e "data='$figure.data'; output='$figure.svg'" "figures/${figure#*.}.gp" 2>log || { cat log; return 1; }
        # A black symbol stands in the key once; a library that is drawn has its symbol in a panel too.
        sed -nE "s/.*<use xlink:href='#(gpPt[0-9]+)'.*color='(black|rgb\( *0, *0, *0\))'.*/\1/p" "$figure.svg" | sort |
            uniq -c | tee symbols
        [ "$(wc -l <symbols)" -ge "$libraries" ]
        awk '$1 < 2 { found = 1 } END { exit found }' symbols
    done <<<$'ladder.speed-by-error 2\npower.power-by-speed 3'
}

@test "a table of several hosts has its sizes in order, whichever sizes each host has" {
    local host n
    for host in one two; do
        n=$([ $host = one ] && echo 512 || echo 64)
        invent lab5-matmul <<<"0$n cuda-shared $n 16 - 5 0.99 1.00 1.01"
        mkdir $host
        mv data/lab5-matmul.* $host
    done
    run -0 "$TILELAB" query --data one --data two --published "$root/data/published" --set experiment=lab5-matmul \
        --set studies= --set hosts=all --block one=A --block two=B --format html "$root/figures/study.sql" \
        "$root/report/tables/lab5-1.sql"
    [[ $output == *'N = 64'*'N = 512'* ]]
}

# marks CURVES STYLE DASH: the colour, shape and dashes of so many curves, whose style and dash follow from i.
marks() {
    {
        printf 'curves_count = %d\n' "$1"
        printf 'array curves_%s[curves_count]\n' title style dash
        printf 'do for [i = 1:curves_count] { curves_title[i] = "name"; curves_style[i] = %s; curves_dash[i] = %s }\n' \
            "$2" "$3"
    } >"$BATS_TEST_TMPDIR/marks.data"
    cd "$root" || return
    run -0 gnuplot -e "data = '$BATS_TEST_TMPDIR/marks.data'; output = '$BATS_TEST_TMPDIR/marks.svg'" \
        -e 'load "figures/style.gp"; row(i) = sprintf("%s %d %d", curve_colour(i), open_mark(i), curve_dashes(i))' \
        -e 'set print "-"; do for [i = 1:curves_count] { print row(i) }'
    output=$(grep '^#' <<<"$output")
    [ "$(wc -l <<<"$output")" -eq "$1" ] || { echo "$output"; return 1; }
}

@test "no two curves of a figure have the same colour and the same shape" {
    command -v gnuplot >/dev/null || skip 'gnuplot is missing'
    marks 8 'i < 5 ? 40 : 3' 'i % 2'
    [ "$(cut -d ' ' -f 1,2 <<<"$output" | sort -u | wc -l)" -eq 8 ]
}

@test "own curves of a figure differ by their shapes, or from the seventh on by shape or dashes" {
    command -v gnuplot >/dev/null || skip 'gnuplot is missing'
    # By their styles, all of these curves would have two shapes.
    marks 6 '10 + 4 * i' 'i / 7'
    [ "$(cut -d ' ' -f 2 <<<"$output" | sort -u | wc -l)" -eq 6 ] || { echo "$output"; return 1; }
    marks 12 '10 + 4 * i' 'i / 7'
    [ "$(cut -d ' ' -f 2,3 <<<"$output" | sort -u | wc -l)" -eq 12 ] || { echo "$output"; return 1; }
}

@test "norms of results are compared where the programs had the same inputs" {
    # The cells of this record come from runs of several seeds.
    run -0 "$TILELAB" query --data "$root/data/epyc-2core" --published "$root/data/published" --set host=epyc-2core \
        --set experiment=lab5-aat --format facts "$root/figures/study.sql" "$root/report/tables/lab5-norm.sql"
    [[ $output =~ difference=([0-9.]+) ]]
    awk -v roundoffs="${BASH_REMATCH[1]}" 'BEGIN { exit !(roundoffs > 0 && roundoffs < 16) }'
}

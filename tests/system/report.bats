# Makes figures and reports from invented data. Their bytes are the same everywhere, hostile text is printed as its
# characters, and holes in the data leave a report.
# SPDX-License-Identifier: MIT

load report
NEEDED='gnuplot rsvg-convert latexmk pdftotext'

# The report of the invented data is made once. `build` in a copy of it does what a change needs, and checks the pages.
setup_file() {
    for tool in $NEEDED; do command -v "$tool" >/dev/null || return 0; done
    at_root
    tree "$BATS_FILE_TMPDIR/made"
    (cd "$BATS_FILE_TMPDIR/made" && EXPS='' report/build.sh report)
}

build() {
    (cd "$1" && EXPS="${2:-}" report/build.sh report) && fits "$1" && referred "$1"
}

@test "two folders, one document" {
    made a
    tree deeper/folder/b
    build a
    TZ=Asia/Tokyo build deeper/folder/b
    for figure in a/build/figures/*.pdf; do
        cmp "$figure" "deeper/folder/b/build/figures/${figure##*/}"
    done
    cmp a/build/report.pdf deeper/folder/b/build/report.pdf
}

@test "the figures bring each of their fonts into the document once" {
    made a
    [ "$(find a/build/figures -name '*.pdf' | wc -l)" -gt 3 ]
    # The letters of Latin-1 and the others are fonts of different kinds.
    pdffonts a/build/report.pdf | awk '$1 ~ /\+CMUSansSerif$/ { print $2 }' | sort | uniq -c >counts
    cat counts
    [ "$(awk '{ print $1 }' counts | sort -u)" = 1 ]
}

@test "the references settle where passes are too short for the clock of latexmk" {
    made a
    build a
    # The figures are there; the document is typeset anew.
    made b
    rm b/build/report.pdf b/build/report/report.stamp
    mkdir bin
    printf '%s\n' '#!/bin/bash' "$(command -v pdflatex) \"\$@\" &&" 'touch -d 2026-01-01 out/report.{aux,toc,out}' \
        >bin/pdflatex
    chmod +x bin/pdflatex
    PATH=$PWD/bin:$PATH build b
    cmp a/build/report.pdf b/build/report.pdf
}

@test "a hostile title is printed as its characters" {
    made a
    build a
    # shellcheck disable=SC2016 # it is text, not code
    [[ $(text a) == *'\input{/etc/passwd}`id`%_{} \write18{id} $x^2$ #1 &'* ]]
    [[ $(text a) != *root:*:0:0* ]]
}

@test "a caption of too many lines is named, of a table and of a figure" {
    made a
    build a
    run -0 brief a
    words=$(printf 'word %.0s' {1..19})
    sed -i "s/^-- caption: /&$words\n--   $words\n--   $words/" a/report/tables/best.sql a/figures/gflops-by-n.sql
    build a
    run -1 brief a
    [[ $output =~ table\ [0-9]+\ has\ a\ caption\ of\ [34]\ lines:.*word\ word ]]
    [[ $output =~ figure\ [0-9]+\ has\ a\ caption\ of\ [3-9]\ lines:.*word\ word ]]
}

@test "nothing is done where nothing changed, and only what changed is drawn again" {
    made a
    build a
    before=$(stat -c %Y.%i a/build/report.pdf)
    run -0 build a
    [ -z "$output" ]
    [ "$(stat -c %Y.%i a/build/report.pdf)" = "$before" ]
    sed -i 's/quick/full/' a/data/local/hostile.run.json
    run -0 build a
    [[ $output == *LATEX* && $output != *FIGURE* ]]
}

@test "what this machine could not run is drawn from a recorded host, and says so" {
    made a
    build a
    [ -s a/build/figures/hostile.gflops-by-n.gpu.pdf ]
    [ ! -e a/build/figures/slow-gpu.gflops-by-n.local.pdf ]
    [[ $(text a) == *'recorded on Invented GPU, host gpu'* ]]
    [[ $(text a) == *'no NVIDIA driver'* ]]
}

@test "the panels of two machines have one frame, whichever of them has the wider interval" {
    made a
    awk -F, -v OFS=, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 && $at["median_s"] { $at["ci_lo_s"] = $at["median_s"] / 3 }
        { print }' a/data/gpu/hostile.results.csv >new
    mv new a/data/gpu/hostile.results.csv
    older a/data/gpu
    build a
    # The label of a tick is a number at the left; the frame begins below 44 points.
    ticks() {
        pdftotext -bbox "a/build/figures/hostile.gflops-by-n.$1.pdf" - |
            awk -F '[">< /]+' '/<word/ && $8 < 44 && $11 ~ /^[0-9.]+$/ { print $11, $6 }'
    }
    paste <(ticks gpu) <(ticks local) |
        awk '$1 != $3 || ($2 - $4) ^ 2 > 0.25 { print; apart = 1 } END { exit apart || NR < 3 }'
}

@test "a language or style that the report does not have ends with the names of those that it has" {
    tree a
    cd a
    REPORT_LANGUAGE=xx run -2 report/build.sh report
    [[ $output == "report: unknown language 'xx'; there are: en"* ]]
    REPORT_STYLE=xx run -2 report/build.sh report
    [[ $output == "report: unknown style 'xx'; there are: "*plain* ]]
    [ ! -e build ]
}

@test "an unknown study, host or variant of a claim ends with its name, and nothing is made" {
    tree a
    cd a
    EXPS=nosuch run -2 report/build.sh report
    [[ $output == "report: unknown study 'nosuch'"* ]]
    HOSTS='gpu nosuch' run -2 report/build.sh report
    [[ $output == "report: unknown host 'nosuch'; there are: all none "*gpu* ]]
    sed -i '3s/cuda-a/cuda-nosuch/' data/published/claims.csv
    run -2 report/build.sh report
    [[ $output == "data/published/claims.csv:3: error: "*cuda-nosuch* ]]
    [ ! -e build ]
}

@test "recorded hosts alone are a report" {
    tree a
    rm -r a/data/local
    build a
    [ -s a/build/figures/hostile.roofline.gpu.pdf ]
    [[ $(text a) == *'recorded on Invented GPU, host gpu'* ]]
}

@test "the report tells the state of the data" {
    made a
    sed -i '1s/$/,profile,generation/; 1!s/$/,full,2/; 2s/full,2$/quick,1/' a/data/local/hostile.results.csv
    sed -i '2s/,1,1,1,,/,1,1,1,noisy+partial,/' a/data/local/hostile.results.csv
    sed '3,$d; s/,quick,1/,full,1/' a/data/local/hostile.results.csv >a/data/local/hostile.archive.csv
    "$TILELAB" query --data a/data/local --data a/data/gpu --set studies=hostile --set hosts=all --format csv \
        a/report/state-by-study.sql >state
    cat state
    [ "$(sed -n 1p state)" = \
        Host,Study,Profile,ok,skipped,failed,withdrawn,flagged,partial,simulated,stale,generation,archived ]
    # A result without a profile has the profile of the run record.
    grep -E '^this machine,hostile,"full [0-9]+, quick 1",([0-9]+,){3},[0-9]+,1,0,[0-9]+,2,1$' state
    grep -E '^gpu,hostile,[a-z]+,([0-9]+,){3},[0-9]+,0,0,[0-9]+,1,0$' state
    # Only a record of the compiler that built this program, or of none, tells which times are stale.
    build a hostile
    [[ $(text a) != *'measured with an earlier source of the variant'* ]]
    sed -i '/^ "compiler": /d' a/data/local/hostile.run.json
    build a hostile
    [[ $(text a) == *'The state of the data'*'full '*', quick 1 '* ]]
    [[ $(text a) == *'measured with an earlier source of the variant'* ]]
    [[ $(text a) == *'The run was interrupted: 1 cell lacks rounds.'* ]]
    text a | grep -q 'this machine: [^;]*, -O2, profile full ([0-9]* cells), quick (1 cell), [^;]*rounds'
    # One kernel at -O3 tells that the study asks for more than the level of its source.
    sed -i '0,/,O2,/s//,O3,/' a/data/local/hostile.results.csv
    build a hostile
    run -1 grep -o 'this machine: [^;]*-O2, profile' <<<"$(text a)"
    text a | grep -q 'this machine: [^;]*, profile full ([0-9]* cells), quick (1 cell), [^;]*rounds'
}

@test "EXPS leaves the other chapters out" {
    made a
    build a slow-gpu
    [[ $(text a) == *'GPU only'* && $(text a) != *write18* ]]
    run ls a/build/figures
    [[ $output != *hostile* ]]
}

@test "a study alone is complete on at most 12 pages" {
    sources a
    mkdir a/data/local
    cp "$root"/data/h200/lab5-aat.* a/data/local/
    build a lab5-aat
    [ "$(pages a)" -le 12 ]
    # A laboratory's study has the order that the laboratory prescribes, and ends with the listing of its own kernel.
    [[ $(text a) == *'Test bed'*'The kernels A, B and B'*'Conclusions'*'__global__'* ]]
    # Method, claims and threats stand before the conclusions. The source is in the references.
    [[ $(text a) == *'2 Method'*'Claims of the sources'*'lab5-3'*'Threats to validity'*'Conclusions'*'__global__'* ]]
    [[ $(text a) == *'source: lab5 ['*'The results stand in tables '*'References'*'Yuldashev and V. Spele. Parallel'* ]]
    # What the document says of itself: keywords are those of this study.
    pdfinfo a/build/report.pdf >info
    grep -qE '^Subject: +[A-Z]' info
    grep -E '^Keywords: .*CUDA.*bank conflicts' info | run -1 grep -E 'LU|iterative' -
    # The experiment file leads the section, and decides which figures there are.
    [[ $(text a) == *'The second part of the laboratory multiplies'* ]]
    while read -r name; do
        [ -s "a/build/figures/lab5-aat.$name.local.pdf" ]
    done < <(sed -n 's/^figures: \[\(.*\)\]/\1/p' "$root/experiments/lab5-aat.yaml" | tr -d ' ' | tr , '\n')
}

@test "all recorded studies fit 35 pages" {
    sources a
    cp -r "$root/data/h200" a/data/
    build a
    [ "$(pages a)" -le 35 ]
    # Listings are the repository's; `LISTINGS=all` prints each kernel to its end.
    [ ! -s a/build/report/sources.tex ]
    LISTINGS=all build a lab5-aat
    kernels=$(sed -nE 's/^\\kernel\{([^}]*)\}\{([^}]*)\}\{.*/\2 \1/p' a/build/report/sources.tex)
    [[ $kernels == *aat/cuda* && $kernels == *aat/omp* ]]
    while read -r copy file; do
        tail -n 1 "a/build/report/$copy" | grep -qE '^(};?|#endif|[A-Z]+_ENTRY_BY_[A-Z]+\(.*\))$' ||
            { echo "$file is cut short"; return 1; }
    done <<<"$kernels"
}

@test "a study of a machine without a GPU is complete on at most 12 pages, in each language" {
    sources a
    without_gpu "$root/data/h200" a/data/local
    for language in "$root"/report/text/*; do
        REPORT_LANGUAGE=${language##*/} build a feup-lu-tasks
        [ "$(pages a)" -le 12 ]
    done
}

@test "a study that was just measured shows its failed cell, and no path of the machine" {
    sources a
    sed -E 's/^( *n:) \[256.*/\1 [64, 96]/' "$root/experiments/lab5-matmul.yaml" >lab5-matmul.yaml
    cat >hostile.yaml <<'YAML'
schema: 1
title: {en: "\\input{/etc/passwd}`id`%_{}#&~^$", ru: "Название \\input{/etc/passwd}`id`%_{}"}
source: tilelab
problem: [matmul, fault]
precision: f64
grid:
  n: [64, 96]
  variant: [matmul/seq-ikj, matmul/omp-ikj, matmul/blas-*, fault/cpu-wrong]
figures: [gflops-by-n, time-by-n]
tables: [best]
YAML
    TILELAB_TEST=1 TILELAB_FAKE_TIMER=1 run -1 "$TILELAB" run lab5-matmul.yaml hostile.yaml --profile quick \
        --data a/data/local
    build a 'lab5-matmul hostile'
    # A title may be broken over lines, and its quotes may be set as other characters.
    # shellcheck disable=SC2016 # it is text, not code
    [[ $(text a | tr -d ' ') == *'\input{/etc/passwd}`id`%_{}'* ]]
    [[ $(text a) == *cpu-wrong* && $(text a) != *root:x:* && $(text a) != *"$BATS_TEST_TMPDIR"* ]]
}

# class FOLDER: measures a study of the name lab5-matmul, which is also the one of the README's first table.
class() {
    cat >lab5-matmul.yaml <<'YAML'
schema: 1
title: {en: "A class", ru: "Группа"}
source: tilelab
problem: matmul
precision: f64
grid:
  n: [33, 64, 96]
  variant: [seq-ikj, omp-ijk, omp-ikj, blas-*]
figures: [gflops-by-n, time-by-n, speedup-by-n]
tables: [best, frontier]
YAML
    TILELAB_FAKE_TIMER=1 "$TILELAB" run lab5-matmul.yaml --profile quick --data "$1"
}

@test "a variant that is wrong at one size is nobody's best at any other, and page 1 names it" {
    sources a
    class a/data/local
    cp lab5-matmul.yaml a/experiments/
    spoil a/data/local/lab5-matmul.results.csv matmul/omp-ikj 33
    build a lab5-matmul
    # The page of the summary, and of the appendix the list of the wrong variants and the cells without a time.
    pdftotext -layout -f 1 -l 1 a/build/report.pdf - >page
    grep -E 'this machine +matmul/omp-ikj +.*n=33.* 1 of 3 +wrong: C\(0 32\) is 0' page
    grep -c omp-ikj page | grep -qx 1
    [[ $(text a) == *'2 withdrawn, '*'1 failed or wrong'* ]]
    pdftotext -layout a/build/report.pdf - | grep omp-ikj | run -1 grep -vE 'C\(0 32\) is 0' -
    run -1 grep -r omp-ikj a/build/figures/ --include='*.data'
    # Beside the report: the table of the README, a claim, and the results at the prompt.
    "$TILELAB" query --data a/data/local --format lines "$root/tools/readme.sql" >readme
    grep -q omp readme
    run -1 grep omp-ikj readme
    "$TILELAB" query --data a/data/local --format lines "$root/tools/readme-wrong.sql" >sentence
    grep -q 'omp-ikj.*wrong at .*n=33' sentence
    "$TILELAB" show --data a/data/local lab5-matmul >shown
    grep -q '^wrong: matmul/omp-ikj (1 of 3 cells): none of its times counts; n = 33: C(0 32) is 0$' shown
    grep -c '^matmul/omp-ikj .* withdrawn' shown | grep -qx 2
    [ "$(grep -c withdrawn shown)" -eq 2 ]
}

@test "the times of a variant count where another build of it was wrong" {
    class local
    spoil local/lab5-matmul.results.csv matmul/omp-ikj 33
    echo "SELECT count(*) FROM results WHERE variant = 'matmul/omp-ikj' AND status = :status;" >count.sql
    count() { "$TILELAB" query --data local --set "status=$1" --format lines count.sql; }
    [ "$(count withdrawn)" -eq 2 ]
    # The row of the wrong cell becomes that of an earlier source, as if the kernel had been fixed since.
    sed -i -E '/,wrong,/s/,[0-9a-f]{16},,([0-9a-f]{16},[0-9a-f]{16},quick,)/,0123456789abcdef,,\1/' \
        local/lab5-matmul.results.csv
    [ "$(count withdrawn)" -eq 0 ]
    [ "$(count ok)" -eq 2 ]
}

# edit FILE VARIANT HASH FACTOR: gives a variant another source, and multiplies its times.
edit() {
    awk -F, -v OFS=, -v variant="$2" -v hash="$3" -v factor="$4" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["variant"] == variant {
            $at["source_hash"] = hash
            $at["median_s"] *= factor; $at["ci_lo_s"] *= factor; $at["ci_hi_s"] *= factor; $at["min_s"] *= factor
        }
        { print }' "$1" >edited
    mv edited "$1"
}

@test "a report of a class begins with the places of the right kernels and with the wrong ones" {
    local host factor=1
    sources a
    cat >class.yaml <<'YAML'
schema: 1
title: {en: "A class"}
source: tilelab
problem: matmul
precision: f64
grid: {n: [33, 64], variant: [seq-ikj, omp-ikj, blas-*]}
YAML
    TILELAB_FAKE_TIMER=1 "$TILELAB" run class.yaml --profile quick --data a/data/s1
    for host in s2 s3 s4; do cp -r a/data/s1 a/data/$host; done
    for host in s1 s2 s3 s4; do
        edit a/data/$host/class.results.csv matmul/omp-ikj "aaaaaaaaaaaaaa$host" $factor
        factor=$((factor * 2))
    done
    spoil a/data/s1/class.results.csv matmul/omp-ikj 33
    for host in s1 s2 s3 s4; do older a/data/$host; done
    (cd a && HOSTS='s1 s2 s3 s4' EXPS=class DATA=data/local report/build.sh report)
    pdftotext -layout -f 1 -l 2 a/build/report.pdf - >front
    # Who is wrong is nobody's best, and the times of what all hosts were given are left out.
    grep -E ' [0-9] s[0-9] ' front | tr -s ' ' | cut -d ' ' -f 1-9 >places
    grep -cE 's1 +omp-ikj|seq-ikj +[0-9]' places | grep -qx 0
    [ "$(grep -oE '[0-9] s[0-9] omp-ikj' places | tr '\n' ',')" = '1 s2 omp-ikj,2 s3 omp-ikj,3 s4 omp-ikj,' ]
    grep -E 's1 +matmul/omp-ikj +.*n=33.* 1 of 2 +wrong: C\(0 32\) is 0' front
    [[ $(text a) == *'Cells without a time, by outcome'* && $(text a) != *'on this machine'* ]]
}

@test "everything skipped, and no data at all, are reports too" {
    tree a
    rm -r a/data/gpu
    for file in a/data/local/*.results.csv; do
        sed -i -E '1!s/,(ok|skipped),.*/,skipped,not today'"$(printf ',%.0s' {1..27})"'/' "$file"
    done
    build a
    [[ $(text a) == *'not today'* ]]
    rm -r a/data/local
    build a
    [[ $(text a) == *'There are no data that decide a question.'* ]]
}

@test "a locale with a decimal comma changes nothing" {
    mkdir locales
    localedef -i de_DE -f UTF-8 "$PWD/locales/de_DE.UTF-8" 2>/dev/null || skip 'no locale with a decimal comma'
    tree a
    echo 'SELECT median_s, sig(0.5), si(0.0015, '"'s'"') FROM results WHERE median_s > 0;' >query.sql
    "$TILELAB" query --data a/data/local query.sql >point
    LOCPATH=$PWD/locales LC_ALL=de_DE.UTF-8 "$TILELAB" query --data a/data/local query.sql >comma
    cmp point comma
    grep -q '0\.500' comma
}

@test "every study's figures and tables exist" {
    kinds=$("$root/report/kinds")
    while read -r name; do
        [ -f "$root/figures/$name.sql" ] && [ -f "$root/figures/$name.gp" ]
    done < <(awk '$1 == "figure" { print $2 }' <<<"$kinds")
    while read -r name; do
        [ -f "$root/report/tables/$name.sql" ]
    done < <(awk '$1 == "table" { print $2 }' <<<"$kinds")
    # Nothing that a study may name is left out, and each kind says what it shows.
    local queries=("$root"/figures/*.sql) tables=("$root"/report/tables/*)
    [ "$(grep -c ^figure <<<"$kinds")" -eq $((${#queries[@]} - 1)) ] # study.sql is no figure
    [ "$(grep -c ^table <<<"$kinds")" -eq ${#tables[@]} ]
    run -1 grep -vE '^(figure|table) +[a-z0-9-]+ +[A-Z].{9,}' <<<"$kinds"
    # Each has its texts in both languages.
    local file key
    for file in "${queries[@]}" "${tables[@]}"; do
        [[ $file != */study.sql ]] || continue
        for key in caption caption.ru $([[ $file != */figures/* ]] || echo title title.ru); do
            grep -q "^-- $key: " "$file" || { echo "$file has no $key"; return 1; }
        done
    done
}

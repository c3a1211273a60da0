#!/usr/bin/env bats
# Times in doubt: a time that is flagged or stale is marked wherever the report tells it. SPDX-License-Identifier: MIT
load common

setup_file() {
    local root=$BATS_TEST_DIRNAME/../..
    TILELAB=${TILELAB:-$root/build/tilelab}
    cd "$BATS_FILE_TMPDIR" || return 1
    # Every time of the recorded host is stale, or none is in doubt.
    echo 'UPDATE results SET stale = 1; UPDATE ceilings SET flagged = (SELECT max(flagged) FROM results);' >all.sql
    echo "UPDATE results SET stale = 0, flags = '', min_s = median_s; UPDATE ceilings SET flagged = 0;" >none.sql
    local doubt
    for doubt in all none; do
        "$TILELAB" query --data "$root/data/h200" --experiments "$root/experiments" --published "$root/data/published" \
            --save "$doubt.db" "$doubt.sql"
    done
}

# ask all|none STUDY FORMAT FILE...: the rows of the files for the recorded host.
ask() {
    local database=$BATS_FILE_TMPDIR/$1.db study=$2 format=$3
    shift 3
    (cd "$root" && "$TILELAB" query --database "$database" --set host=h200 --set "experiment=$study" --set studies= \
        --set hosts=all --format "$format" "$@")
}

# named KIND: the tables or figures that the report shows of the recorded studies, as "STUDY NAME".
named() {
    echo "SELECT experiment || ' ' || name FROM $1 WHERE name <> 'claims' ORDER BY 1;" >named.sql
    "$TILELAB" query --database "$BATS_FILE_TMPDIR/all.db" --format lines named.sql
}

# unmarked: prints the facts that are a time or a rate without a mark, or a ratio without flags.
unmarked() {
    awk -F '\t' '$1 == "row" {
        for (i = 3; i <= NF; i++) {
            if ($i ~ /[0-9] ([nµm]?s|[kMGT]?(FLOP|op|B)\/s)$/ && $i !~ /^(.*_)?their(s|_)/) print $2, $i
            if ($i ~ /^(.*_)?ratio=/ && $i !~ /total_ratio/ && !match($0, /flagged=[^\t]/)) print $2, $i
        }
    }'
}

@test "every row of a table that tells a time in doubt has the letter of the doubt, and no other row has one" {
    local study table count=0
    while read -r study table; do
        # These tables tell counts, errors and norms, which no noise changes.
        case $table in conflicts | growth | lab5-norm | as-printed | sweeps | racy) continue ;; esac
        ask all "$study" tsv figures/study.sql "report/tables/$table.sql" | tail -n +2 >rows
        [ -s rows ] || continue
        count=$((count + 1))
        # Where nothing was measured here, a row has the numbers of the source alone.
        grep -v 'ˢ' rows | grep -vP '^(operations|peak)\t' |
            awk -F '\t' -v table="$table" '
                table ~ /^granular-[234]/ { for (i = 4; i <= NF; i += 2) if ($i != "") print table ": " $0; next }
                table == "seidel-counts" && $(NF) == "" { next }
                table == "lab5-5" && $1 == "peak" { next }
                { print table ": " $0 }'
        ask none "$study" tsv figures/study.sql "report/tables/$table.sql" >rows
        ! grep -HE --label="$table" 'ᶜ|ᶠ|ⁱ|ⁿ|ᵒ|ᵖ|ˢ|ᵗ|ᵘ' rows
    done < <(named tables) >bad
    cat bad
    [ ! -s bad ]
    [ "$count" -ge 20 ]
}

# legend LANGUAGE: the legend of the report, a line for each mark.
legend() {
    (cd "$root" && "$TILELAB" query --database "$BATS_FILE_TMPDIR/none.db" --language "$1" --words report/words.csv \
        --format lines report/legend.sql)
}

@test "the legend and the manual page explain every flag with its letter, in each language" {
    local flag letter language count=0
    for language in en ru; do legend "$language" >"legend.$language"; done
    while read -r flag letter; do
        count=$((count + 1))
        grep -F "\\flag{$letter}{" legend.en
        grep -F "\\flag{$letter}{" legend.ru | grep -vxFf legend.en
        grep -qE "^\.BR? ?$flag .*\($letter\)" "$root/doc/tilelab.1" || { echo "manual page: $flag"; return 1; }
    done < <("$TILELAB" columns | sed -nE 's/^\| ([a-z]+) \| ([a-z]) \| (doubt|lack|remark) \|.*/\1 \2/p')
    [ "$count" -ge 7 ]
    grep -F '\flag{s}{' legend.en
    [ "$(sed -E 's/\}.*//' legend.en | sort -u | wc -l)" -eq "$((count + 1))" ]
}

@test "a table of the report has powers of ten for small numbers and for large ones that were rounded" {
    for value in 0.00781 0.0781 12345 227354 366000 0,0050 '0.001 s' 0.00781ᶜ; do echo "SELECT '$value' AS v;"; done |
        sed -e '1!s/^/UNION ALL /' -e '$!s/;$//' >rows.sql
    run -0 "$TILELAB" query --data data --format latex rows.sql
    # shellcheck disable=SC2016 # it is LaTeX, not code
    [ "$(sed -n '/endfoot/,/end{longtable}/p' <<<"$output" | sed '1d; $d; s/ *\\\\\*\{0,1\}$//' | paste -sd ' ')" = \
        '\tenpower{7}{81}{-3} 0.0781 12345 227354 \tenpower{3}{66}{5} \tenpower{5}{0}{-3} 0.001~s '\
'\tenpower{7}{81}{-3}\,$^{\mathrm{c}}$' ]
}

@test "a table has the letters of flags, and a remark is told without a doubt" {
    {
        echo experiment,cell,problem,variant,backend,precision,n,status,rounds,launches,median_s,ci_lo_s,ci_hi_s,flags
        echo mine,01,matmul,matmul/seq-ijk,cpu,f64,64,ok,5,3,1.0,0.99,1.01,capped
        echo mine,02,matmul,matmul/seq-ikj,cpu,f64,64,ok,5,3,0.5,0.49,0.51,
    } >data/mine.results.csv
    echo "SELECT idea AS \"Variant\", marked(si(median_s, 's'), flagged) AS \"Time\" FROM good ORDER BY cell;" >rows.sql
    mine() {
        "$TILELAB" query --data data --set host=data --set experiment=mine --format "$1" "$root/figures/study.sql" "$2"
    }
    run -0 mine latex rows.sql
    [[ $output == *'1.00~s$^{\mathrm{c}}$'* && $output != *'{n}'* ]]
    run -0 mine gnuplot "$root/figures/time-by-n.sql"
    grep -qE '^64 1\.0.* -[0-9]+$' <<<"$output"
    run -0 "$TILELAB" show mine --data data
    [[ $output == *'1.000 s ᶜ'* && $output == *'ᶜ capped: the GPU was at its power limit'* ]]
    sed -i 's/capped//' data/mine.results.csv
    run -0 mine latex rows.sql
    [[ $output != *mathrm* ]]
    run -0 "$TILELAB" show mine --data data
    [[ $output != *capped* ]]
}

@test "captions have all their facts, and every time, rate and ratio in doubt is marked in captions and findings" {
    local study name language
    while read -r study name; do
        ask all "$study" facts figures/study.sql "$name" | tee told | unmarked
        for language in en ru; do
            "$TILELAB" findings --report "$root/report" --language $language --facts told \
                --caption "$root/$name" >>captions 2>>faults || echo "$name has no caption"
        done
    done < <(named figures | sed 's| | figures/|; s|$|.sql|'; named tables | sed 's| | report/tables/|; s|$|.sql|') >bad
    mapfile -t findings < <(cd "$root" && ls report/findings/*.sql)
    ask all '' facts report/chosen-cells.sql "${findings[@]}" >said
    [ "$(grep -c '^row' said)" -ge 40 ]
    [ "$(wc -l <captions)" -ge 100 ]
    grep -E '[{}\\]|^$' captions >>bad || true
    cat faults >>bad
    unmarked <said >>bad
    cat bad
    [ ! -s bad ]
}

@test "a host that measured nothing but libraries tells of no earlier sources" {
    {
        echo experiment,cell,problem,variant,backend,precision,n,status,median_s,source_hash
        echo mine,01,matmul,matmul/blas-openblas,blas,f64,64,ok,1,0123456789abcdef
    } >data/mine.results.csv
    run -0 said earlier-source
    [ -z "$output" ]
    echo mine,02,matmul,matmul/seq-ijk,cpu,f64,64,ok,1,0123456789abcdef >>data/mine.results.csv
    run -0 said earlier-source
    [[ $output == *'times=2'* ]]
}

@test "the frontier has the ratios that every other table has, and tells those of one run apart" {
    {
        echo experiment,cell,problem,variant,backend,precision,threads,n,status,rounds,launches,median_s,\
ci_lo_s,ci_hi_s,gflops
        echo mine,01,matmul,matmul/omp-packed,cpu,f64,1,64,ok,5,3,1.0,0.99,1.01,50
        echo mine,02,matmul,matmul/blas-openblas,blas,f64,1,64,ok,5,3,1.2,1.1,1.25,40
        echo mine,03,matmul,matmul/omp-packed,cpu,f64,2,64,ok,1,1,1.0,,,50
        echo mine,04,matmul,matmul/blas-openblas,blas,f64,2,64,ok,1,1,1.2,,,40
    } >data/mine.results.csv
    # Rounds that were not measured side by side would give another ratio.
    {
        echo cell,round,launch,kernel_s
        for round in 0 1 2; do
            echo "01,$round,0,1.$round"
            echo "02,$round,0,1.$((3 - round))"
        done
    } >data/mine.samples.csv
    cd "$root"
    run -0 "$TILELAB" query --data "$BATS_TEST_TMPDIR/data" --set host=data --set experiment=mine --format tsv \
        figures/study.sql report/tables/frontier.sql
    [[ $output == *$'\t1.20 [1.09, 1.26]\t\t\tfaster'* && $output == *$'\t1.20\t1.20\t\tone run'* ]]
    run -0 "$TILELAB" query --data "$BATS_TEST_TMPDIR/data" --set host=data --set experiment=mine --format facts \
        figures/study.sql report/tables/frontier.sql
    [[ $output == *$'\tfaster=1\t'*$'\tundecided=0\tsingle=1' ]]

    # Where a round has a flag, a column has the ratio of the others, and "all" where none has.
    cd "$BATS_TEST_TMPDIR"
    awk -v OFS=, '{ print $0, NR == 1 ? "flags" : $0 ~ /^01,0,/ ? "noisy" : "" }' data/mine.samples.csv >flagged
    mv flagged data/mine.samples.csv
    run -0 of_study mine tsv figures/study.sql report/tables/frontier.sql
    [[ $output == *$'\t1.20 [1.09, 1.26]\t\t1.04\tfaster'* ]]
    [[ $output == *$'\t1.20\t1.20\tall\tone run'* ]]
}

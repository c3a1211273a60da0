# Checks what the report says in words: each finding and note on the data of a recorded host, on invented data, on a
# machine without a GPU and on empty data, in both languages.
# SPDX-License-Identifier: MIT

# `root` is set by common.bash; text between single quotes is LaTeX or awk.
# shellcheck disable=SC2154,SC2016

load common

# facts LANGUAGE FOLDER...: the facts of all findings and notes.
facts() {
    local options=(--language "$1" --words report/words.csv) folder
    shift
    for folder; do options+=(--data "$folder"); done
    (cd "$root" && "$TILELAB" query "${options[@]}" --published data/published --set studies= --set hosts=all \
        --format facts report/chosen.sql report/hostnames.sql report/compare.sql report/calibration.sql \
        report/findings/*.sql report/notes/*.sql)
}

# invent: data without a GPU, data of nothing, and rows for the notes.
invent() {
    mkdir -p cpu empty noted
    for file in "$root"/data/h200/*.{results.csv,run.json,history.csv}; do
        [ ! -f "$file" ] || grep -v ',cuda,' "$file" >"cpu/${file##*/}"
    done
    {
        echo experiment,cell,problem,variant,backend,precision,n,k,tile,status,median_s,ci_hi_s,flops,gflops,flags
        echo lab5-aat,01,aat,aat/cuda-b,cuda,f32,1024,1024,32,ok,0.001,0.001,2147483648,9000,partial+pretended
        echo lab5-aat,02,fma,fma/cuda,cuda,f32,16384,16384,,ok,1,1,2147483648,5000,
    } >noted/lab5-aat.results.csv
    echo '{"experiment": {"name": "lab5-aat", "problems": ["aat"], "tables": ["conflicts"]}}' >noted/lab5-aat.run.json
    {
        echo measured_at,profile,side,variant,settings,rounds,speedup,low,high,verdict
        echo 1,quick,CPU,matmul/seq-ijk,n=32,5,1,0.99,1.01,same
        echo 1,quick,CPU,matmul/omp-ijk,n=32,5,0.9,0.88,0.92,slower
    } >noted/calibration.csv
}

# document LANGUAGE FACTS...: a document of every row of the facts, as report/text/LANGUAGE sets it. Prints its text.
document() {
    local language=$1 file
    shift
    {
        printf '%s\n' '\documentclass{article}\usepackage[utf8]{inputenc}' '\newcommand{\ifempty}[3]{}' \
            '\input{language}\usepackage{textcomp,amsmath}\setlength{\emergencystretch}{3em}\makeatletter\makeatother' \
            '\input{facts}\input{words}\input{texts}\begin{document}'
        for file; do
            report_kinds findings "$file.said" "$file"
            printf '\\input{%s.said/facts-here}\n' "$file"
            sed -nE 's/^\\factrow\{(findings|notes).([^}]*\}\{[0-9]+\}).*/\\par\\hostsays{\2/p' "$file"
            printf '\\begin{itemize}\\item\\input{%s.said/conclusions}\\end{itemize}\n' "$file"
        done
        printf '%s\n' '\end{document}'
    } >all.tex
    report_kinds texts "$language" >texts.tex 2>/dev/null
    cp "$root/report/text/$language/language.tex" language.tex
    cp "$root/report/findings/$language.tex" words.tex
    cp "$root/report/facts.tex" .
    sed -i '/reporttitle/d' language.tex
    pdflatex -interaction=nonstopmode -halt-on-error all.tex >all.out || { tail -n 20 all.out; return 1; }
    grep '^tilelab: ' all.out && return 1
    pdftotext -layout all.pdf -
}

report_kinds() {
    [ "$1" != findings ] || mkdir -p "$2"
    "$root/report/kinds" "$@"
}

@test "every finding and note is rendered on all data, in both languages" {
    for tool in pdflatex pdftotext; do
        command -v $tool >/dev/null || skip "$tool is missing"
    done
    invent
    for language in en ru; do
        facts $language "$root/data/h200" >h200
        facts $language "$root"/tests/golden/report/{local,gpu} >golden
        facts $language "$PWD/cpu" >cpu-only
        facts $language "$PWD/noted" >noted-only
        facts $language "$PWD/empty" >nothing
        report_kinds check h200 golden cpu-only noted-only nothing
        run -1 grep -v '^\\factnames' nothing
        # No name of a fact is printed instead of the fact, and nothing is left out.
        document $language h200 golden cpu-only noted-only nothing >text
        run -1 grep -nE '\?\?|–– |\\|\<fact\>|NULL' text
        [ "$(grep -c . h200.said/conclusions.tex)" -le 20 ]
        [ "$(grep -c . h200.said/findings.tex)" -eq 5 ]
        # The section on the method shows what belongs to no study: launches, and what a calibration said.
        grep -q '^.methodsays{h200}{.says{launches}{1}' h200.said/facts-here.tex
        grep -q '^.methodsays{noted}{.says{same-code}{1}' noted-only.said/facts-here.tex
        run -1 grep -q methodsays nothing.said/facts-here.tex
        [ ! -s nothing.said/conclusions.tex ]
        [ -s cpu-only.said/conclusions.tex ]
        run -1 grep cuda cpu-only.said/facts-here.tex
    done
    # The Russian document is Russian, with a decimal comma.
    grep -q 'быстрее, чем' text
    run -1 grep -nE '[0-9]\.[0-9]' text
    run -1 grep -niwE 'the|of|times|is|and|takes|with|than|sweeps|one' text
}

@test "most findings have something to say of a recorded host" {
    facts en "$root/data/h200" >h200
    for file in "$root"/report/findings/*.sql; do
        name=$(basename "$file" .sql)
        grep -q "^.factrow{findings/$name}" h200 || echo "$name"
    done >silent
    cat silent
    # These need cells that no study has recorded.
    run -1 grep -vxE 'loop-order|block-sizes|cold-caches|pinned' silent
}

@test "every finding and note has its texts in both languages, and a name of its own" {
    run -0 uniq -d < <(basename -a "$root"/report/{findings,notes}/*.sql | sort)
    [ -z "$output" ]
    for file in "$root"/report/findings/*.sql; do
        for key in 'asks\.ru' says 'says\.ru' rank chapter; do
            grep -qE "^-- $key: ." "$file" || { echo "$file has no $key"; return 1; }
        done
    done
    for file in "$root"/report/notes/*.sql; do
        for key in says 'says\.ru'; do
            grep -qE "^-- $key: ." "$file" || { echo "$file has no $key"; return 1; }
        done
    done
    run "$root/report/kinds" texts ru
    [[ $output != *'finding '*' has no '* && $output != *'note '*' has no '* ]]
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
    [[ $output == *"report/findings/library-gap.sql:$line: error: the text uses the fact \"nonsense\", which the"* ]]
    [[ $output == *'names no verdict'* && $output != *LATEX* ]]
    [ ! -e build/report.pdf ]
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
        grep -F "{verdict}{$word}" said || { cat said; return 1; }
    done <<'ROWS'
0.50,0.49,0.51 faster
2.00,1.98,2.02 slower
1.00,0.995,1.005 same
0.97,0.90,1.10 undecided
0.50,0.49,0.51 undecided throttled
0.50,0.49,0.51 faster pretended
0.50,, single
ROWS
    [[ $(grep -F 'gpu-tile-worth}{1}' said) != *'{low}'* ]]
}

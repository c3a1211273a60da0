#!/usr/bin/env bats
# The PDF and the site say the same sentences. SPDX-License-Identifier: MIT

# Text between single quotes is LaTeX.
# shellcheck disable=SC2016
load common

# invent: six hosts of an undecided ratio.
invent() {
    local host n=1024
    for host in one two three four five six; do
        mkdir -p $host
        # A report shows a host that has measured what the first one lacks.
        n=$((n + 32))
        {
            echo experiment,cell,problem,variant,backend,precision,n,k,tile,status,rounds,launches,median_s,\
ci_lo_s,ci_hi_s,flops,gflops,flags
            echo a,01,matmul,matmul/cuda-shared,cuda,f32,$n,$n,32,ok,5,3,1.03,0.95,1.20,2147483648,2000,
            echo a,02,matmul,matmul/cuda-global,cuda,f32,$n,$n,32,ok,5,3,1.00,0.99,1.01,2147483648,2000,
        } >$host/a.results.csv
    done
}

# facts FOLDER...: the facts of all findings and notes.
facts() {
    local options=() folder
    for folder; do options+=(--data "$folder"); done
    facts_of "${options[@]}"
}

# caption_facts: the facts of a figure on the recorded host.
caption_facts() {
    (cd "$root" && "$TILELAB" query --data data/h200 --published data/published --set host=h200 \
        --set experiment=lab5-aat --format facts figures/study.sql figures/speed-by-tile.sql)
}

# said LANGUAGE FORMAT FACTS OPTION...
said() {
    "$TILELAB" findings --report "$root/report" --language "$1" --format "$2" --facts "$3" "${@:4}"
}

# sentences: what a reader reads, a sentence a line, without what a PDF and a page of HTML cannot but write differently:
# blanks, hyphens, bullets, raised letters and the forms of quotes.
sentences() {
    tr -d ' \n\f\t' | LC_ALL=C sed -E 's/\xc2\xa0|•|‐|-|−//g; s/ﬁ/fi/g; s/ﬂ/fl/g; s/ﬀ/ff/g; s/ﬃ/ffi/g; s/‖/||/g' |
        LC_ALL=C.UTF-8 sed 'y/ᶜᶠⁱⁿᵒᵖˢᵗᵘ/cfinopstu/' | sed -E "s/…/.../g; s/[’‘]/'/g; s/([.?!:;])/\1\n/g"
}

# from_pdf LANGUAGE FACTS: the conclusions, what each study says, and a caption of many rows, as the PDF has them.
from_pdf() {
    said "$1" latex "$2" --part studies >studies.tex
    said "$1" latex "$2" >conclusions.tex
    said "$1" latex "$2" --facts caption --caption "$root/figures/speed-by-tile.sql" >caption.tex
    # The commands of report.tex that a sentence stands in.
    sed -n '/^% ---- The commands that `tilelab findings` writes/,/^.input{captions}/{/^.input/!p}' \
        "$root/report/report.tex" >commands.tex
    {
        printf '%s\n' '\documentclass{article}\usepackage[utf8]{inputenc}\newcommand{\ifempty}[3]{}' \
            '\input{language}' \
            '\usepackage{textcomp,amsmath}\emergencystretch=3em\pagestyle{empty}' \
            '\newcommand{\findingstart}{}\newcommand{\studysize}{}\input{commands}' \
            '\renewcommand{\evidence}[2]{ (#1)}\input{studies}\begin{document}' \
            '\begin{itemize}\item[]\input{conclusions}\end{itemize}'
        sed -nE 's/^.describe\{study\}\{([^}]*).*/\\studyfindings{\1}\\par/p' studies.tex
        printf '%s\n' '\input{caption}\end{document}'
    } >all.tex
    sed '/reporttitle/d' "$root/report/text/$1/language.tex" >language.tex
    pdflatex -interaction=nonstopmode -halt-on-error all.tex >all.out || { tail -n 20 all.out >&2; return 1; }
    pdftotext -raw all.pdf -
}

# from_site LANGUAGE FACTS: the same, as the site has them. A link behind a sentence becomes the name of its study.
from_site() {
    {
        said "$1" html "$2"
        said "$1" html "$2" --part studies | sed '/^<h2>/d'
        said "$1" html "$2" --facts caption --caption "$root/figures/speed-by-tile.sql"
    } | sed -E 's|\. <a href="study-([^"]*)\.html">→</a>| (\1).|g' |
        sed -E "s/<[^>]*>//g; s/&#60;/</g; s/&#62;/>/g; s/&#38;/\&/g; s/&#39;/'/g; s/&#34;/\"/g"
}

# Of the other formats the terminal's is the plainest.
from_text() {
    {
        said "$1" text "$2"
        said "$1" text "$2" --part studies | sed -E '/^## /d; s/^- //'
        said "$1" text "$2" --facts caption --caption "$root/figures/speed-by-tile.sql"
    } | sed -E 's/[_^]//g'
}

@test "the PDF, the site and the terminal say the same sentences, in both languages" {
    for tool in pdflatex pdftotext; do
        command -v $tool >/dev/null || skip "$tool is missing"
    done
    invent
    facts "$PWD"/{one,two,three,four,five,six} >many
    facts "$root/data/h200" >h200
    # A figure of many panels has more rows than a caption can tell.
    for _ in {1..30}; do caption_facts; done >caption
    for language in en ru; do
        for told in many h200; do
            from_pdf $language $told | sentences >pdf
            from_site $language $told | sentences >site
            from_text $language $told | sentences >text
            diff pdf site | head -n 20
            cmp pdf site
            cmp site text
            [ "$(wc -l <pdf)" -gt 20 ]
        done
    done
}

@test "an undecided ratio is a row of one table, and of the hosts of a class four have rows" {
    invent
    facts "$PWD"/{one,two,three,four,five,six} >many
    for format in latex html markdown text; do
        run -0 said en $format many --part undecided
        [[ $output == *'What does a tile gain on the GPU?'*'cuda-shared'*'0.971 ['*'Further hosts: 2;'* ]]
        [ "$(grep -oE '\b(one|two|three|four|five|six)\b' <<<"$output" | sort -u | wc -l)" -eq 4 ]
        run -0 said ru $format many --part undecided
        [[ $output == *'Что даёт тайл на GPU?'*'0,971 ['* ]]
        # The summary alone has an answer that is undecided, and says so.
        [ -z "$(said en $format many)" ]
        [[ $(said en $format many --part summary) == *'takes'*'1.03 ['*' times the time of'*', undecided'* ]]
        [[ $(said ru $format many --part summary) == *'медленнее, чем'*', вывода нет'* ]]
    done
}

@test "what a format would obey is shown as its characters" {
    printf 'table\treport/hostnames\thost\tlocal\tdevice\nrow\treport/hostnames\thost=a\tlocal=0\tdevice=%s\n' \
        '<b>&_*x*\input{y}$z$' >facts
    {
        printf 'table\tnotes/launches\thost\tside\tcells\tlaunches_least\tlaunches_most\trounds_least\trounds_most\t'
        printf 'launches_half\trounds_half\nrow\tnotes/launches\thost=a\tside=CPU\tcells=1\tlaunches_least=1\t'
        printf 'launches_most=1\trounds_least=1\trounds_most=1\tlaunches_half=1\trounds_half=1\n'
    } >>facts
    [[ $(said en latex facts --part method) == *'\textless{}b\textgreater{}\&\_*x*\textbackslash{}input\{y\}\$z\$'* ]]
    [[ $(said en html facts --part method) == *'&#60;b&#62;&#38;_*x*\input{y}$z$'* ]]
    [[ $(said en markdown facts --part method) == *'\<b\>\&\_\*x\*\\input\{y\}$z$'* ]]
    [[ $(said en text facts --part method) == *'<b>&_*x*\input{y}$z$'* ]]
}

@test "a caption speaks of the hosts that two lines have room for, and at least of the first" {
    caption_of() {
        mkdir -p made
        printf -- '-- A figure.\n-- %s: A shape\\each{. \\fact{host}: %s}\nSELECT 1;\n' "$1" "$2" >made/wide.sql
        printf 'table\tmade/wide\thost\n' >facts
        printf 'row\tmade/wide\thost=%s\n' one two two three >>facts
        run -0 "$TILELAB" findings --report "$root/report" --format text --facts facts --caption made/wide.sql
    }
    caption_of caption short
    [ "$output" = 'A shape. one: short. two: short. two: short. three: short' ]
    local long
    long=$(printf '%50s' '' | tr ' ' a)
    caption_of caption "$long"
    [ "$output" = "A shape. one: $long. two: $long. two: $long" ]
    caption_of caption "$long$long$long$long"
    [ "$output" = "A shape. one: $long$long$long$long" ]
    # A text of the report has them all.
    caption_of says "$long$long$long$long"
    [[ $output == *three* ]]
}

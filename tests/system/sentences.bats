#!/usr/bin/env bats
# The PDF and the site say the same sentences. SPDX-License-Identifier: MIT

# `root` is set by common.bash; text between single quotes is LaTeX.
# shellcheck disable=SC2154,SC2016
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

# facts LANGUAGE FOLDER...: the facts of all findings and notes.
facts() {
    local options=(--language "$1" --words report/words.csv) folder
    shift
    for folder; do options+=(--data "$folder"); done
    (cd "$root" && "$TILELAB" query "${options[@]}" --published data/published --set studies= --set hosts=all \
        --format facts report/chosen.sql report/hostnames.sql report/compare.sql report/calibration.sql \
        report/findings/*.sql report/notes/*.sql)
}

# caption_facts LANGUAGE: the facts of a figure on the recorded host.
caption_facts() {
    (cd "$root" && "$TILELAB" query --language "$1" --words report/words.csv --data data/h200 \
        --published data/published --set host=h200 --set experiment=lab5-aat --format facts figures/study.sql \
        figures/time-by-tile.sql)
}

# sentences: what a reader reads, a sentence a line, without what a PDF and a page of HTML cannot but write differently:
# blanks, hyphens, bullets and the forms of quotes.
sentences() {
    tr -d ' \n\f\t' | LC_ALL=C sed -E 's/\xc2\xa0|•|‐|-|−//g; s/ﬁ/fi/g; s/ﬂ/fl/g; s/ﬀ/ff/g; s/ﬃ/ffi/g; s/‖/||/g' |
        sed -E "s/…/.../g; s/[’‘]/'/g; s/([.?!:;])/\1\n/g"
}

# from_pdf LANGUAGE FACTS NAMES CAPTION_FACTS: the conclusions, what each study says, and a caption, as a PDF has them.
from_pdf() {
    mkdir -p said
    "$root/report/kinds" findings said "$2"
    "$root/report/kinds" texts "$1" >texts.tex 2>/dev/null
    cp "$root/report/facts.tex" .
    cp "$root/report/findings/$1.tex" words.tex
    sed '/reporttitle/d' "$root/report/text/$1/language.tex" >language.tex
    cp "$4" caption.facts
    {
        printf '%s\n' '\documentclass{article}\usepackage[utf8]{inputenc}\newcommand{\ifempty}[3]{}' \
            '\input{language}\usepackage{textcomp,amsmath}\emergencystretch=3em\pagestyle{empty}' \
            '\newcommand{\findingstart}{}\newcommand{\studysize}{}\input{facts}\input{words}\input{texts}' \
            '\input{said/facts-here}\begin{document}\begin{itemize}\input{said/conclusions}\end{itemize}'
        sed 's/.*/\\studyfindings{&}\\par/' "$3"
        printf '%s\n' '\loadfacts{caption.facts}\described{figure}{time-by-tile}' '\end{document}'
    } >all.tex
    pdflatex -interaction=nonstopmode -halt-on-error all.tex >all.out || { tail -n 20 all.out >&2; return 1; }
    pdftotext -raw all.pdf -
}

# from_site LANGUAGE FACTS NAMES CAPTION_FACTS: the same, as the site has them.
from_site() {
    {
        cat said/conclusions.tex
        sed 's/.*/\\studyfindings{&}/' "$3"
        printf '%s\n' '\described{figure}{time-by-tile}'
    } | awk -f "$root/site/prose.awk" words.tex texts.tex said/facts-here.tex rows=1 "$4" document=1 - |
        sed -E 's/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
}

@test "the PDF and the site say the same sentences, in both languages" {
    for tool in pdflatex pdftotext; do
        command -v $tool >/dev/null || skip "$tool is missing"
    done
    invent
    for language in en ru; do
        facts $language "$PWD"/{one,two,three,four,five,six} >many
        facts $language "$root/data/h200" >h200
        # A figure of many panels has more rows than a caption can tell.
        for _ in {1..30}; do caption_facts $language; done >caption
        for told in many h200; do
            grep -oE 'setfact\{experiment\}\{[a-z0-9-]+' $told | sed 's/.*{//' | sort -u >studies
            from_pdf $language $told studies caption | sentences >pdf
            from_site $language $told studies caption | sentences >site
            diff pdf site | head -n 20
            cmp pdf site
            [ "$(wc -l <pdf)" -gt 20 ]
        done
    done
    # The sentence on an undecided ratio says no more in Russian than in English.
    facts ru "$PWD/one" >undecided
    from_pdf ru undecided studies caption | tr '\n' ' ' | grep -q 'либо быстрее, либо медленнее'
}

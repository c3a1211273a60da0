#!/usr/bin/env bats
# What `make install` copies: a program that measures, draws and typesets in any folder.
# SPDX-License-Identifier: MIT
load common
load installed

product() {
    study "$1" <<'YAML'
grid:
  n: [16, 32]
  variant: [seq-*]
figures: [gflops-by-n]
YAML
}

@test "what is installed runs from there" {
    run -0 "$PREFIX/bin/tilelab" list
    product mine
    run -0 "$PREFIX/bin/tilelab" check mine.yaml
    sed -i 's/gflops-by-n/gflops-by-m/' mine.yaml
    run -2 "$PREFIX/bin/tilelab" check mine.yaml
    [[ $output == *"unknown figure 'gflops-by-m'"*"did you mean 'gflops-by-n'"* ]]
    [ -f "$PREFIX/share/man/man1/tilelab.1" ]
    [ -f "$PREFIX/share/man/man5/tilelab-experiment.5" ]
    [ ! -e "$PREFIX/share/tilelab/data/local" ]
}

@test "an installed program makes a report of one's own experiment in an empty folder" {
    for tool in gnuplot latexmk pdftotext; do command -v $tool >/dev/null || skip "$tool is missing"; done
    mkdir 'my folder' temporary
    export TMPDIR=$PWD/temporary
    cd 'my folder'
    product mine
    run -0 as_user "$PREFIX/bin/tilelab" report mine.yaml
    [[ $output == *FIGURE*mine.gflops-by-n* ]]
    [ "$(ls)" = $'data\nmine.yaml\nreport.pdf' ]
    pdftotext report.pdf - | grep -q 'seq-ikj'
    [ -z "$(find "$TMPDIR" -name 'tilelab-report.*')" ]
    # Without experiments the report shows what was measured before.
    run -0 "$PREFIX/bin/tilelab" report --output=again.pdf
    [[ $output != *'to measure'* ]]
    cmp report.pdf again.pdf
}

@test "without gnuplot, rsvg-convert and LaTeX the installed program says so before it measures, and writes text" {
    mkdir bin
    ln -s /usr/bin/* /bin/* bin/ 2>/dev/null || true
    rm -f bin/gnuplot bin/rsvg-convert bin/latexmk
    product mine
    PATH=$PWD/bin run -0 "$PREFIX/bin/tilelab" report mine
    local told='There will be no PDF without gnuplot and rsvg-convert and latexmk: the results go to report.md'
    [[ $output == "$told"*measure* ]]
    grep -q 'matmul/seq-ikj' report.md
}

@test "what a report lacks is told before anything is measured" {
    run -2 "$PREFIX/bin/tilelab" report
    [[ $output == *'there are no results in data/local'* ]]
    product mine
    run -2 "$PREFIX/bin/tilelab" report mine.yaml --no-measure
    [[ $output == *'there are no results in data/local'* ]]
    run -2 "$PREFIX/bin/tilelab" report nosuch.yaml
    [[ $output == *"no experiment file 'nosuch.yaml'"* ]]
    run -2 "$PREFIX/bin/tilelab" report --nosuch
    [[ $output == *"unknown option '--nosuch'"* ]]
    run -2 "$PREFIX/bin/tilelab" report -o
    [[ $output == *'needs a value'* ]]
    local wrong
    for wrong in '--language=de' '--style=fancy' '--hosts=h9000' '--listings=none'; do
        run -2 "$PREFIX/bin/tilelab" report mine.yaml "$wrong"
        [[ $output == *"unknown "*"'${wrong#*=}'; there are: "* && $output != *'to measure'* ]]
    done
    cp "$PREFIX/bin/tilelab" lone
    run -2 ./lone report
    [[ $output == *'make install'* ]]
    [ ! -e data/local ]
}

@test "the folders of a class are hosts of a report" {
    for tool in gnuplot latexmk pdftotext; do command -v $tool >/dev/null || skip "$tool is missing"; done
    product mine
    for host in anna boris; do "$PREFIX/bin/tilelab" run mine.yaml --data "class/$host/data/local"; done
    "$PREFIX/bin/tilelab" merge class/*/data/local --into data --by-folder
    run -0 "$PREFIX/bin/tilelab" report mine.yaml --no-measure --hosts 'anna boris'
    pdftotext report.pdf text
    grep -q 'anna' text
    grep -q 'boris' text
}

@test "a report whose budget is spent says how to go on" {
    study large <<<'grid: {n: [16, 3000], variant: [seq-ijk, seq-ikj]}'
    run -0 "$PREFIX/bin/tilelab" report large.yaml --budget 1s -o 'my report.pdf'
    [[ $output == *"tilelab report large.yaml --budget 1s -o 'my report.pdf'"* ]]
}

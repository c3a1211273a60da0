#!/bin/bash
# Writes the site, static HTML that needs neither a server nor a network, into $BUILD/site. It does nothing if nothing
# has changed. Environment: TILELAB, BUILD, DATA (the folder of this machine), EXPS (studies; empty: all of them),
# HOSTS (recorded hosts to show, `all` or `none`: those of studies that this machine lacks), REPORT_LANGUAGE (a folder
# of report/text).
# SPDX-License-Identifier: MIT
set -eu -o pipefail
export LC_ALL=C.UTF-8 LANG=C.UTF-8 TZ=UTC
TILELAB=${TILELAB:-build/tilelab} BUILD=${BUILD:-build} DATA=${DATA:-data/local} EXPS=${EXPS:-} HOSTS=${HOSTS:-all}
REPORT_LANGUAGE=${REPORT_LANGUAGE:-en}
# shellcheck source=report/data.sh
. report/data.sh
read -r -a asked <<<"$(tr '\n' ' ' <<<"$HOSTS")"
for host in "${asked[@]}"; do one_of host "$host" all none "${folders[@]}"; done

# is_shown FOLDER: whether the site shows the results in the folder of a recorded host.
is_shown() {
    local study
    [[ " ${asked[*]} " != *" all "* && " ${asked[*]} " != *" ${1##*/} "* ]] || return 0
    [[ ${asked[*]} == none ]] || return 1
    for study in $EXPS; do
        [[ -e $DATA/$study.results.csv || ! -e $1/$study.results.csv ]] || return 0
    done
    return 1
}
shown=("${folders[0]}")
for folder in "${folders[@]:1}"; do ! is_shown "$folder" || shown+=("$folder"); done
folders=("${shown[@]}")

site=$BUILD/site work=$BUILD/site.work
mkdir -p "$work"
work=$(realpath "$work")
alone "$work"

# The sources that have a page. `own`: where those of the user's own folders lie, by the names that run records have.
mapfile -t kernels < <(find -H kernels -mindepth 2 -type f | sort)
declare -A own=()
query() {
    "$TILELAB" query "${in_language[@]}" --database "$work/data.db" --set "studies=$EXPS" \
        --set "hosts=${folders[*]##*/}" --set "kernels=${kernels[*]}" "$@"
}

# own_kernels: the kernels of folders that experiments name, as the program knows them.
own_kernels() {
    local experiments=()
    [[ ! -d experiments ]] || experiments=(--experiments experiments)
    "$TILELAB" query --data site "${experiments[@]}" --format lines \
        'SELECT name, source_hash FROM known WHERE own_file IS NOT NULL'
}

# The hashes of everything that the site depends on.
state() {
    printf '%s\n' "$EXPS" "$REPORT_LANGUAGE" "${folders[@]}" "$(command -v gnuplot)"
    own_kernels
    sha256sum "${TILELAB%/*}"/tilelab-*.so 2>/dev/null || :
    hashes site
}
now=$(state | sha256sum)
[[ -f $site/index.html && -f $work/stamp && $(<"$work/stamp") == "$now" ]] && exit 0
command -v gnuplot >/dev/null ||
    echo "site: there will be no figures without gnuplot; \`make setup\` installs it" >&2
rm -f "$work/stamp"
# `new` is where files go: the whole site, or the folder of a part.
whole=$work/new new=$work/new
rm -rf "$new" "$work"/part.*
mkdir -p "$new" "$work/facts"

load "$work/data.db"
while IFS=$'\t' read -r file source; do
    own[$file]=$source
    kernels+=("$file")
done < <(query --format lines site/own.sql)

# The words of the pages in the language. site.js gets them too.
declare -A words=()
while IFS=$'\t' read -r english text; do
    words[$english]=$text
done < <(query --format lines site/say.sql)
query --format lines site/script.sql >"$new/words.js"
query --format lines site/legend.sql >"$work/legend"
# say TEXT: the text in the language, as HTML.
say() { printf '%s\n' "${words[$1]}"; }
nav=$(printf '<a href="%s.html">%s</a> ' index "$(say Studies)" conclusions "$(say Conclusions)" \
    claims "$(say Claims)" compare "$(say Machines)" kernels "$(say Kernels)")
# The same characters as HTML, for text of this project's own files.
escape=(sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g')

# findings OPTION...: sentences of the report as HTML.
findings() { "$TILELAB" findings --language "$REPORT_LANGUAGE" --format html "$@"; }
# prose: the LaTeX of texts on standard input as HTML.
prose() { findings --text -; }

# legend FILE: what the marks behind times mean that the HTML has.
legend() {
    awk -F '\t' '
        FNR == NR { mark[++count] = $1; raised[count] = "<sup>" $2 "</sup>"; meaning[count] = $3; next }
        {
            for (i = 1; i <= count; i++)
                if (!(i in met) && (index($0, mark[i]) || index($0, raised[i]))) met[i]
        }
        END {
            for (i = 1; i <= count; i++)
                if (i in met) printf "<p class=\"caption legend\">%s %s</p>\n", mark[i], meaning[i]
        }' "$work/legend" "$1"
}

# page FILE TITLE [SCRIPT]...: the page around the body that comes from standard input. TITLE is HTML.
page() {
    local file=$1 title=$2 script
    shift 2
    local body
    body=$(mktemp "$work/body.XXXXXX")
    cat >"$body"
    {
        printf '<!DOCTYPE html>\n<html lang="%s" xmlns="http://www.w3.org/1999/xhtml">\n<head>\n' "$REPORT_LANGUAGE"
        printf '<meta charset="utf-8"/>\n<title>%s</title>\n' "$title"
        printf '<meta name="viewport" content="width=device-width"/>\n<link rel="stylesheet" href="site.css"/>\n'
        for script in site.js words.js "$@"; do printf '<script src="%s" defer="defer"></script>\n' "$script"; done
        # The name of the page tells the style sheet of its kind.
        printf '</head>\n<body>\n<nav>%s</nav>\n<main class="%s">\n<h1>%s</h1>\n' "$nav" "${file%%[-.]*}" "$title"
        printf '<noscript><p class="caption">%s</p></noscript>\n' "$(say 'without scripts')"
        cat "$body"
        legend "$body"
        printf '</main>\n</body>\n</html>\n'
    } >"$new/$file"
    rm "$body"
}

# The scripts of the report's figures. The titles of curves, which the report does not draw, name the groups of the SVG.
# The labels of the axes go to a file, for those who read points off.
draw_with() {
    local script
    rm -rf "$work/gnuplot"
    mkdir -p "$work/gnuplot/figures"
    for script in figures/*.gp; do
        sed -E -e 's/\bnotitle\b/title title_of(i)/' -e 's/set label 902 (.*) @beside/&; y_axis = \1/' \
            -e 's/set xlabel (.*) offset .*/&; x_axis = strlen(\1) ? \1 : x_axis/' "$script" >"$work/gnuplot/$script"
    done
}

# rows STUDY KIND HOST...: the data of a figure on each host, and the frame that all of them have.
rows() {
    local study=$1 kind=$2 host sql=(figures/study.sql "figures/$2.sql") stems=()
    [[ $kind != standing ]] || sql=(report/standing.sql)
    shift 2
    for host; do
        stems+=("$work/$study.$kind.$host")
        query --set "host=$host" --set "experiment=$study" --facts "$work/facts/$study.$kind.$host" --format gnuplot \
            "${sql[@]}" >"$work/$study.$kind.$host.data"
    done
    (cd "$work/gnuplot" && common_frame "figures/$kind.gp" "$as_page" "${stems[@]}" >"$work/$study.$kind.frame")
}

# What the scripts need that draw_with has changed.
as_page="i = 0; title_of(i) = i >= 1 && i <= curves_count ? curves_title[i] : ''; x_axis = ''; y_axis = '';"

# figure STUDY KIND HOST: the fragment $work/STUDY.KIND.HOST.figure, from what `rows` has written. It is drawn if its
# data or its script have changed. Attributes hold what can be read off with the mouse: the numbers of the curves, the
# labels of the axes, and the names and numbers of lines where the figure has them.
figure() {
    local stem=$work/$1.$2.$3 id=${1//[^a-z0-9]/_}_${2//[^a-z0-9]/_}_${3//[^A-Za-z0-9]/_} key points axes frame
    local lines numbers text
    if ! command -v gnuplot >/dev/null; then
        rm -f "$stem.figure" "$stem.key"
        return
    fi
    frame=$(<"$work/$1.$2.frame")
    if ! grep -q '^curves_count = [1-9]' "$stem.data"; then
        rm -f "$stem.figure" "$stem.key" "$work/facts/$1.$2.$3"
        return
    fi
    text="$(heading figure "$2"), ${label[$3]}"
    key=$(cat "$stem.data" figures/*.gp site/build.sh - <<<"$frame $text" | sha256sum)
    [[ -f $stem.figure && -f $stem.key && $(<"$stem.key") == "$key" ]] && return
    if ! (cd "$work/gnuplot" && gnuplot -e "data='$stem.data'; output='$stem.svg'; $as_page svg_name='$id'; $frame" \
        "figures/$2.gp" -e "set print '$stem.axes'; print x_axis; print y_axis; print exists('y_time')") \
        2>"$stem.log"; then
        cat "$stem.log" >&2
        rm -f "$stem.figure" "$stem.key"
        return 1
    fi
    points=$(awk '
        /^\$curves <</ { inside = 1; next }
        inside && /^END_OF/ { exit }
        inside && /^[-#0-9.a-zA-Z_+ ]*$/ {
            if ($0 == "") { separator = "|"; next }
            printf "%s%s", separator, $0
            separator = ";"
        }' "$stem.data")
    mapfile -t axes < <("${escape[@]}" "$stem.axes")
    lines=$(sed -n "s/^array lines_title.* = \['\(.*\)'\]$/\1/p" "$stem.data" | "${escape[@]}")
    numbers=$(sed -n 's/^array lines_line.* = \[\(.*\)\]$/\1/p' "$stem.data")
    {
        printf '<figure class="plot" data-points="%s" data-x="%s" data-y="%s" data-seconds="%s"' "$points" "${axes[@]}"
        printf '%s>\n' "${lines:+ data-lines=\"$lines\" data-numbers=\"$numbers\"}"
        # The drawing, whose unit is a point, is shown at twice its size in print, and has an alternative text. Several
        # figures share a page, so that the names of their symbols must differ.
        TEXT=$text awk -F '"' -v OFS='"' '
            /^ width="[0-9]+" height="[0-9]+"/ {
                $2 *= 2; $4 *= 2
                $0 = $0 " role=" OFS "img" OFS " aria-label=" OFS ENVIRON["TEXT"] OFS
            }
            { print }' "$stem.svg" |
            sed -E -e '1,/^>/{/^<\?xml/d}' -e '/^<(title|desc)>/d' \
            -e "s/(id='|#|id=\")(gpPt|gpDot|textbox|greybox|gnuplot_canvas)/\1${id}_\2/g"
    } >"$stem.figure"
    printf '%s\n' "$key" >"$stem.key"
    rm -f "$stem.svg" "$stem.log" "$stem.axes"
}

# show_figure STUDY KIND HOST CAPTION: prints the fragment, if there is one, with a caption.
show_figure() {
    [[ -f $work/$1.$2.$3.figure ]] || return 0
    cat "$work/$1.$2.$3.figure"
    printf '<figcaption>%s</figcaption>\n</figure>\n' "$4"
}

# table STUDY NAME HOST=LABEL...: the fragment $work/STUDY.NAME.table
table() {
    local study=$1 name=$2 sql host blocks=()
    sql=$(query_of table "$name")
    shift 2
    for host; do blocks+=(--block "$host"); done
    query --set "experiment=$study" --facts "$work/facts/$study.$name.table" --format html "${blocks[@]}" \
        figures/study.sql "$sql" >"$work/$study.$name.table.new"
    mv "$work/$study.$name.table.new" "$work/$study.$name.table"
}

# cells STUDY HOST: the page of all cells, and what the pages of the study need to find a cell.
cells() {
    local study=$1 host=$2 moves
    moves=$(say 'table moves')
    {
        printf '<p class="caption moves">%s</p>\n' "$moves"
        query --set "host=$host" --set "experiment=$study" --format html site/cells.sql |
            sed "1s|<div class=\"table\">|<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"$moves\">|"
    } |
        page "cells-$study.$host.html" "$(say 'All cells'): $study, ${label[$host]}" \
            "samples-$study.$host.js"
    query --set "host=$host" --set "experiment=$study" --format lines site/points.sql \
        >"$work/$study.$host.points"
}

# samples: one script for each study and host, which a page can load without a server.
samples() {
    local study host text
    query --format lines site/samples.sql | while IFS=$'\t' read -r study host text; do
        printf '%s\n' "$text" >"$new/samples-$study.$host.js"
    done
}

# assembly FILE: the innermost loop of the kernel's machine code, if the tools of this machine can show it. The text is
# kept in $work, and made anew after a change of the source or the tools.
assembly() {
    local variant=${1#kernels/} hash kept text
    variant=${variant%.*}
    variant=${variant//_/-}
    hash=$(awk -F '\t' -v name="$variant" '$1 == name { print $2 }' "$work/sources")
    [[ $hash ]] || return 0
    kept=$work/${variant//\//-}.assembly
    if [[ ! -f $kept || $(head -n 1 "$kept") != "$hash $gpu_arch $tools" ]]; then
        text=$("$TILELAB" show --assembly "$variant" ${gpu_arch:+--arch "$gpu_arch"} 2>/dev/null) || text=
        printf '%s\n%s\n' "$hash $gpu_arch $tools" "$text" >"$kept"
    fi
    [[ $(sed -n 2p "$kept") ]] || return 0
    printf '<details id="assembly"><summary>%s</summary>\n<pre class="source" tabindex="0">' \
        "$(say 'Machine code of the innermost loop')"
    sed 1d "$kept" | "${escape[@]}"
    printf '</pre></details>\n'
}

# kernel_pages FOLDER: each source in a folder of kernels, with the lines that compiled it.
kernel_pages() {
    local file name heads
    heads=$(for name in Variant Host Studies 'Source hash' 'Compile line'; do say "$name"; done)
    for file in "${kernels[@]}"; do
        [[ $file == "$1"/* ]] || continue
        name=${file#kernels/}
        {
            awk -F '\t' -v file="$file" -v heads="${heads//$'\n'/'\t'}" '
                BEGIN { columns = split(heads, head) }
                $1 != file { next }
                !count++ {
                    print "<div class=\"table\"><table><thead><tr>"
                    for (i = 1; i <= columns; i++) print "<th scope=\"col\">" head[i] "</th>"
                    print "</tr></thead><tbody>"
                }
                {
                    for (i = 1; i <= columns; i++) sub(/<td>/, "<td data-label=\"" head[i] "\">", $2)
                    print $2
                }
                END { if (count) print "</tbody></table></div>" }' "$work/compiled"
            assembly "$file"
            printf '<pre class="source" tabindex="0">'
            awk -v folder="${name%/*}" -v files="${kernels[*]}" -f site/highlight.awk "${own[$file]-$file}"
            printf '</pre>\n'
        } | page "kernel-${name//\//-}.html" "$file"
    done
}
kernels_page() {
    local file name
    {
        query --format html site/kernels.sql
        printf '<h2>%s</h2>\n<ul class="files">\n' "$(say 'All files')"
        for file in "${kernels[@]}"; do
            name=${file#kernels/}
            printf '<li><a href="kernel-%s.html">%s</a></li>\n' "${name//\//-}" "$name"
        done
        printf '</ul>\n'
    } | page kernels.html "$(say Kernels)"
}

# caption KIND NAME FACTS...: what a figure or a table shows, with the numbers of its facts.
caption() {
    local text file facts=(--facts "$work/findings.facts")
    for file in "${@:3}"; do facts+=(--facts "$file"); done
    text=$(findings --caption "$(query_of "$1" "$2")" "${facts[@]}")
    printf '<p class="caption">%s.</p>\n' "${text%.}"
}
# heading KIND NAME: the title of a figure, or the first sentence of a table's caption without its numbers.
heading() {
    local title=${titles[$2]-}
    if [[ $1 == figure && $title ]]; then
        "${escape[@]}" <<<"$title"
    else
        findings --caption "$(query_of "$1" "$2")" | sed -E 's/^[ .]+//; s/[.:;] .*//; s/\.$//'
    fi
}

# section STUDY KIND NAME HOST...: a figure on each host, or a table of all hosts.
section() {
    local study=$1 kind=$2 name=$3 host made=()
    shift 3
    if [[ $kind == table ]]; then
        [[ ! -s $work/$study.$name.table ]] || made=("$work/facts/$study.$name.table")
    else
        for host; do
            [[ ! -f $work/$study.$name.$host.figure ]] || made+=("$work/facts/$study.$name.$host")
        done
    fi
    ((${#made[@]})) || return 0
    printf '<section id="%s-%s">\n<h2>%s</h2>\n' "$kind" "$name" "$(heading "$kind" "$name")"
    if [[ $kind == table ]]; then
        cat "$work/$study.$name.table"
    else
        for host; do show_figure "$study" "$name" "$host" "${label[$host]}"; done
    fi
    caption "$kind" "$name" "${made[@]}"
    printf '</section>\n'
}

# reading: how to read figures and tables, from the section of the report on the method.
reading() {
    printf '<details id="reading"><summary>%s</summary>\n' "$(say 'How to read figures and tables')"
    sed -E '/^%|^\\ifshown|^\}%$/d; s/^\\paragraph/\\textbf/' "report/text/$REPORT_LANGUAGE/reading.tex" |
        paragraphs | prose | sed 's/.*/<p>&<\/p>/'
    printf '</details>\n'
}
# paragraphs: each paragraph of standard input as a line.
paragraphs() { awk -v RS= '{ gsub(/\n/, " "); print }'; }

# sections STUDY: its figures and tables.
sections() {
    local study=$1 kind name hosts labels
    for kind in figure table; do
        while IFS=$'\t' read -r name hosts; do
            IFS='|' read -r -a labels <<<"$hosts"
            section "$study" "$kind" "$name" "${labels[@]%%=*}"
        done < <(awk -F '\t' -v OFS='\t' -v kind="$kind" -v study="$study" \
            '$1 == kind && $2 == study { print $3, $4 }' "$work/plan")
    done
}
# study_page STUDY TITLE ABOUT: the title is HTML, the text LaTeX.
study_page() {
    local study=$1 unmeasured
    unmeasured=$(query --set "experiment=$study" --format html site/unmeasured.sql)
    {
        [[ -z $3 ]] || printf '<p>%s</p>\n' "$(prose <<<"$3")"
        query --set "experiment=$study" --format html site/study.sql
        if [[ $unmeasured ]]; then
            printf '<h2>%s</h2>\n%s\n' "$(say 'Nothing was measured')" "$unmeasured"
        else
            findings --facts "$work/findings.facts" --study "$study"
            sections "$study"
            reading
        fi
    } | page "study-$study.html" "$2" "points-$study.js"
    cat "$work/$study".*.points >"$new/points-$study.js"
}
# table_text FILE: the caption that a text of the report gives its first table, as HTML.
table_text() {
    local text
    text=$(awk 'sub(/^\\def\\tilelabcaption\{/, "") { inside = 1 }
        inside {
            sub(/^ +/, "")
            ends = sub(/\.(\\label\{[^}]*\})?\}$/, ".")
            printf "%s ", $0
            if (ends) exit
        }' "report/text/$REPORT_LANGUAGE/$1")
    printf '<p class="caption">%s</p>\n' "$(prose <<<"${text% }")"
}

# compare_page: each cell on the first machine that has results, and on the others.
compare_page() {
    local study title hosts about options=(--set "study=$EXPS" --set older= --set newer= --set fail_above=)
    {
        printf '<p>%s</p>\n' "$(say 'introduction of compare')"
        query "${options[@]}" --format html site/compare-summary.sql \
            >"$work/compared"
        cat "$work/compared"
        [[ -s $work/compared ]] || printf '<p>%s</p>\n' "$(say 'nothing to compare')"
        while IFS=$'\t' read -r study title hosts about; do
            [[ $hosts == *' '* ]] || continue
            # shellcheck disable=SC2086 # these are the names of hosts
            rows "$study" hosts-by-n $hosts
            for host in $hosts; do
                figure "$study" hosts-by-n "$host"
                show_figure "$study" hosts-by-n "$host" "$title"
            done
        done <"$work/studies"
        query "${options[@]}" --format html site/compare.sql
    } | page compare.html "$(say 'Machines compared')"
}

# queue NAME COMMAND...: a part of the site for make_queued.
queued=()
queue() { queued+=("$1"$'\t'"$(printf '%q ' "${@:2}")"); }
# make_queued: makes the parts in the queue, as many at once as there are processors. A part that fails is named, and
# the others go on. Its files join the site when all of it is made, so that no page is cut. The trap runs outside of
# all functions, so that `part` is no local variable.
failed=0 part=
jobs=$(nproc)
make_queued() {
    local one begun=0
    for one in "${queued[@]}"; do
        while (($(jobs -rp | wc -l) >= jobs)); do wait -n || failed=1; done
        part=${one%%$'\t'*} begun=$((begun + 1))
        printf '%-8s [%d/%d] %s\n' SITE $begun ${#queued[@]} "$part"
        (
            trap '(($? == 0)) || echo "site: failed: $part; the site goes on without it" >&2' EXIT
            new=$work/part.$begun
            mkdir "$new"
            eval "${one#*$'\t'}"
            find "$new" -mindepth 1 -exec mv -t "$whole" {} +
        ) &
    done
    while [[ -n $(jobs -p) ]]; do wait -n || failed=1; done
    rm -rf "$work"/part.*
    queued=()
}

printf '%-8s %s\n' SITE "$site"
declare -A label=()
order=()
while IFS=$'\t' read -r host title; do
    label[$host]=$title order+=("$host")
done < <(query --format lines site/labels.sql)
findings_facts >"$work/findings.facts"
tools=$( { objdump --version; cuobjdump --version; "$TILELAB" list --devices; true; } 2>/dev/null |
    sha256sum | cut -c 1-16)
gpu_arch=$(query --format lines site/arch.sql)
query --format lines --set whole=yes report/plan.sql | known >"$work/plan"
query --format lines site/studies.sql >"$work/studies"
rm -f "$work"/*.table "$work"/*.points
query --format lines site/compiled.sql >"$work/compiled"
query --format lines site/sources.sql >"$work/sources"
draw_with
for folder in $(dirname "${kernels[@]}" | sort | uniq -c | sort -rn | awk '{ print $2 }'); do
    queue "$folder" kernel_pages "$folder"
done
queue kernels.html kernels_page
queue samples samples
queue compare.html compare_page
queue "figures standing" rows summary standing "${order[@]}"
while IFS=$'\t' read -r kind study name hosts; do
    IFS='|' read -r -a labels <<<"$hosts"
    [[ $kind != table ]] || queue "$study: table $name" table "$study" "$name" "${labels[@]}"
    [[ $kind != figure ]] || queue "$study: rows of figure $name" rows "$study" "$name" "${labels[@]%%=*}"
done <"$work/plan"
while IFS=$'\t' read -r study title hosts about; do
    for host in $hosts; do queue "$study: cells of $host" cells "$study" "$host"; done
done <"$work/studies"
make_queued
for host in "${order[@]}"; do queue "figure standing of $host" figure summary standing "$host"; done
while IFS=$'\t' read -r kind study name hosts; do
    IFS='|' read -r -a labels <<<"$hosts"
    [[ $kind == figure ]] || continue
    for host in "${labels[@]%%=*}"; do queue "$study: figure $name of $host" figure "$study" "$name" "$host"; done
done <"$work/plan"
make_queued
while IFS=$'\t' read -r study title hosts about; do
    queue "study-$study.html" study_page "$study" "$title" "$about"
done <"$work/studies"
blocks=()
while IFS= read -r host; do blocks+=(--block "$host"); done < <(query --format lines report/hosts.sql)
# all_hosts SQL...: a table with a block for each host.
all_hosts() { if ((${#blocks[@]})); then query --format html "${blocks[@]}" "$@"; fi; }
# standing: the figure of the report's summary, for each host.
standing() {
    local host figures
    figures=$(for host in "${order[@]}"; do show_figure summary standing "$host" "${label[$host]}"; done)
    [[ $figures ]] || return 0
    printf '<section id="figure-standing">\n<h2>%s</h2>\n%s\n' "$(heading figure standing)" "$figures"
    printf '<p class="caption">%s.</p>\n</section>\n' "$(findings --caption report/standing.sql)"
}
# best_table: the table of the report's summary. A row divides the products from parts of operands, which stand last and
# alone have an error, from the others; site.js takes it away when it sorts.
best_table() {
    all_hosts report/summary.sql | awk -v error="data-label=\"$(say Error)\">" -v parts="$(say 'split products')" '
        /<tbody>/ { divided = 0 }
        !divided && index($0, error) {
            divided = 1
            columns = gsub(/<td /, "&")
            print "<tr class=\"block detail\"><th scope=\"rowgroup\" colspan=\"" columns "\">" parts "</th></tr>"
        }
        { print }'
    ((${#blocks[@]} == 0)) || printf '<p class="caption">%s</p>\n' "$(say 'columns of the best')"
}
index_page() {
    {
        printf '<p>%s</p>\n<p class="scripts">%s</p>\n' "$(say 'introduction of index')" "$(say 'what scripts do')"
        query --set most=10000 --format html report/faulty.sql >"$work/faulty"
        if [[ -s $work/faulty ]]; then
            printf '<h2>%s</h2>\n' "$(say 'Variants that are wrong')"
            cat "$work/faulty"
            table_text wrong.tex
        fi
        standing
        printf '<h2 id="answers">%s</h2>\n<ul>\n' "$(say Answers)"
        findings --facts "$work/findings.facts" --part summary
        printf '</ul>\n'
        reading
        printf '<h2>%s</h2>\n' "$(say 'The best own variants beside the libraries')"
        best_table
        ((${#blocks[@]} == 0)) || table_text summary.tex
        printf '<h2>%s</h2>\n' "$(say Studies)"
        query --format html site/index.sql
        printf '<h2>%s</h2>\n' "$(say 'Verdicts on claims')"
        query --format html report/tally.sql
        printf '<section id="machines">\n<h2>%s</h2>\n' "$(say Machines)"
        query --format html site/machines.sql
        printf '</section>\n'
    } | page index.html "$(say 'tilelab: all results')"
}
conclusions_page() {
    {
        printf '<p><a href="index.html#answers">%s</a></p>\n<ul>\n' "$(say 'answers in short')"
        findings --facts "$work/findings.facts" --part conclusions
        printf '</ul>\n'
    } | page conclusions.html "$(say Conclusions)"
}
claims_page() {
    all_hosts site/claims.sql | page claims.html "$(say 'Claims of the sources, and verdicts')"
}
queue index.html index_page
queue conclusions.html conclusions_page
queue claims.html claims_page
make_queued
cp site/site.css site/site.js "$whole/"
rm -rf "$site"
mv "$whole" "$site"
((failed == 0)) || { echo 'site: it lacks the parts that are named above' >&2; exit 2; }
printf '%s\n' "$now" >"$work/stamp"

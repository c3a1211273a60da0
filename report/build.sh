#!/bin/bash
# Draws the figures and typesets the report: report/build.sh figures|report. It does nothing if nothing has changed.
# With `check` it only tells what is wrong with the settings, and writes nothing.
# Environment: TILELAB, BUILD, REPORT, DATA (the folder of this machine), EXPS (studies; empty: all of them),
# HOSTS (recorded hosts to show, `all` or `none`), LISTINGS (final: own kernels, and what a laboratory asks for; all),
# REPORT_LANGUAGE (a folder of report/text), REPORT_STYLE (a file of report/styles), AUTHOR (the file about the author).
# SPDX-License-Identifier: MIT
set -eu -o pipefail
export LC_ALL=C.UTF-8 LANG=C.UTF-8 TZ=UTC
goal=$1
TILELAB=${TILELAB:-build/tilelab} BUILD=${BUILD:-build} DATA=${DATA:-data/local} EXPS=${EXPS:-} HOSTS=${HOSTS:-all}
LISTINGS=${LISTINGS:-final} REPORT_LANGUAGE=${REPORT_LANGUAGE:-en} REPORT_STYLE=${REPORT_STYLE:-plain}
AUTHOR=${AUTHOR:-report/author.yaml}
REPORT=${REPORT:-$BUILD/report.pdf}
work=$BUILD/report

# shellcheck source=report/data.sh
. report/data.sh
one_of style "$REPORT_STYLE" report/styles/*
one_of 'word for the listings' "$LISTINGS" final all
if [[ -d $AUTHOR || ! -r $AUTHOR ]]; then
    echo "report: the file about the author, $AUTHOR, cannot be read" >&2
    exit 2
fi
step() { printf '%-8s %s\n' "$1" "$2"; }

# The names of studies and hosts, and of what the claims speak of, are checked before anything is written.
read -r -a studies <<<"$(tr '\n' ' ' <<<"$EXPS")"
for study in "${studies[@]}"; do
    known=("${folders[@]/%//$study.results.csv}" "experiments/$study.yaml")
    [[ -n $(find -H "${known[@]}" -maxdepth 0 2>/dev/null) ]] && continue
    echo "report: unknown study '$study': no experiment file and no results have this name" >&2
    exit 2
done
read -r -a hosts <<<"$(tr '\n' ' ' <<<"$HOSTS")"
for host in "${hosts[@]}"; do one_of host "$host" all none "${folders[@]}"; done
# The check of claims needs no results, and the folder report/ holds none.
"$TILELAB" claims --data report --claims data/published/claims.csv >/dev/null || exit 2
# So is the file about the author, by a query that shows nothing.
"$TILELAB" query --data report --author "$AUTHOR" /dev/null || exit 2
[[ $goal != check ]] || exit 0
mkdir -p "$work"
alone "$work"
mkdir -p "$work/tables" "$work/sources" "$BUILD/figures"

database=$work/data.db
query() {
    "$TILELAB" query "${in_language[@]}" --database "$database" --set "studies=$EXPS" --set "hosts=$HOSTS" "$@"
}

# Prints what the result depends on: settings, and the hashes of files.
state() {
    printf '%s\n' "$goal" "$EXPS" "$HOSTS" "$LISTINGS" "$REPORT_LANGUAGE" "$REPORT_STYLE" "${folders[@]}"
    hashes "$AUTHOR"
}
now=$(state | sha256sum)
stamp=$work/$goal.stamp
if [[ -f $stamp && $(<"$stamp") == "$now" && ($goal == figures || -f $REPORT) ]]; then
    exit 0
fi

load "$database" --author "$AUTHOR"

# Moves $1.new to $1 if they differ. Returns true if it moved the file.
replace() {
    if cmp -s "$1.new" "$1"; then
        rm "$1.new"
        return 1
    fi
    mv "$1.new" "$1"
}

epoch=$(query --format lines report/epoch.sql)
export SOURCE_DATE_EPOCH=$epoch FORCE_SOURCE_DATE=1

# as_pdf FILE.pdf DRAWING.svg...: a page for each drawing, whose unit is a point. The pages share their fonts.
as_pdf() { rsvg-convert --format pdf --dpi-x 72 --dpi-y 72 --output "$@"; }

# draw STEM SCRIPT TITLE [SETTING]: draws STEM.svg, and STEM.pdf for other documents, if the data STEM.data, the script
# or the style have changed. The setting is a command of gnuplot.
draw() {
    local stem=$1 gp=$2 title=$3 setting=${4-} key
    if ! grep -q '^curves_count = [1-9]' "$stem.data"; then
        rm -f "$stem".{svg,pdf,key}
        return
    fi
    key=$(cat "$stem.data" figures/*.gp - <<<"$title $setting" | sha256sum)
    [[ -f $stem.pdf && -f $stem.key && $(<"$stem.key") == "$key" ]] && return
    step FIGURE "$stem.pdf"
    if ! gnuplot -e "data='$stem.data'; output='$stem.new'; title_text='${title//\'/\'\'}'" \
        -e "$setting" "$gp" 2>"$stem.log" || [[ ! -s $stem.new ]]; then
        cat "$stem.log" >&2
        return 1
    fi
    mv "$stem.new" "$stem.svg"
    as_pdf "$stem.pdf" "$stem.svg" || return 1
    printf '%s\n' "$key" >"$stem.key"
    rm -f "$stem.log"
}

# figure STUDY KIND HOST=LABEL...: writes the data of each host, and draws them on one scale.
figure() {
    local study=$1 kind=$2 gp=figures/$2.gp host scale stem stems
    if [[ ! -f $gp || ! -f figures/$kind.sql ]]; then
        echo "figures: no kind '$kind' (study $study)" >&2
        return 1
    fi
    shift 2
    set -- "${@%%=*}"
    for host; do
        query --set "host=$host" --set "experiment=$study" --facts "$work/tables/$study.$kind.$host.facts" \
            --format gnuplot figures/study.sql "figures/$kind.sql" >"$BUILD/figures/$study.$kind.$host.data"
    done
    stems=("${@/#/$BUILD/figures/$study.$kind.}")
    scale=$(common_frame "$gp" '' "${stems[@]}")
    for stem in "${stems[@]}"; do draw "$stem" "$gp" "${titles[$kind]-}" "$scale"; done
}

# whole NAME HOST: a figure of all studies: `standing` of the summary, or `verdicts` of the claims.
whole() {
    local stem=$BUILD/figures/$1.$2
    query --set "host=$2" --format gnuplot "report/$1.sql" >"$stem.data"
    draw "$stem" "figures/$1.gp" ''
}

# table STUDY NAME FORMAT HOST=LABEL...: a table that the study names, or one that every study has.
table() {
    local study=$1 name=$2 format=$3 file=$work/tables/$1.$2.tex sql host blocks=()
    shift 3
    sql=$(query_of table "$name")
    if [[ ! -f $sql ]]; then
        echo "report: no table '$name' (study $study)" >&2
        return 1
    fi
    for host; do blocks+=(--block "$host"); done
    query --set "experiment=$study" --facts "${file%.tex}.facts" --format "$format" "${blocks[@]}" figures/study.sql \
        "${brief[@]}" "$sql" >"$file.new"
    replace "$file" || true
}

# make_one KIND STUDY NAME HOST=LABEL...
make_one() {
    local kind=$1 study=$2 name=$3 host
    shift 3
    case $kind in
        figure) figure "$study" "$name" "$@" ;;
        table) table "$study" "$name" latex "$@" ;;
    esac
}

# LaTeX must not find what an earlier run made for other data or studies.
query --format lines --set whole=no report/plan.sql | known >"$work/plan.new"
if replace "$work/plan"; then
    rm -rf "$work/tables"
    mkdir -p "$work/tables"
    # A figure is kept if the plan still has it.
    mkdir -p "$work/kept"
    while IFS=$'\t' read -r kind study name hosts; do
        [[ $kind == figure ]] || continue
        IFS='|' read -r -a labels <<<"$hosts"
        for host in "${labels[@]%%=*}"; do
            for made in "$BUILD/figures/$study.$name.$host".{svg,pdf,key,data}; do
                [[ ! -f $made ]] || mv "$made" "$work/kept/"
            done
        done
    done <"$work/plan"
    rm -rf "$BUILD/figures"
    mv "$work/kept" "$BUILD/figures"
fi

# A report of many studies has shorter tables.
brief=()
(($(cut -f 2 "$work/plan" | sort -u | wc -l) <= 1)) || brief=(report/brief.sql)
failed=0
jobs=$(nproc)
while IFS=$'\t' read -r kind study name hosts; do
    [[ $goal == figures && $kind != figure ]] && continue
    IFS='|' read -r -a labels <<<"$hosts"
    while (($(jobs -rp | wc -l) >= jobs)); do wait -n || failed=1; done
    make_one "$kind" "$study" "$name" "${labels[@]}" &
done <"$work/plan"
while IFS='=' read -r host _; do
    for name in standing verdicts; do whole "$name" "$host" || failed=1; done
done < <(
    query --format lines report/hosts-latex.sql)
while [[ -n $(jobs -p) ]]; do wait -n || failed=1; done
# The report is typeset even if a figure or table could not be made; the exit status tells of it.
done_with_it() {
    ((failed == 0)) || exit 2
    printf '%s\n' "$now" >"$stamp"
    exit 0
}
[[ $goal == report ]] || done_with_it

# part FILE FORMAT [--block HOST=LABEL | --set NAME=VALUE]... SQL...
part() {
    local file=$work/$1 format=$2 options=()
    shift 2
    while [[ $1 == --* ]]; do options+=("$1" "$2"); shift 2; done
    query --format "$format" "${options[@]}" "$@" >"$file.new"
    replace "$file" || true
}
part chapters.tex lines report/chapters.sql
part titlepage.tex macros report/titlepage.sql
part state-by-host.tex latex report/state-by-host.sql
part problems.tex lines report/problems.sql
part state-by-study.tex latex report/state-by-study.sql
part libraries.tex latex report/libraries.sql
part notrun.tex latex report/notrun.sql
part between.tex latex --facts "$work/between.facts" --set most=4 --set probes=no \
    report/chosen.sql report/between-table.sql
part leftout.tex latex --set "refused=$refused" report/leftout.sql
summary_blocks=()
while IFS= read -r host; do
    summary_blocks+=(--block "$host")
done < <(query --format lines report/hosts.sql)
: >"$work/summary.tex"
part broken.tex lines report/paired.sql "SELECT 'broken' FROM paired WHERE shown AND broken LIMIT 1"
part wrong.tex latex --set most=6 report/faulty.sql
part faulty.tex latex --set most=10000 report/faulty.sql
part places.tex latex report/places.sql
part outcome.tex lines report/outcome.sql
# A page holds the columns of a few hosts.
testbed=hosts
((${#summary_blocks[@]} <= 2 * 4)) || testbed=class
part testbed.tex latex "report/testbed-$testbed.sql"
((${#summary_blocks[@]} == 0)) || part summary.tex latex "${summary_blocks[@]}" report/summary.sql
part tally.tex latex report/tally.sql
part claims.tex latex report/claims-by-host.sql
part claims-apart.tex macros report/claims-apart.sql
part legend.tex lines report/legend.sql
findings_facts >"$work/findings.facts"
# say OPTION...: sentences. A text that uses a fact that its query lacks would have a hole, and ends the script.
say() {
    "$TILELAB" findings --language "$REPORT_LANGUAGE" --format latex --facts "$work/findings.facts" "$@"
}
# caption KIND NAME FILE.sql FACTS...: what \described prints of the kind and the name.
caption() {
    local name=$2 sql=$3 facts=() file text
    [[ -f $sql ]] || return 0
    for file in "${@:4}"; do [[ ! -f $file ]] || facts+=(--facts "$file"); done
    text=$(say --caption "$sql" "${facts[@]}")
    printf '\\describe{%s}{%s}{%s}\n' "$1" "$name" "$text"
}
# captions: the captions of all figures and tables of the plan that were made.
captions() {
    local kind study name hosts host made
    while IFS=$'\t' read -r kind study name hosts; do
        made=()
        IFS='|' read -r -a labels <<<"$hosts"
        if [[ $kind == table ]]; then
            caption table "$study.$name" "$(query_of table "$name")" "$work/tables/$study.$name.facts"
        elif [[ $kind == figure ]]; then
            for host in "${labels[@]%%=*}"; do
                [[ ! -f $BUILD/figures/$study.$name.$host.pdf ]] || made+=("$work/tables/$study.$name.$host.facts")
            done
            ((${#made[@]} == 0)) || caption figure "$study.$name" "figures/$name.sql" "${made[@]}"
        fi
    done <"$work/plan"
    caption text between-table report/between-table.sql "$work/between.facts"
    caption text standing report/standing.sql
    caption text verdicts report/verdicts.sql
}
captions >"$work/captions.tex"
say --part studies >"$work/studies.tex"
say --part method >"$work/notes.tex"
say --part conclusions >"$work/conclusions.tex"
say --part summary >"$work/findings.tex"
say --part undecided >"$work/undecided.tex"
# whole_figure NAME: the panels of two hosts at most, side by side.
whole_figure() {
    local panels=() host label
    while IFS='=' read -r host label; do
        [[ ! -f $BUILD/figures/$1.$host.pdf ]] || ((${#panels[@]} == 2)) || panels+=("{$host}{$label}")
    done < <(query --format lines report/hosts-latex.sql)
    case ${#panels[@]} in
        1) printf '\\wholeone{%s}%s\n' "$1" "${panels[0]}" ;;
        2) printf '\\wholetwo{%s}%s%s\n' "$1" "${panels[@]}" ;;
    esac >"$work/$1.tex"
}
for name in standing verdicts; do whole_figure "$name"; done

# LaTeX finds a figure by its name among the pages of one file.
drawings=("$BUILD"/figures/*.svg)
rm -f "$work/figures.pdf"
: >"$work/pages.tex"
if [[ -f ${drawings[0]} ]]; then
    as_pdf "$work/figures.pdf" "${drawings[@]}"
    for ((page = 0; page < ${#drawings[@]}; page++)); do
        printf '\\figurepage{%s}{%d}\n' "$(basename "${drawings[page]}" .svg)" $((page + 1))
    done >"$work/pages.tex"
fi

# The appendix: kernels that are listed whole, with the headers that they need, in characters that the listings can set.
: >"$work/sources.tex.new"
ascii() { sed '/^ *\.summary_ru = /d' | iconv -f UTF-8 -t ASCII//TRANSLIT; }

# device_part FILE: what only the device's compiler reads in a file of CUDA, OpenCL, SYCL and the like: the part of its
# outer #if that does not describe the variant.
device_part() {
    awk '
        /^#if/ && !depth++ { part = 1; next }
        /^#else/ && depth == 1 { part = 2; next }
        /^#endif/ && !--depth { part = 0 }
        part && /^VARIANT\(/ { described = part }
        part && (text[part] != "" || NF) { text[part] = text[part] $0 "\n" }
        END { part = text[3 - described]; sub(/\n+$/, "\n", part); printf "%s", part }' "$1"
}

# kernel_text FILE: the kernel alone: what stands between the includes and the description of a C file.
kernel_text() {
    if [[ $1 != *.c ]]; then device_part "$1"; return; fi
    awk '
        /^#include/ { inside = 1; text = ""; next }
        inside && (/^#endif/ || /^(const )?(struct variant|VARIANT)/) { exit }
        inside && (text != "" || NF) { text = text $0 "\n" }
        END { sub(/\n+$/, "\n", text); printf "%s", text }' "$1"
}

# needs FILE...: the headers in kernels/ that the files need, each behind the file that includes it first. Of the host's
# part of a device's file no header counts, and no header counts that describes accesses.
needs() {
    local file header queue=("$@")
    local -A met=()
    while ((${#queue[@]} > 0)); do
        file=${queue[0]}
        queue=("${queue[@]:1}")
        while read -r header; do
            if [[ $header == common/* ]]; then header=kernels/$header; else header=${file%/*}/$header; fi
            [[ -f $header && ! ${met[$header]-} ]] || continue
            met[$header]=1
            queue+=("$header")
            echo "$header"
        done < <(case $file in
            *.c | *.h | *.cuh) awk '/^#else/ { text = "" } { text = text $0 "\n" } END { printf "%s", text }' "$file" ;;
            *) device_part "$file" ;;
            esac |
            sed -nE 's/^#include "((common\/)?[a-z0-9_]+\.(h|cuh))"$/\1/p' | grep -v 'accesses\.h$')
    done
}

# list FILE TITLE COMPILE_LINE [REMARK]: lists a kernel, and behind it the headers that were not listed before. The
# remark is LaTeX.
declare -A listed=()
list() {
    local file=$1 copy=$work/sources/${1//\//-} header compile='' remark=${4-}
    [[ -f $file && ! ${listed[$file]-} ]] || return 0
    listed[$file]=1
    if [[ $LISTINGS == all || $file == *.h || $file == *.cuh ]]; then cat "$file"; else kernel_text "$file"; fi |
        ascii >"$copy"
    if [[ $3 ]]; then
        printf '%s\n' "$3" | ascii >"$copy.compile"
        compile=${copy#"$work/"}.compile
    fi
    printf '\\kernel{%s}{%s}{%s}{%s}\n' "$2" "${copy#"$work/"}" "$compile" "$remark" >>"$work/sources.tex.new"
    while read -r header; do
        list "$header" "${header//_/\\_}" '' "\\includedby{$2}"
    done < <(needs "$file")
}

# The kernels of this machine's owner are always listed. A laboratory's study alone has its final kernel on each device,
# or the first of the others that is short enough.
most_lines=300
declare -A place_done=()
while IFS=$'\t' read -r file title compile_line place own _; do
    [[ -f $file ]] || continue
    remark=
    [[ $compile_line != earlier:* ]] || remark='\earliersource'
    compile_line=${compile_line#*:}
    [[ $compile_line ]] || remark='\unknownline'
    if [[ $LISTINGS != all && $own == 0 ]]; then
        [[ ! ${place_done[$place]-} ]] || continue
        (($({ kernel_text "$file"; needs "$file" | xargs -r cat; } | wc -l) <= most_lines)) || continue
        place_done[$place]=1
    fi
    list "$file" "$title" "$compile_line" "$remark"
done < <(query --set "listings=$LISTINGS" --format lines report/sources.sql)
replace "$work/sources.tex" || true
# The entry names the hosts that the report shows. Each blank at the beginning of a line is one that does not vanish.
cite_options=(--author "$AUTHOR")
while read -r folder; do
    cite_options+=(--data "${folders[folder]}")
done < <(query --format lines report/chosen.sql 'SELECT DISTINCT host_ord FROM chosen ORDER BY host_ord')
{ "$TILELAB" cite "${cite_options[@]}" || echo 'no data'; } |
    sed -E -e 's/\\/\x01/g' -e 's/[{}_%#&$]/\\&/g' -e 's/[~^]/\\string&/g' -e 's/\x01/\\textbackslash{}/g' \
        -e ':blank; s/^(~*) /\1~/; t blank' -e 's/.*/\\citeline{&}/' >"$work/cite.tex"

step LATEX "$REPORT"
rm -rf "$work/text"
cp report/report.tex report/refs.bib "$work/"
cp "report/styles/$REPORT_STYLE.tex" "$work/style.tex"
cp -r --no-preserve=mode "report/text/$REPORT_LANGUAGE" "$work/text"
rm -rf "$work/out"
# run_latex [OPTION]: runs LaTeX until latexmk takes the references for settled. Each pass keeps those that it reads.
run_latex() {
    latexmk -norc -pdf "$@" -pdflatex='cp -f out/report.aux out/read.aux; pdflatex -no-shell-escape %O %S' \
        -interaction=nonstopmode -halt-on-error -file-line-error -outdir=out report.tex >>latex.log 2>&1
}
# settled: forces another pass where the last one has written other references than it has read. latexmk compares times
# in whole seconds, so that it does not see a file of the same length that was written twice in one.
settled() {
    local -x TEXMFVAR=${TEXMFVAR:-$PWD/texmf-var}
    : >latex.log
    run_latex || return
    for _ in {1..5}; do
        ! cmp -s out/read.aux out/report.aux || return 0
        run_latex -g || return
    done
    echo 'The references do not settle.' >>latex.log
    return 1
}
if ! (cd "$work" && settled); then
    tail -n 40 "$work/latex.log" >&2
    echo "report: LaTeX failed; the whole log is $work/latex.log" >&2
    exit 2
fi
mkdir -p "$(dirname "$REPORT")"
cp "$work/out/report.pdf" "$REPORT.new"
replace "$REPORT" || true
done_with_it

#!/bin/bash
# Measures experiments and makes a report of them in the current folder. `tilelab report` calls this script, which lies
# in a clone or, after `make install`, in PREFIX/share/tilelab. Nothing is written beside it.
#   TILELAB=PROGRAM report/anywhere.sh [OPTION]... [EXPERIMENT]...
# SPDX-License-Identifier: MIT
set -eu -o pipefail
export LC_ALL=C.UTF-8
share=$(cd "$(dirname "$0")/.." && pwd)
TILELAB=${TILELAB:-$share/build/tilelab}

usage() {
    cat <<'TEXT'
Usage: tilelab report [OPTION...] [EXPERIMENT...]
Measures what is missing or stale of the experiments, draws the figures and typesets the report. An EXPERIMENT is a
file, or the name of a study that comes with tilelab. Without one, nothing is measured: the report shows all results.
A report shows the cells of the experiment file: for other values, change the file.

  -a, --author FILE       who hands the report in; the file report/author.yaml of tilelab is a form for it
  -b, --budget TIME       stop measuring after this time, "10m"; the next call continues
  -d, --data DIR          the folder of the results (default: data/local)
  -k, --kernels DIR       a folder of kernels and problems of your own; may be given several times
  -H, --hosts NAMES       recorded hosts to show beside this machine: names, or all (default: none). Folders with
                          results that lie beside that of this machine are hosts, as `tilelab merge` makes them
  -l, --language NAME     en or ru (default: en)
  -n, --no-measure        show the results that are there
  -o, --output FILE.pdf   the file of the report (default: report.pdf)
  -p, --profile NAME      quick, full or record (default: quick)
  -s, --style NAME        plain or gost (default: plain)
      --listings WHICH    kernels to print: final (own ones) or all (default: final)
  -h, --help              print this text

The PDF needs gnuplot, rsvg-convert and LaTeX. Where they are missing, the results are written as Markdown.
TEXT
}
die() {
    printf 'tilelab report: %s\n' "$1" >&2
    exit 2
}
# quoted WORD...: the words as TILELAB_TYPED has them.
quoted() { printf '%s\n' "$@" | sed -e 's/[\\[:blank:]]/\\&/g' | tr '\n' ' '; }

TILELAB_TYPED="tilelab report $([ $# -eq 0 ] || quoted "$@")"
export TILELAB_TYPED
data=data/local output=report.pdf profile=quick budget='' measure=yes hosts=none
language=en style=plain author=$share/report/author.yaml listings=final experiments=() kernels=()
while [ $# -gt 0 ]; do
    option=$1 value=${2-} words=2
    # "--option=value", as every subcommand takes it.
    case $option in --*=*) value=${option#*=} option=${option%%=*} words=1 ;; esac
    case $option in
    -h | --help) usage || exit 5; exit 0 ;;
    -n | --no-measure) measure=no words=1 ;;
    -a | --author) author=$value ;;
    -b | --budget) budget=$value ;;
    -d | --data) data=$value ;;
    -H | --hosts) hosts=$value ;;
    -k | --kernels)
        [ -d "$value" ] || die "the folder of kernels '$value' is not there"
        kernels+=(--kernels "$value")
        TILELAB_KERNELS=${TILELAB_KERNELS:+$TILELAB_KERNELS$'\n'}$(realpath "$value")
        export TILELAB_KERNELS
        ;;
    -l | --language) language=$value ;;
    -o | --output) output=$value ;;
    -p | --profile) profile=$value ;;
    -s | --style) style=$value ;;
    --listings) listings=$value ;;
    --set | --only) die "a report shows the cells of its file: change the file, or use \`tilelab run $option\`" ;;
    -*) die "unknown option '$option'; \`tilelab report --help\` lists the options" ;;
    *) experiments+=("$option") && words=1 ;;
    esac
    [ $# -ge $words ] || die "the option $option needs a value"
    shift $words
done
case $output in *.pdf) ;; *) die "the file of the report ends in .pdf, not '$output'" ;; esac
[ -r "$author" ] || die "the file about the author, $author, cannot be read"
"$TILELAB" query --data "$share/report" --author "$author" /dev/null || exit 2

# The experiments: files, and studies of tilelab by name.
files=() names=()
for experiment in ${experiments+"${experiments[@]}"}; do
    file=$experiment
    [ -e "$file" ] || file=${experiment%.yaml}.yaml
    [ -e "$file" ] || [[ $experiment == */* ]] || file=$share/experiments/$file
    [ -f "$file" ] || die "there is no experiment file '$experiment', and no study of tilelab has this name"
    name=${file##*/}
    files+=("$file") names+=("${name%.yaml}")
done
[ ${#files[@]} -gt 0 ] || measure=no
[ $measure = yes ] || [ "$hosts" != none ] || compgen -G "$data/*.results.csv" >/dev/null ||
    die "there are no results in $data; name an experiment file to measure"

# What no PDF can be made without is told before anything is measured.
missing=''
for tool in gnuplot rsvg-convert latexmk; do
    command -v $tool >/dev/null || missing+="${missing:+ and }$tool"
done
text=${output%.pdf}.md
[ -z "$missing" ] || printf 'There will be no PDF without %s: the results go to %s\n' "$missing" "$text" >&2

# A report is made in the root of a tree. This tree has links to what is installed, and the experiments.
tree=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-report.XXXXXX")
trap 'rm -rf "$tree"' EXIT
ln -s "$share/figures" "$share/report" "$tree/"
cp -rs --no-preserve=mode "$share/kernels" "$tree/"
# Kernels of the user's own stand where the run record says that they are.
while IFS= read -r folder; do
    [ -n "$folder" ] || continue
    for file in "$folder"/*.{c,cu,cl,cpp} "$folder"/*/*.{c,cu,cl,cpp}; do
        [[ -f $file && -r $file ]] || continue
        name=$(sed -nE 's/^VARIANT\(([a-z0-9_]+), *([a-z0-9_]+)\).*/\1\/\2/p' "$file")
        [ -n "$name" ] || continue
        mkdir -p "$tree/kernels/${name%/*}"
        ln -sf "$file" "$tree/kernels/$name.${file##*.}"
        find "${file%/*}" -maxdepth 1 -name '*.*h' -exec ln -sf -t "$tree/kernels/${name%/*}" {} +
    done
done <<<"${TILELAB_KERNELS-}"
mkdir "$tree/experiments" "$tree/data"
for folder in "$share"/data/*/; do
    [ "$(basename "$folder")" = local ] || ln -s "${folder%/}" "$tree/data/"
done
[ "$hosts" = none ] || for folder in "$(dirname "$data")"/*/; do
    [ "$folder" -ef "$data" ] || ! compgen -G "$folder*.results.csv" >/dev/null ||
        ln -sfn "$(realpath "$folder")" "$tree/data/$(basename "$folder")"
done
for i in "${!files[@]}"; do cp "${files[i]}" "$tree/experiments/${names[i]}.yaml"; done
[ ${#files[@]} -gt 0 ] || for file in "$data"/*.results.csv; do
    name=${file##*/}
    name=${name%.results.csv}
    names+=("$name")
    file=$name.yaml
    [ -f "$file" ] || file=$share/experiments/$name.yaml
    [ ! -f "$file" ] || cp "$file" "$tree/experiments/"
done
DATA=$(realpath -m "$data") AUTHOR=$(realpath "$author") REPORT=$(realpath -m "$output") EXPS=${names[*]}
export TILELAB DATA AUTHOR REPORT EXPS HOSTS=$hosts LISTINGS=$listings BUILD=build
export REPORT_LANGUAGE=$language REPORT_STYLE=$style

# What is wrong with the settings is told before anything is measured.
(cd "$tree" && report/build.sh check) || exit 2
if [ $measure = yes ]; then
    status=0
    "$TILELAB" run --profile "$profile" --data "$data" ${budget:+--budget "$budget"} \
        ${kernels+"${kernels[@]}"} "${files[@]}" || status=$?
    # A failed cell is a row of the report and does not prevent the report.
    [ $status -le 1 ] || exit $status
fi

if [ -n "$missing" ]; then
    (cd "$tree" && report/text.sh "${REPORT%.pdf}.md")
    made=$text
    [ ! -e "$output" ] || echo "$output is older than these results" >&2
else
    # The log of LaTeX stays where LaTeX failed.
    (cd "$tree" && report/build.sh report) || { trap - EXIT; exit 2; }
    made=$output
fi
[ ! -d "$data" ] || "$TILELAB" query --data "$data" --published "$share/data/published" --set "studies=$EXPS" \
    --format lines "$share/tools/failures.sql"
printf '%-8s %s\n' REPORT "$made"

# What the report and the site share: the data that they show, and a lock. A script sources this file from the root of
# the tree. It reads TILELAB, DATA and REPORT_LANGUAGE, and sets
#   folders       the folders of the data: this machine first, then every recorded host
#   refused       the names of recorded folders that are left out, each behind a blank, once `load` has run
#   in_language   the options of `tilelab query` for the language
#   titles        the titles of the figures, by kind
# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034 # all are for the script that sources this file

# one_of WHAT WORD FILE...: exits if no file has the name WORD.
one_of() {
    local what=$1 word=$2 names
    shift 2
    names=$(basename -a -s .tex "$@" | tr '\n' ' ')
    [[ " $names" == *" $word "* ]] && return
    echo "$(basename "$(dirname "$0")"): unknown $what '$word'; there are: ${names% }" >&2
    exit 2
}
one_of language "$REPORT_LANGUAGE" report/text/*
in_language=(--language "$REPORT_LANGUAGE" --words report/words.csv)

refused=
folders=("$DATA")
for folder in data/*/; do
    folder=${folder%/}
    [[ $folder == data/published || $folder == data/local || $folder -ef $DATA ]] || folders+=("$folder")
done

# alone FOLDER: waits until no other call works in the folder. The lock ends with this call, however it ends.
alone() {
    local me
    me=$(basename "$(dirname "$0")")
    command -v flock >/dev/null || return 0
    exec {lock}>"$1/lock"
    flock --nonblock "$lock" && return
    echo "$me: waiting for another $me, which works in $1" >&2
    flock "$lock"
}

# agree: refuses each recorded folder whose files are not those that its run records count and name. What is shown does
# without that folder and names it, and there is none if it is $DATA itself. A folder named `local` may be in use:
# queries tell there of changed files.
agree() {
    local folder kept=()
    for folder in "${folders[@]}"; do
        if [[ ${folder##*/} == local || ! -d $folder ]] || "$TILELAB" check "$folder" >/dev/null; then
            kept+=("$folder")
            continue
        fi
        echo "$(basename "$(dirname "$0")"): $folder is refused; left-out.csv there can say what is left out" >&2
        [[ $folder != "$DATA" ]] || exit 2
        refused+=" ${folder##*/}"
    done
    folders=("${kept[@]}")
}

# hashes FILE...: the hashes of the program and of all files that decide what is shown, with those of FILE.
hashes() {
    local existing=(data/published figures report kernels "$@") folder
    for folder in experiments "${folders[@]}"; do [[ ! -d $folder ]] || existing+=("$folder"); done
    find -H "${existing[@]}" -type f ! -path '*/.journal/*' -print0 | sort -z | xargs -0 sha256sum "$TILELAB"
}

# load DATABASE [OPTION]...: loads all data once, whatever is made from them. What cannot be read is told here.
load() {
    local database=$1 options=() folder
    shift
    agree
    for folder in "${folders[@]}"; do options+=(--data "$folder"); done
    [[ ! -d experiments ]] || options+=(--experiments experiments)
    rm -f "$database"
    "$TILELAB" query "${in_language[@]}" "$@" "${options[@]}" --published data/published --save "$database"
}

# query_of KIND NAME: the file of the query of a figure or a table, of which some are in every study.
query_of() {
    if [[ $1 == figure ]]; then echo "figures/$2.sql"
    elif [[ -f report/tables/$2.sql ]]; then echo "report/tables/$2.sql"
    else echo "report/study/$2.sql"; fi
}

# known: of the lines of a plan, those whose figure or table this program has. The record of an older run may name more.
known() {
    local kind study name hosts
    while IFS=$'\t' read -r kind study name hosts; do
        [[ ! -f $(query_of "$kind" "$name") ]] || printf '%s\t%s\t%s\t%s\n' "$kind" "$study" "$name" "$hosts"
    done
}

# findings_facts: the facts of all findings and notes. The script that sources this file has the function `query`.
findings_facts() {
    query --format facts report/chosen-cells.sql report/findings/*.sql report/notes/*.sql
}

# common_frame SCRIPT SETTING STEM...: prints a setting with the common ends of the axes of the figures of several
# machines, which have their data in STEM.data. The script needs the setting to run.
common_frame() {
    local gp=$1 setting=$2 scale stem
    shift 2
    (($# > 1)) || return 0
    scale=$(awk '
        /^y_least = [0-9.]/ && (!count++ || $3 + 0 < least) { least = $3 + 0 }
        /^y_most = [0-9.]/ && $3 + 0 > most { most = $3 + 0 }
        END { if (count > 1) printf "all_least = %.9g; all_most = %.9g;", least, most }' "${@/%/.data}")
    printf '%s' "$scale"
    for stem; do
        grep -q '^curves_count = [1-9]' "$stem.data" || continue
        gnuplot -e "data='$stem.data'; output='/dev/null'; frame_file='$stem.frame'; $setting $scale" "$gp" \
            2>/dev/null || continue
        [[ ! -f $stem.frame ]] || cat "$stem.frame"
        rm -f "$stem.frame"
    done | awk '
        !count[$1]++ || ($1 ~ /^low_/ ? $2 < end[$1] : $2 > end[$1]) { end[$1] = $2 + 0 }
        END { for (name in end) if (count[name] > 1) printf "all_%s = %.9g\n", name, end[name] }' | sort | tr '\n' ';'
}

# The titles of the figures.
declare -A titles=()
while IFS=$'\t' read -r kind title; do titles[$kind]=$title; done < <(report/kinds titles "$REPORT_LANGUAGE")

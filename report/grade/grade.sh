#!/bin/bash
# Grades submissions one after the other. `tilelab grade` reads the assignment and calls this script, with the
# assignment in the variables GRADE_*. For each submission the script calls the program in a sandbox. Queries of this
# folder give the marks and write the pages.
# SPDX-License-Identifier: MIT
set -eu -o pipefail
export LC_ALL=C.UTF-8 TZ=UTC
here=$(cd "$(dirname "$0")" && pwd)
share=$(cd "$here/../.." && pwd)
own=$GRADE_PROBLEM/$GRADE_VARIANT baseline=$GRADE_PROBLEM/$GRADE_BASELINE

die() {
    printf 'tilelab grade: %s\n' "$1" >&2
    exit 2
}
tell() { printf '%-8s %s\n' GRADE "$1"; }

# --- The sandbox ---

# A process of another user than root cannot fork beyond its limit. Root becomes nobody inside the sandbox.
as_root=''
[ "$(id -u)" -ne 0 ] || as_root=yes
user=$(id -u)
[ -z "$as_root" ] || user=65534

# set_box SOURCES STUDIES: `box` becomes what starts a program in the sandbox, and `in_...` are the paths there of the
# program and of both folders.
set_box() {
    local sources=$1 studies=$2 path
    # Threads are processes here. The limit of the system counts all of the user's.
    local running processes
    running=$(ps -L --no-headers -u "$user" | wc -l) || true # ps fails where there are none
    processes=$((GRADE_PROCESSES + ${running:-0}))
    local limits=(prlimit --core=0 --fsize="$GRADE_MEMORY" --nproc="$processes")
    # A program of a GPU reserves more addresses than any machine has memory.
    case $GRADE_VARIANT in cuda-* | opencl-* | sycl-*) ;; *) limits+=(--as="$GRADE_MEMORY") ;; esac
    if [ "$GRADE_SANDBOX" = no ]; then
        in_program=$TILELAB in_sources=$sources in_studies=$studies
        box=(env -C "$scratch" "XDG_CACHE_HOME=$scratch/cache" "${limits[@]}")
        return
    fi
    in_sources=/submission in_studies=/studies
    box=(env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C.UTF-8 HOME=/scratch XDG_CACHE_HOME=/scratch/cache
        ${TILELAB_FAKE_TIMER+"TILELAB_FAKE_TIMER=$TILELAB_FAKE_TIMER"}
        bwrap --die-with-parent --new-session --unshare-pid --unshare-net --unshare-ipc --unshare-uts
        --proc /proc --dev /dev --ro-bind /sys /sys --tmpfs /tmp)
    # Folders that bwrap makes by itself are closed to nobody.
    for path in /etc /tilelab /tilelab/bin /tilelab/lib /tilelab/share; do box+=(--dir "$path"); done
    [ -n "$as_root" ] || box+=(--unshare-user)
    # The system, without the files of any user.
    for path in /usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt; do
        if [ -L "$path" ]; then box+=(--symlink "$(readlink "$path")"); else box+=(--ro-bind-try "$path"); fi
        box+=("$path")
    done
    for path in /etc/ld.so.cache /etc/ld.so.conf /etc/ld.so.conf.d /etc/alternatives /etc/OpenCL; do
        box+=(--ro-bind-try "$path" "$path")
    done
    for path in /dev/nvidia* /dev/dri; do [ ! -e "$path" ] || box+=(--dev-bind "$path" "$path"); done
    # The program with what lies beside it: in a tree, or as `make install` lays it.
    if [ "$(dirname "$TILELAB")" = "$share/build" ]; then
        in_program=/tilelab/build/tilelab
        for path in build src kernels report figures experiments mk tools CITATION.cff; do
            box+=(--ro-bind "$share/$path" "/tilelab/$path")
        done
    else
        in_program=/tilelab/bin/tilelab
        path=$(dirname "$(dirname "$TILELAB")")
        box+=(--ro-bind "$TILELAB" /tilelab/bin/tilelab --ro-bind "$share" /tilelab/share/tilelab
            --ro-bind-try "$path/lib/tilelab" /tilelab/lib/tilelab --ro-bind-try "$path/include" /tilelab/include)
    fi
    box+=(--ro-bind "$sources" /submission --ro-bind "$studies" /studies --bind "$scratch" /scratch --chdir /scratch)
    [ -z "$as_root" ] || box+=(--cap-add CAP_SETUID --cap-add CAP_SETGID)
    box+=(--)
    [ -z "$as_root" ] || box+=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    box+=("${limits[@]}")
}

# boxed ARGUMENT...: calls the program in the sandbox, which ends with it and with its time. Of earlier calls a
# submission finds nothing, and its kernel is compiled again: what is compiled lies where the kernel itself could have
# changed it.
child=''
boxed() {
    local code=0 began=$SECONDS
    chmod -R u+rwX "$scratch"
    find "$scratch" -mindepth 1 -maxdepth 1 -exec rm -rf {} +
    timeout --kill-after=5 "$GRADE_TIME_S" "${box[@]}" "$in_program" "$@" --kernels "$in_sources" >>"$work/log" 2>&1 \
        </dev/null 9>&- &
    child=$!
    wait $child || code=$?
    child=''
    # Somebody else may have killed it, before its time was over.
    [ $code -ne 137 ] || [ $((SECONDS - began)) -lt "$GRADE_TIME_S" ] || code=124
    return $code
}

# boxed_study STUDY RESULTS ARGUMENT...: measures a study in the sandbox, and moves the results to the folder RESULTS.
boxed_study() {
    local study=$1 results=$2 code=0
    shift 2
    boxed run "$in_studies/$study.yaml" --profile full --paired --data data "$@" || code=$?
    # A link could lead the queries elsewhere.
    mkdir -p "$results"
    [ -L "$scratch/data" ] || [ ! -d "$scratch/data" ] ||
        find "$scratch/data" -maxdepth 1 -type f -exec mv {} "$results" \;
    return $code
}

# The scratch of a submission, which may have taken the rights from its folders.
scratch=''
clean_scratch() {
    [ -n "$scratch" ] || return 0
    chmod -R u+rwX "$scratch" 2>/dev/null || true
    rm -rf "$scratch" || true
    scratch=''
}
trap clean_scratch EXIT
new_scratch() { scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-grade.XXXXXX"); }

# Ends what runs, and then this shell.
interrupted() {
    [ -z "$child" ] || kill "$child" 2>/dev/null || true
    wait
    exit 130
}

check_sandbox() {
    local why
    new_scratch
    set_box "$here" "$here"
    if [ "$GRADE_SANDBOX" = no ]; then
        sandbox='without a sandbox, with all rights of the user'
        return
    fi
    sandbox='in a sandbox'
    command -v bwrap >/dev/null ||
        die 'submissions run in a sandbox, which needs bwrap: install bubblewrap, or give --no-sandbox'
    why=$("${box[@]}" "$in_program" --help 2>&1 >/dev/null) ||
        die "the sandbox cannot be started, so that nothing was graded; --no-sandbox does without it: ${why##*$'\n'}"
}

# --- What is handed in ---

source_names=(-name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.cpp' -o -name '*.hpp' -o -name '*.cl')

holds_kernels() { # FOLDER
    [ ! -L "$1" ] && [ -n "$(find "$1/" -maxdepth 1 -type f \( "${source_names[@]}" \) \
        -exec grep -lE '\<VARIANT\(' {} + 2>/dev/null || true)" ]
}

# has_asked FOLDER: whether a file is the kernel that is asked for.
has_asked() {
    [ -n "$(find "$1" -type f \( "${source_names[@]}" \) -exec grep -lE \
        "\\<VARIANT\\([[:blank:]]*$GRADE_PROBLEM,[[:blank:]]*${GRADE_VARIANT//-/_}[[:blank:]]*\\)" {} + || true)" ]
}

# sources_of FOLDER: the folder of the sources in what one student hands in.
sources_of() {
    if holds_kernels "$1/kernels"; then echo "$1/kernels"; else echo "$1"; fi
}

# refusal FOLDER: why a submission is not even built. The sandbox would not show it a file of somebody else either.
refusal() {
    local found
    if [ -L "$1" ]; then
        echo "the folder is a symbolic link to $(readlink "$1")"
        return
    fi
    found=$(find "$1" -type l -printf '%P leads to %l' -quit)
    [ -z "$found" ] || { echo "a submission has no symbolic links: $found"; return; }
    found=$(find "$1" ! -type f ! -type d -printf '%P' -quit)
    [ -z "$found" ] || { echo "$found is no file"; return; }
    found=$(find "$1" -type f -size +4M -printf '%P' -quit)
    [ -z "$found" ] || { echo "$found is larger than 4 MiB"; return; }
    found=$(cd "$1" && { grep -rnE '^[[:blank:]]*#[[:blank:]]*include[[:blank:]]*["<](/|[^">]*\.\.)' . || true; } |
        head -n 1)
    [ -z "$found" ] || echo "an include leads out of the folder: ${found#./}"
}

# fingerprint FOLDER: a hash of the sources, of the assignment and of the program.
fingerprint() {
    {
        for setting in "${!GRADE_@}"; do
            case $setting in GRADE_AGAIN | GRADE_OUTPUT | GRADE_SUBMISSIONS | GRADE_TITLE) continue ;; esac
            echo "$setting=${!setting}"
        done
        sha256sum "$TILELAB" "$here"/*
        (cd "$1" && find . -type f -print0 | sort -z | xargs -0 -r sha256sum)
    } | sha256sum | cut -c 1-16
}

# --- One submission ---

query() { "$TILELAB" query --published "$tables" --set own="$own" --set baseline="$baseline" "$@"; }

# conclude STATUS REASON KIND [DATA]...: writes what became of the submission.
conclude() {
    local status=$1 reason=${2:0:500} kind=$3 at data=()
    shift 3
    for at; do data+=(--data "$at"); done
    [ $# -gt 0 ] || data=(--data "$here")
    query "${data[@]}" --set folder="./$name" --set status="$status" --set reason="$reason" --set kind="$kind" \
        --set error="$error" --format csv "$here/rounds.sql" "$here/mark.sql" "$here/outcome.sql" >"$work/outcome.csv"
    query "${data[@]}" --set folder="./$name" --format csv "$here/rounds.sql" "$here/sizes.sql" >"$work/sizes.csv"
}

write_study() {
    printf 'schema: 1\ntitle: "%s"\nsource: tilelab\nproblem: %s\nprecision: %s\ngrid:\n' "$1" "$GRADE_PROBLEM" \
        "$GRADE_PRECISION"
    printf '  n: [%s]\n  variant: [%s]\n' "$2" "$3"
    [ "$GRADE_THREADS" = 0 ] || printf '  threads: %s\n' "$GRADE_THREADS"
    printf 'measure: {rounds: %s, launches: %s, ci: 5%%, max-time: %s' "$4" "$4" "$5"
    printf ', once-above: 24h, skip-above: 24h}\n'
}

seed_of() { # NUMBER
    local seeds
    read -ra seeds <<<"$GRADE_SEEDS"
    [ ${#seeds[@]} -eq 0 ] || echo "--seed ${seeds[$1 % ${#seeds[@]}]}"
}

# The words of the compiler or of the reader of studies that say what is wrong.
fault_in() {
    local fault
    fault=$(grep -m 1 -E 'error' "$1" || tail -n 1 "$1")
    echo "${fault//$in_sources\//}"
}

# verify: runs and verifies every size once. Sets status and reason, and kind, the points of a submission without time.
verify() {
    local code=0 row
    # shellcheck disable=SC2046 # the option and its value are two words
    boxed_study check "$work/check" --only "$GRADE_PROBLEM/*" $(seed_of 0) || code=$?
    status=ok reason='' kind=built
    row=''
    [ ! -e "$work/check/check.results.csv" ] ||
        row=$(query --data "$work/check" --format tsv "$here/status.sql" | sed -n 2p)
    if [ $code -eq 124 ]; then
        status='time limit' reason="the runs took more than $GRADE_TIME_S s"
    elif [ -n "$row" ]; then
        status=${row%%$'\t'*} reason=${row#*$'\t'}
        [ "$status" != skipped ] || kind=''
        [ "$status" != 'not built' ] || { kind=failed reason=$(fault_in "$work/log"); }
    elif [ $code -eq 2 ]; then
        status='not built' kind=failed reason=$(fault_in "$work/log")
        has_asked "$work/sources" ||
            reason="no file holds VARIANT($GRADE_PROBLEM, ${GRADE_VARIANT//-/_}), the kernel that is asked for"
    elif [ $code -gt 128 ]; then
        status=crash reason="the program ended by signal $((code - 128))"
    elif [ $code -ne 0 ] && [ $code -ne 1 ]; then
        status='not graded' kind='' reason=$(fault_in "$work/log")
    elif ! grep -q . "$work/check/check.results.csv" 2>/dev/null; then
        status='not graded' kind='' reason=$(fault_in "$work/log")
    fi
}

# measure: measures a series of rounds after the other, until the interval lies between two thresholds.
measure() {
    local series=1 code decided row data=()
    # Of the ceilings of the machine only this one bounds a time, and some problems do not have it.
    local only=(--only "$GRADE_PROBLEM/*,fma/*")
    while [ $series -le $most_series ]; do
        code=0
        # shellcheck disable=SC2046
        boxed_study speed "$work/series$series" "${only[@]}" $(seed_of $series) || code=$?
        if [ $code -eq 2 ] && [ ${#only[@]} -gt 0 ]; then
            only=()
            continue
        fi
        if [ $code -ne 0 ] && [ $code -ne 1 ]; then
            status='time limit' reason="the measurement took more than $GRADE_TIME_S s" kind=right
            if [ $code -gt 128 ]; then
                status=crash reason="the program ended by signal $((code - 128))" kind=built
            elif [ $code -ne 124 ]; then
                status='not graded' reason=$(fault_in "$work/log") kind=''
            fi
            return
        fi
        data+=("$work/series$series")
        row=$(query --data "$work/series$series" --format tsv "$here/status.sql" | sed -n 2p)
        if [ -n "$row" ]; then
            status=${row%%$'\t'*} reason=${row#*$'\t'} kind=built
            return
        fi
        conclude ok '' '' "${data[@]}"
        if [ "$(sed 1d "$work/sizes.csv" | wc -l)" -ne "$(tr , '\n' <<<"$GRADE_SIZES" | wc -l)" ]; then
            status='not graded' kind='' reason='not every size was measured'
            return
        fi
        decided=$(sed -n '$ s/.*,//p' "$work/outcome.csv")
        [ "$decided" != 1 ] || break
        series=$((series + 1))
    done
}

# explain: lets `tilelab verify` tell where a wrong result is wrong, and whether that differs from run to run.
explain() {
    local size=${reason#n = } told sizes threads=()
    sizes=$(query --data "$work/check" --format lines "$here/wrong.sql")
    [ "$GRADE_THREADS" = 0 ] || threads=(--threads "$GRADE_THREADS")
    boxed verify "$own" --sizes "${sizes:-${size%%:*}}" --square --only "precision=$GRADE_PRECISION" --repeat 5 \
        ${threads+"${threads[@]}"} || true
    told=$(grep -a -m 1 -E '^  (right on one thread|differs from run to run)' "$work/log" || true)
    [ -z "$told" ] || reason+=";${told# }"
}

# grade FOLDER: the sources are copied, so that nothing of the folder itself can change.
grade() {
    local status=ok reason='' kind=failed folder file code
    folder=$1
    [ -L "$1" ] || folder=$(sources_of "$1")
    reason=$(refusal "$folder")
    if [ -n "$reason" ]; then
        conclude refused "$reason" failed
        return
    fi
    cp -R "$folder/." "$work/sources"
    chmod -R u+rwX,go+rX "$work/sources"
    mkdir "$work/studies"
    set_box "$work/sources" "$work/studies"
    [ "$GRADE_SANDBOX" = no ] || [ -z "$as_root" ] || chown "$user" "$scratch"
    write_study check "$all_sizes" "$GRADE_VARIANT" 1 10ms >"$work/studies/check.yaml"
    # A sample or two in each round: the interval is made of rounds, which noise tells apart more than their samples.
    write_study speed "$GRADE_SIZES" "$GRADE_VARIANT, $GRADE_BASELINE" "$GRADE_ROUNDS" \
        "$((GRADE_ROUNDS * 50))ms" >"$work/studies/speed.yaml"
    verify
    [ "$status" != ok ] || measure
    [ "$status" != wrong ] || explain
    [ "$status" = ok ] || conclude "$status" "$reason" "$kind"
    echo folder,file,hash >"$work/sources.csv"
    find "$work/sources" -type f \( "${source_names[@]}" \) -print0 | while IFS= read -r -d '' file; do
        code=$(timeout 10 awk -f "$here/tokens.awk" "$file" | sha256sum | cut -c 1-16) || continue
        file=${file#"$work/sources/"}
        printf '"./%s","./%s",%s\n' "${name//\"/\"\"}" "${file//\"/\"\"}" "$code"
    done >>"$work/sources.csv"
    [ "$status" = 'not graded' ] || [ "$status" = skipped ] || fingerprint "$work/sources" >"$work/graded"
}

# try FOLDER: grades it in a shell of its own, so that no accident with one submission ends the others.
try() {
    local code=0
    rm -rf "$work"
    mkdir -p "$work/sources"
    clean_scratch
    new_scratch
    (
        trap interrupted TERM
        child=''
        grade "$1"
    ) &
    child=$!
    wait "$child" || code=$?
    child=''
    [ $code -eq 0 ] || conclude 'not graded' 'see above' ''
}
# A shell in the background hears no Ctrl-C, but SIGTERM.
stop() {
    trap '' INT TERM
    echo 'tilelab grade: interrupted; the same command goes on with what is left' >&2
    [ -z "$child" ] || kill "$child" 2>/dev/null || true
    wait
    exit 130
}
is_graded() {
    [ -e "$work/graded" ] && [ ! -L "$1" ] && [ "$(fingerprint "$(sources_of "$1")")" = "$(<"$work/graded")" ]
}

# --- All submissions ---

trap stop INT TERM
[ -d "$GRADE_SUBMISSIONS" ] || die "there is no folder $GRADE_SUBMISSIONS"
check_sandbox
submissions=$(cd "$GRADE_SUBMISSIONS" && pwd)
output=$(realpath -m "$GRADE_OUTPUT")
tables=$output/work/tables
most_series=$((GRADE_MOST_ROUNDS / GRADE_ROUNDS))
error=$(awk "BEGIN { print $GRADE_ERROR / $most_series }")
all_sizes=$(tr -d ' ' <<<"$GRADE_SIZES,$GRADE_VERIFIED" | tr , '\n' | grep . | sort -nu | paste -sd,)

folders=()
if holds_kernels "$submissions" || holds_kernels "$submissions/kernels"; then
    folders=("$submissions")
else
    for folder in "$submissions"/*; do
        [ "$folder" -ef "$output" ] || { [ ! -d "$folder" ] && [ ! -L "$folder" ]; } || folders+=("$folder")
    done
fi
[ ${#folders[@]} -gt 0 ] || die "$GRADE_SUBMISSIONS holds no folder and no kernel"
[ "$output" != "$(realpath "$submissions")" ] ||
    die "$GRADE_OUTPUT is the folder of the submissions: name another folder with --output"
for folder in "${folders[@]}"; do
    case $output/ in "$(realpath "$(sources_of "$folder")")"/*)
        die "$GRADE_OUTPUT lies among the sources of a submission: name another folder with --output" ;;
    esac
done
mkdir -p "$tables"
printf '%s' "$GRADE_POINTS" >"$tables/points.csv"
exec 9>"$output/work/lock"
flock -n 9 || die "another grading writes into $GRADE_OUTPUT: wait until it ends"

failures=0 number=0 names=()
for folder in "${folders[@]}"; do
    number=$((number + 1)) name=${folder##*/}
    case $name in *[[:cntrl:]]*) die "the name of a folder has a control character: $(printf %q "$name")" ;; esac
    names+=("$name")
    work=$output/work/of/$name
    kept=' (kept)'
    if [ "$GRADE_AGAIN" = yes ] || ! is_graded "$folder"; then
        kept=''
        try "$folder"
    fi
    line=$("$TILELAB" query --data "$here" --published "$work" --format lines "$here/line.sql" | tr -d '[:cntrl:]') ||
        line="$name: what became of it cannot be read"
    tell "[$number/${#folders[@]}] $line$kept"
    [ -e "$work/graded" ] || grep -q ',refused,' "$work/outcome.csv" || failures=$((failures + 1))
done

# --- Marks and pages ---

join() { # TABLE HEADER
    echo "$2"
    for name in "${names[@]}"; do
        [ ! -e "$output/work/of/$name/$1.csv" ] || grep -vxF "$2" "$output/work/of/$name/$1.csv" || true
    done
}
join outcome folder,status,reason,points,ratio,low,high,rounds,single,flags,decided >"$tables/outcome.csv"
join sizes folder,n,own_s,base_s,ratio >"$tables/sizes.csv"
join sources folder,file,hash >"$tables/sources.csv"

measured="Measured $sandbox, in $GRADE_PRECISION, beside $GRADE_BASELINE in the same rounds, with at most "
measured+="$GRADE_TIME_S s a series of rounds. "
if [ "$GRADE_HIDDEN" = yes ]; then measured+='The sizes were not known before.'; else
    measured+='The sizes are those that everybody knows: a mark is given on others.'; fi
page() { # QUERY FORMAT [OPTION]...
    local sql=$1 format=$2
    shift 2
    query --data "$here" --set title="$GRADE_TITLE" --set base_name="$GRADE_BASELINE" --set measured="$measured" "$@" \
        --format "$format" "$here/placed.sql" "$here/$sql"
}
page marks.sql csv >"$output/marks.csv"
page equal.sql csv >"$output/equal.csv"
page class.sql lines >"$output/class.html"
for name in "${names[@]}"; do
    log=$([ ! -e "$output/work/of/$name/log" ] ||
        tail -c 6000 "$output/work/of/$name/log" | iconv -c -f UTF-8 -t UTF-8 | tr -d '\000')
    mkdir -p "$output/students/$name"
    page page.sql lines --set submission="$name" --set log="$log" >"$output/students/$name/page.html"
    page gradescope.sql lines --set submission="$name" --set log="$log" >"$output/students/$name/results.json"
done
[ "$GRADE_SANDBOX" = yes ] || tell 'the submissions ran without a sandbox, with all rights of this user'
tell "$GRADE_OUTPUT has marks.csv, class.html, equal.csv, and a page and results.json for each submission"
[ $failures -eq 0 ] || { tell "$failures could not be graded here; the same command tries them again" && exit 1; }

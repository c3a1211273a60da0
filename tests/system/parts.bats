#!/usr/bin/env bats
# A grid that is measured in parts on several machines, and the joining of their results.
# SPDX-License-Identifier: MIT
load common

grids() {
    study grids '[matmul, lu, jacobi]' <<'YAML'
grid:
  n: [24, 28, 32, 40]
  variant: [matmul/seq-ikj, matmul/omp-ikj, lu/seq-naive, jacobi/seq]
YAML
    study small <<<'grid: {n: [16, 20], variant: [seq-ijk, seq-ikj]}'
}

# part K N: measures a part into ./pK.
part() {
    "$TILELAB" run grids.yaml small.yaml --part "$1/$2" --data "p$1" >"log$1" 2>&1 || { cat "log$1"; return 1; }
}
# parts N: measures all parts, and everything on one machine into ./whole. A later test gets copies.
parts() {
    local k kept=$BATS_FILE_TMPDIR/parts$1
    grids
    if [ -d "$kept" ]; then
        cp -r "$kept/." .
        return
    fi
    for ((k = 1; k <= $1; k++)); do part "$k" "$1" || return 1; done
    "$TILELAB" run grids.yaml small.yaml --data whole >log 2>&1 || { cat log; return 1; }
    mkdir "$kept"
    cp -r p[0-9]* whole "$kept/"
}

# same FOLDER: its CSV files are those of ./whole, byte by byte.
same() {
    local file
    for file in whole/*.csv; do cmp "$file" "$1/${file#whole/}" || return 1; done
    [ "$(cd whole && ls ./*.csv)" = "$(cd "$1" && ls ./*.csv)" ]
}

# edit FOLDER STUDY COLUMN VALUE [CELL]: sets a column of results.csv, of one row or of all, and drops the journal.
edit() {
    awk -F, -v OFS=, -v column="$3" -v value="$4" -v row="${5:-}" 'NR == 1 {
        for (i = 1; i <= NF; i++) if ($i == column) at = i; else if ($i == "cell") cell = i
    } NR > 1 && (row == "" || $cell == row) { $at = value } { print }' "$1/$2.results.csv" >edited
    mv edited "$1/$2.results.csv"
    rm -f "$1/.journal/$2.journal"
}

@test "parts hold whole points, each point once, and joined they are a run on one machine" {
    parts 3
    # A point is measured by one part: no shape is in two of them.
    local k
    for k in 1 2 3; do
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            { print $at["problem"], $at["precision"], $at["n"] }' "p$k/grids.results.csv" | sort -u
    done >points
    [ "$(wc -l <points)" -eq 12 ]
    [ -z "$(sort points | uniq -d)" ]
    run -0 "$TILELAB" merge p3 p1 p2 --into all
    same all
    jq -e '.runs | map(.part) | sort == ["1/3", "2/3", "3/3"]' all/grids.run.json
    [ "$(jq .counts.ok all/grids.run.json)" = "$(jq .counts.ok whole/grids.run.json)" ]
    # The joined folder is one that a run goes on with, and has nothing to do.
    run "$TILELAB" run grids.yaml small.yaml --data all
    [[ "$output" == *"0 to measure"* ]]
    same all
}

@test "parts may be joined in any order, in steps, and again" {
    parts 3
    "$TILELAB" merge p2 --into all && return 1
    "$TILELAB" merge p3 p2 --into all && return 1
    "$TILELAB" merge p1 --into all
    same all
    "$TILELAB" merge p1 p2 p3 --into all
    same all
    cp all/.journal/grids.journal before
    "$TILELAB" merge p3 p2 p1 p1/. --into all
    cmp before all/.journal/grids.journal
}

@test "every part knows its points without the others, whatever the order of the studies" {
    grids
    part 2 5
    "$TILELAB" run small.yaml grids.yaml --part 2/5 --data other >log
    cmp p2/grids.results.csv other/grids.results.csv
    cmp p2/small.part.json other/small.part.json
    # What was measured before changes no part.
    "$TILELAB" run grids.yaml --data other >log
    "$TILELAB" run small.yaml grids.yaml --part 2/5 --data other >log
    cmp p2/grids.part.json other/grids.part.json
}

@test "more parts than points: some have nothing to measure" {
    study one <<<$'grid:\n  n: [24]\n  variant: [seq-ijk]\n'
    local k
    for k in 1 2 3; do "$TILELAB" run one.yaml --part $k/3 --data p$k; done
    run -0 "$TILELAB" merge p1 p2 p3 --into all
    [ "$(wc -l <all/one.results.csv)" -eq 2 ]
}

@test "a wrong part is refused" {
    grids
    local text
    for text in 0/3 4/3 3 1/x /3 1/ -1/3 1/99999 1/3/5; do
        run "$TILELAB" run grids.yaml --part "$text" --data p
        [ "$status" -eq 2 ] || { echo "$text: $output"; return 1; }
        [[ "$output" == *"is no part"* ]]
    done
    [ ! -e p ]
}

@test "a part without --data has a folder of its own" {
    grids
    "$TILELAB" run small.yaml --part 2/4 >log
    [ -e data/local/parts/2-of-4/small.part.json ]
    [ ! -e data/local/small.results.csv ]
    # It holds no other part.
    run -4 "$TILELAB" run small.yaml --part 1/4 --data data/local/parts/2-of-4
    [[ $output == "tilelab: data/local/parts/2-of-4 holds part 2/4 of small; --data names a folder of its own"* ]]
    "$TILELAB" status | diff - <("$TILELAB" status --data data/local/parts)
}

@test "a missing part is named, and what is there is joined" {
    parts 3
    run -1 "$TILELAB" merge p1 p3 --into all
    [[ "$output" == *"part 2 of 3 is missing: "*" cells"* ]]
    [[ "$output" != *"part 1 of 3"* && "$output" != *"part 3 of 3"* ]]
    [ "$(wc -l <all/grids.results.csv)" -gt 1 ]
    run -0 "$TILELAB" status p1 p3
    [[ "$output" == *"grids   2/3 "*"not begun"* ]]
}

@test "a part that was killed is named, goes on, and then makes the join whole" {
    parts 3
    rm -rf p2
    TILELAB_SAVE_S=0 "$TILELAB" run grids.yaml small.yaml --part 2/3 --data p2 >log 2>&1 3>&- &
    local runner=$!
    until [ "$(grep -c '' p2/.journal/grids.journal 2>/dev/null)" -ge 2 ]; do sleep 0.01; done
    kill -9 $runner
    wait $runner || :
    run -1 "$TILELAB" merge p1 p2 p3 --into all
    [[ "$output" == *"part 2 of 3"* || "$output" == *"lack"* ]]
    run "$TILELAB" status .
    [[ "$output" == *"ended early"* || "$output" == *"not begun"* ]]
    part 2 3
    run -0 "$TILELAB" merge p1 p2 p3 --into all
    same all
}

@test "a join that is killed at any moment is made whole by the same command" {
    parts 3
    local k runner
    for k in 1 2 3 4 5 6 7 8; do
        "$TILELAB" merge p1 p2 p3 --into all >log 2>&1 3>&- &
        runner=$!
        sleep "0.00$k"
        kill -9 $runner 2>/dev/null || :
        wait $runner || :
        [ $((k % 2)) -eq 0 ] || rm -rf all
    done
    "$TILELAB" merge p1 p2 p3 --into all
    same all
    [ -z "$(find all -name '*.new')" ] || "$TILELAB" list --results --data all
}

@test "a join that cannot write says why and loses nothing" {
    parts 2
    "$TILELAB" merge p1 --into all && return 1
    cp -r all before
    (
        ulimit -f 2
        run -4 "$TILELAB" merge p1 p2 --into all
        [[ "$output" == *"results cannot be kept in all: No space left on device"* ]]
    )
    diff -r before all
    "$TILELAB" merge p1 p2 --into all
    same all
}

@test "parts of another machine are refused, or become hosts" {
    parts 2
    edit p2 grids machine_hash 0123456789abcdef
    edit p2 small machine_hash 0123456789abcdef
    run -4 "$TILELAB" merge p1 p2 --into all
    [[ "$output" == *"p1 and p2 were measured with another machine"*--by-machine* ]]
    [ ! -e all ]
    run -1 "$TILELAB" merge p1 p2 --into hosts --by-machine
    [ "$(printf '%s\n' hosts/* | wc -l)" -eq 2 ]
    [ -e hosts/machine-012345-simulated/grids.results.csv ]
    # In any order, and again.
    cp -r hosts before
    "$TILELAB" merge p2 p1 --into hosts --by-machine && return 1
    diff -r -x .journal before hosts
}

@test "parts of another source are refused" {
    parts 2
    edit p2 grids source_hash 0123456789abcdef
    run -4 "$TILELAB" merge p1 p2 --into all
    [[ "$output" == *"source of "*"Nothing was changed"* ]]
    [ ! -e all ]
    # Nor are they joined one after the other.
    "$TILELAB" merge p1 --into all && return 1
    run -4 "$TILELAB" merge p2 --into all
}

@test "parts of another grid are refused" {
    parts 2
    sed -i 's/^  n: .*/  n: [24, 28]/' grids.yaml
    part 2 2
    run -4 "$TILELAB" merge p1 p2 --into all
    [[ "$output" == *"other cells of grids"* ]]
}

@test "of a part that was measured twice, the content decides, in any order" {
    parts 2
    cp -r p2 again
    local cell
    cell=$(sed -n 2p again/grids.results.csv | cut -d, -f2)
    edit again grids ci_hi_s 1 "$cell"
    run -0 "$TILELAB" merge p1 p2 again --into all
    [[ "$output" == *"1 cell was measured more than once with different results"* ]]
    same all # the narrower interval
    "$TILELAB" merge again p1 --into other
    cmp -s all/grids.results.csv other/grids.results.csv && return 1
    "$TILELAB" merge p2 --into other
    same other
    # The other result is kept.
    grep -q "$cell.*	1	" all/.journal/grids.journal
    # A result without doubts counts before one with a narrower interval, and a wrong one before all others.
    edit p2 grids flags noisy+simulated "$cell"
    "$TILELAB" merge p1 p2 again --into third
    grep "^grids,$cell,.*,1," third/grids.results.csv
    cp -r p2 wrong
    edit wrong grids status wrong "$cell"
    "$TILELAB" merge p1 wrong p2 again --into fourth
    grep "^grids,$cell,.*,wrong," fourth/grids.results.csv
}

@test "physical machines get numbers by their marks, in any order" {
    parts 2
    # This machine has a mark of its own, which would take a number too.
    local study
    for study in grids small; do
        [ ! -e p1/$study.results.csv ] || edit p1 $study machine_mark bbbbbbbb
        [ ! -e p2/$study.results.csv ] || edit p2 $study machine_mark aaaaaaaa
    done
    "$TILELAB" merge p1 p2 --into all
    "$TILELAB" merge p1 --into other && return 1
    "$TILELAB" merge p2 --into other
    cmp all/grids.results.csv other/grids.results.csv
    run "$BATS_TEST_DIRNAME/../column" machine_number all/grids.results.csv
    [ "$(awk '{ print $NF }' <<<"$output" | sort -u | xargs)" = "1 2" ]
}

@test "the joined folder must not be one of the parts, and a folder that is not there is told" {
    parts 2
    run -2 "$TILELAB" merge p1 p2 --into p1/.
    run -2 "$TILELAB" merge p1 nothing --into all
    [[ "$output" == *nothing* ]]
    run -2 "$TILELAB" merge p1
    [ ! -e all ]
}

@test "a folder that is named in several ways is joined once" {
    parts 2
    run -0 "$TILELAB" merge ./p2 p1 p2 ././p1 --into all
    [[ "$output" == *': 2 folders joined in all'* ]]
}

@test "a run record that is no map, or whose runs are none, does not end the join" {
    parts 2
    jq '.runs = [1, "x", null]' p1/grids.run.json >record
    mv record p1/grids.run.json
    echo '[1, 2]' >p2/grids.run.json
    "$TILELAB" merge p1 p2 --into all
    jq -e '.variants | length > 0' all/grids.run.json
}

@test "two runs of one part: the lock decides, and the second one may wait" {
    grids
    mkdir -p p1/.journal
    # A run that holds the folder.
    exec 9>p1/.journal/grids.journal
    flock 9
    run -4 "$TILELAB" run grids.yaml --part 1/2 --data p1
    says "another run holds" "wait until it ends, as run --wait does"
    "$TILELAB" status p1
    "$TILELAB" run grids.yaml --part 1/2 --data p1 --wait >log 2>&1 9>&- 3>&- &
    local runner=$!
    until grep -q 'waiting for another run' log; do sleep 0.02; done
    exec 9>&-
    wait $runner
    [ -s p1/grids.results.csv ]
}

# injected FAULT COMMAND...: lets a call of the C library fail, see tests/inject.c.
injected() {
    local inject=$root/${BUILD:-build}/tests/inject.so fault=$1
    shift
    [ -e "$inject" ] || skip 'the library that lets calls fail is not built'
    head -c 4096 /dev/zero >state
    run env LD_PRELOAD="$inject" INJECT="$fault" INJECT_STATE="$PWD/state" "$@"
}

@test "a medium without locks is refused with the reason" {
    grids
    local error
    for error in 37 38 95; do # ENOLCK, ENOSYS, EOPNOTSUPP
        injected "flock:1:$error:runner:a" "$TILELAB" run grids.yaml --part 1/2 --data p1
        [ "$status" -eq 4 ] || { echo "$error: $output"; return 1; }
        [[ "$output" == *"this medium has no locks"* ]] || { echo "$error: $output"; return 1; }
        [ ! -e p1/grids.results.csv ]
    done
}

@test "a join in which calls fail says why, loses nothing, and is made whole by the same command" {
    parts 2
    local call nth
    for call in open read pread write fsync rename flock fopen fflush mkdir; do
        for nth in 1 3 9; do
            injected "$call:$nth:28:helper:a" "$TILELAB" merge p1 p2 --into all
            case $status in
            0) ;; # the call was not made so often
            1 | 2 | 4 | 5) [ -n "$output" ] ;;
            *) echo "$call $nth: $status $output"; return 1 ;;
            esac
        done
    done
    "$TILELAB" merge p1 p2 --into all
    same all
    rm -rf all
    "$TILELAB" merge p1 p2 --into all
    same all
}

@test "merge tells of files that somebody changed after their run" {
    tiny
    measure tiny.yaml
    mkdir class
    cp -r data class/honest
    cp -r data class/clever
    sed -i '2s/,ok,/,ok,faster than it was/' class/clever/tiny.results.csv
    run -0 "$TILELAB" merge class/honest --into hosts --by-folder
    [[ "$output" != *warning* ]]
    run -0 "$TILELAB" merge class/* --into hosts --by-folder
    grep -q '^warning: class/clever/tiny.results.csv is not the file' <<<"$output"
    [ "$(grep -c warning <<<"$output")" -eq 1 ]
}

@test "merge tells of folders that hold no results, and joins the others" {
    tiny
    measure tiny.yaml
    mkdir -p class/anna/data class/boris/data/local
    mv data class/anna/data/local
    run -2 "$TILELAB" merge class/* --into hosts --by-folder
    [[ "$output" == 'warning: class/anna holds no results; are they in its folder data/local?'* ]]
    [[ "$output" == *$'warning: class/boris holds no results; are'*$'\ntilelab: there is nothing to join' ]]
    [ ! -e hosts ]
    run -0 "$TILELAB" merge class/*/data/local --into hosts --by-folder
    [[ "$output" == $'warning: class/boris/data/local holds no results\n'*'joined in hosts/anna' ]]
    [ "$(ls hosts)" = anna ]
}

@test "show and the report tell of files that somebody changed after their run" {
    tiny
    measure tiny.yaml
    show() { run -0 --separate-stderr "$TILELAB" show tiny --data "${1:-data}"; }
    show
    [ -z "$stderr" ]
    run -0 said changed-files
    [ -z "$output" ]
    sed -i '2s/,ok,/,ok,faster than it was/' data/tiny.results.csv
    sed -i '$d' data/tiny.samples.csv
    show
    [[ "$stderr" == 'warning: data/tiny.results.csv is not the file'*$'\n''warning: data/tiny.samples.csv is not'* ]]
    run -0 said changed-files
    [[ "$output" == *'files=tiny.results.csv, tiny.samples.csv'*'count=2'* ]]
    # A run writes both files from its journal, and tells so.
    run -0 --separate-stderr "$TILELAB" run tiny.yaml --profile quick --data data
    [[ "$stderr" == *'tiny.samples.csv is not the file'* ]]
    [[ "$stderr" == *$'\n  The results of the journal take the place of changed rows.' ]]
    show
    [ -z "$stderr" ]
}

@test "rows of a changed file that the journal lacks are results, which stay in doubt until they are measured again" {
    tiny
    measure tiny.yaml
    rm -r data/.journal
    sed -i '2s/,ok,/,ok,faster than it was/' data/tiny.results.csv
    cp -r data handed-in
    quick() { run -0 --separate-stderr "$TILELAB" run tiny.yaml --profile quick --data data "$@"; }
    in_doubt() {
        run -0 --separate-stderr "$TILELAB" show tiny --data "$1"
        [[ "$stderr" == "warning: $1/tiny.results.csv has rows of a file that was changed after its run"* ]] ||
            { echo "$stderr"; return 1; }
        [ "$(wc -l <<<"$stderr")" -eq 1 ]
    }
    quick
    [[ "$stderr" == *'tiny.results.csv is not the file'*'Their rows count as results'*'--again measures them anew.' ]]
    grep -q 'faster than it was' data/tiny.results.csv
    # A run that adds cells tells of the others still.
    sed -i 's/72\]/72, 80]/' tiny.yaml
    quick
    [[ "$stderr" == *'option --again'* && "$stderr" != *'take the place'* ]] || { echo "$stderr"; return 1; }
    in_doubt data
    run -0 said changed-files
    [[ "$output" == *'files=tiny.results.csv'*'count=1'* ]]
    # So does a host that they were merged into.
    "$TILELAB" merge handed-in --into joined
    in_doubt joined
    quick --again
    quick
    [ -z "$stderr" ]
    ! grep -q 'faster than it was' data/tiny.results.csv
}

@test "what the program itself does to results changes no file behind its run record" {
    unchanged() {
        run -0 --separate-stderr "$TILELAB" show tiny --data "$1"
        [ -z "$stderr" ]
    }
    tiny
    measure tiny.yaml
    "$TILELAB" run tiny.yaml --profile quick --again --data data
    "$TILELAB" prune --superseded --generations --yes --data data
    unchanged data
    "$TILELAB" run tiny.yaml --profile quick --set n=96 --data data
    unchanged data
    "$TILELAB" merge data --into joined
    unchanged joined
    # A run that is interrupted, and one that goes on.
    sed -i 's/72\]/72, 700]/' tiny.yaml
    run timeout --preserve-status -s INT 0.5 "$TILELAB" run tiny.yaml --profile full --data data
    unchanged data
    "$TILELAB" run tiny.yaml --profile full --data data
    unchanged data
}

@test "the folders of a class become hosts, and a report names them" {
    tiny
    local k
    measure tiny.yaml
    for ((k = 1; k <= 30; k++)); do
        mkdir -p "class/student$k"
        cp -r data "class/student$k/data"
        # Each student has a machine of another kind.
        edit "class/student$k/data" tiny machine_hash "$(printf '%016x' $k)"
    done
    run -0 "$TILELAB" merge class/*/data --into hosts --by-folder
    [ "$(printf '%s\n' hosts/* | wc -l)" -eq 30 ]
    cmp hosts/student7/tiny.results.csv class/student7/data/tiny.results.csv
    run -0 "$TILELAB" compare hosts/student1 hosts/student2 hosts/student30
    # The report counts machines of one kind, and has a row for each host.
    mkdir nothing
    local names=() options=(--data nothing --published "$root/data/published" --format tsv --set studies=)
    for ((k = 1; k <= 30; k++)); do
        names+=("student$k")
        options+=(--data "hosts/student$k")
    done
    options+=(--set "hosts=${names[*]}")
    run -0 "$TILELAB" query "${options[@]}" "$root"/report/{chosen,testbed,testbed-class}.sql
    [ "$(grep -c ^student <<<"$output")" -eq 30 ]
    run -0 "$TILELAB" query "${options[@]}" "$root"/report/{chosen,titlepage}.sql
    [[ "$output" == *$'\t30 × '* ]]
    # Two folders of one name are no host.
    mkdir -p other
    cp -r class/student7 other/student7
    run -4 "$TILELAB" merge class/student7/data other/student7/data --into twice --by-folder
    [[ "$output" == *"as another folder"* ]]
}

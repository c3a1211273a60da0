#!/usr/bin/env bats
# The command line: subcommands, exit codes, and where output goes.
# SPDX-License-Identifier: MIT
load common

@test "a subcommand or an option that is missing or unknown gives exit code 2" {
    run -2 "$TILELAB"
    says run plan
    run -2 "$TILELAB" rnu
    tiny
    run -2 "$TILELAB" run tiny.yaml --quik
    says --quik
}

@test "--help and --version succeed" {
    run -0 "$TILELAB" --help
    [[ "$output" == *doctor* ]]
    run -0 "$TILELAB" --version
    [[ "$output" == *"$(sed -n 's/^version: //p' "$root/CITATION.cff")"* ]]
}

@test "every subcommand has help of one style, behind -h and --help" {
    local subcommand
    for subcommand in $("$TILELAB" --help | sed -nE 's/^  ([a-z]+) .*/\1/p'); do
        "$TILELAB" "$subcommand" --help >long.txt
        "$TILELAB" "$subcommand" -h | diff long.txt -
        [[ "$(head -n 1 long.txt)" == "Usage: tilelab $subcommand"* ]] ||
            { echo "$subcommand: $(head -n 1 long.txt)"; return 1; }
        grep -qE '^  -h, --help +print this text$' long.txt || { echo "$subcommand lacks -h"; return 1; }
    done
    "$TILELAB" run experiment.yaml -h | grep -q '^Usage: tilelab run '
    [ "$("$TILELAB" -h)" = "$("$TILELAB" --help)" ]
    [ "$("$TILELAB" -V)" = "$("$TILELAB" --version)" ]
}

@test "list names every variant but those of the runner's own tests" {
    run -0 "$TILELAB" list
    local name
    for name in $("$root/tools/registry" | awk '$3 == "matmul" && $1 != "BLAS" { print $3 "/" $4 }' | tr _ -); do
        [[ "$output" == *"${name#*/}"* ]] || { echo "$name is not listed"; return 1; }
    done
    [[ "$output" == *blas-openblas* ]]
    [[ "$output" != *cpu-crash* ]]
}

@test "doctor ends well and names what it looked for" {
    run -0 "$TILELAB" doctor
    [[ "$output" == *openblas* ]]
    mkdir bin
    PATH=$PWD/bin run -0 "$TILELAB" doctor
    [[ "$output" == *'bwrap  '*'costs: only the sandbox of '*' (optional)'* ]]
}

@test "the program needs no later C library than 2.34 and few others" {
    case $(ldd --version | head -n 1) in *2.3[4-6]) ;; *) skip "built against a later C library" ;; esac
    [ "$(uname -m)" = x86_64 ] || skip "of x86-64 programs"
    run bash -c "objdump -T '$TILELAB' | grep -oE 'GLIBC_2\.[0-9]+' | sort -uV | tail -n 1"
    [ "$(printf '%s\nGLIBC_2.34\n' "$output" | sort -V | tail -n 1)" = GLIBC_2.34 ]
    run bash -c "objdump -p '$TILELAB' | sed -n 's/ *NEEDED *//p' | grep -vE '^(libc|libm|libgomp|ld-linux.*)\.so'"
    [ -z "$output" ]
}

@test "the program runs in a root that has only the C library" {
    [ "$(id -u)" -eq 0 ] || skip "only root may change the root"
    local beside root="$BATS_TEST_TMPDIR/root"
    beside=$(dirname "$(realpath "$TILELAB")")
    mkdir -p "$root/opt/tilelab" "$root/proc" "$root/tmp"
    cp "$TILELAB" "$beside"/lib*omp*.so* "$root/opt/tilelab"
    # The loader finds these in its own folders, as in a bare system; ldd names them.
    while read -r library; do
        mkdir -p "$root$(dirname "$library")"
        cp -L "$library" "$root$library"
    done < <(ldd "$TILELAB" | grep -v omp | grep -oE '/[^ ]+')
    # In a chroot, whose root is no mount point, unshare cannot keep the mount to itself. So it is undone.
    # shellcheck disable=SC2016 # the inner shell expands $1
    run unshare --mount --propagation unchanged sh -c 'mount --make-rprivate / 2>/dev/null
        mount -t proc none "$1/proc" || exit
        chroot "$1" /opt/tilelab/tilelab verify matmul/omp-ikj --sizes 33
        status=$?
        umount "$1/proc"
        exit $status' sh "$root"
    [[ "$output" != *"mount: "* ]] || skip "no folder can be mounted here"
    [ "$status" -eq 0 ]
    [[ "$output" == *"ok variant=matmul/omp-ikj"* ]]
}

@test "verify takes more threads than there are cores" {
    run -0 "$TILELAB" verify 'lu/omp-blocked' --sizes 33 --tiles 8 --threads 9
    [[ "$output" == *"ok variant=lu/omp-blocked "*" threads=9"* ]]
    # OpenMP tells each thread that it starts.
    run -0 env OMP_DISPLAY_AFFINITY=TRUE "$TILELAB" verify 'matmul/omp-ikj' --sizes 33 --threads 9
    [ "$(grep -o 'affinity' <<<"$output" | wc -l)" -eq 9 ]
    run -2 "$TILELAB" verify 'lu/omp-blocked' --threads 0
}

@test "verify checks variants with inputs that are hard for them" {
    run -0 "$TILELAB" verify 'matmul/omp-packed' --sizes 1,33 --inputs integers,graded,denormals,nonfinite
    [[ "$output" == *"ok variant=matmul/omp-packed precision=f64"* ]]
    run -0 "$TILELAB" verify 'lu/omp-recursive-pivot' --sizes 1,33 --inputs graded,ties
    [[ "$output" == *"ok variant=lu/omp-recursive-pivot precision=f64"* ]]
    run "$TILELAB" verify 'lu/seq-naive' --sizes 7 --inputs ties
    [[ "$output" == *"has no such inputs"* ]]
    run -2 "$TILELAB" verify 'matmul/seq-ijk' --inputs random,huge
    [[ "$output" == *"huge"*"nonfinite"*"ties"* ]]
}

# last_command: the command that the last output gives to go on.
last_command() {
    [[ "$output" == *"To go on:"* ]] || return 1
    sed -n '/To go on:$/{n;p;}' <<<"$output"
}

@test "a budget that leaves cells says how many, how long they take, and the command that goes on" {
    study large <<<'grid: {n: [64, 3000], variant: [seq-ijk, seq-ikj]}'
    mkdir 'my data' "it's here"
    cp large.yaml "it's here/"
    run -0 "$TILELAB" run "it's here/large.yaml" --budget 3s --data "my data"
    [[ "$output" == *"2 cells are left, about "* ]]
    [ "$(last_command)" = "  $TILELAB run 'it'\''s here/large.yaml' --budget 3s --data 'my data'" ]
    run -0 bash -c "$(last_command)"
    [[ "$output" == *"2 finished"*"2 cells are left"*"more than was left"* ]]
    # No cell fits into the budget, so that the command has none.
    [ "$(last_command)" = "  $TILELAB run 'it'\''s here/large.yaml' --data 'my data'" ]
    [ "$(column status 'my data/large.results.csv' | sort | uniq -c | tr -s ' \n' ' ')" = " 2 ok 2 skipped " ]
}

@test "the command that goes on is the one of the program that was called: of make, for example" {
    study large <<'YAML'
grid: {n: [3000], variant: [seq-ijk]}
YAML
    TILELAB_TYPED='make  report EXPS=large\ tiny DATA=a\\b ARGS=--again\ --retry' \
        run "$TILELAB" run large.yaml --budget 1s --data data --again --retry
    [ "$(last_command)" = "  make report 'EXPS=large tiny' 'DATA=a\\b' ARGS=--retry" ]
}

@test "columns of one name stay apart in the blocks of hosts" {
    echo 'SELECT :host AS "Host", 1 AS "waves", 2 AS "waves";' >waves.sql
    run -0 "$TILELAB" query --data "$root/data/h200" --published "$root/data/published" --block a=h200 --block b=h200 \
        --format csv waves.sql
    [ "$output" = $'Host,waves,waves\na,1,2\nb,1,2' ]
}

@test "a file of SQL runs behind the files that it needs, each of them once" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p sql/below
    echo 'CREATE TEMP TABLE a AS SELECT 1 AS x;' >sql/a.sql
    printf '%s\n' '-- One more.' '-- needs: a.sql' 'CREATE TEMP TABLE b AS SELECT x + 1 AS x FROM a;' >sql/b.sql
    printf '%s\n' '-- needs: ../a.sql ../b.sql' 'SELECT a.x, b.x FROM a, b;' >sql/below/c.sql
    run -0 "$TILELAB" query --data "$root/report" --format lines "$PWD/sql/b.sql" sql/below/c.sql
    [ "$output" = $'1\t2' ]
    run -0 "$TILELAB" query --data "$root/report" --format lines sql/b.sql - \
        < <(printf '%s\n' '-- needs: sql/b.sql' 'SELECT x FROM b;')
    [ "$output" = 2 ]
    echo '-- needs: nothing.sql' >sql/a.sql
    run -2 "$TILELAB" query --data "$root/report" sql/below/c.sql
    [ "$output" = 'sql/nothing.sql: error: No such file or directory' ]
    echo '-- needs: a.sql' >sql/a.sql
    run -2 "$TILELAB" query --data "$root/report" sql/below/c.sql
    [ "$output" = 'sql/a.sql: error: the file needs itself' ]
}

@test "verify refuses numbers with signs, blanks or units, and numbers that no product of sizes can hold" {
    local option
    for option in --sizes=+5 '--sizes= 5' '--sizes=5,' --sizes=9223372036854775807 --threads=2x --team-size=2x; do
        run "$TILELAB" verify matmul/seq-ijk "$option"
        [ "$status" -eq 2 ] || { echo "$option: $output"; return 1; }
    done
}

@test "every study of the project is well-formed in all its profiles" {
    run -0 "$TILELAB" check "$root"/experiments/*.yaml
}

#!/usr/bin/env bats
# The container: how its image is built, and what its entry point refuses. No test needs a container engine.
# SPDX-License-Identifier: MIT
load common

# simulate PROGRAM <SCRIPT: a program that comes first in PATH.
simulate() {
    mkdir -p bin
    program "bin/$1"
    PATH=$PWD/bin:$PATH
}

@test "the base of the image is pinned by its digest" {
    grep -qE '^ARG BASE=debian:bookworm-[0-9]{8}-slim@sha256:[0-9a-f]{64}$' "$root/Dockerfile"
    grep -q '^ENTRYPOINT \["/usr/local/bin/tilelab-entrypoint"\]$' "$root/Dockerfile"
    # The kernels are compiled before the experiment files and the texts are copied.
    run -0 awk '/^COPY \. \.$/ { print "all" } /make build/ { print "build" }' "$root/Dockerfile"
    [ "$output" = $'build\nall\nbuild' ]
}

@test "what the image compiles first is all that the build needs" {
    local words word to
    mkdir tree
    while read -r _ words; do
        # The last word is the place in the image; globs are expanded in the tree.
        read -r -a words <<<"$words"
        to=$PWD/tree/${words[-1]}
        mkdir -p "$to"
        (cd "$root" && for word in "${words[@]::${#words[@]}-1}"; do
            # shellcheck disable=SC2086
            if [ -d $word ]; then cp -r $word/. "$to"; else cp $word "$to"; fi
        done)
    done < <(sed '/make build/,$d' "$root/Dockerfile" | grep '^COPY')
    [ ! -e tree/experiments ]
    run -0 env -u MAKEFLAGS "${MAKE:-make}" -n -C tree NVCC= build
}

@test "make image labels the image, and tells its size and how long it took" {
    simulate docker <<<"printf '%s\n' \"\$*\" >>'$PWD/calls'; [[ \$* != *inspect* ]] || echo 1234567890"
    run -0 "$root/tools/image" --build-arg BASE=other
    [[ ${lines[-1]} =~ ^'IMAGE    tilelab: 1.3GB, built in '[0-9]+' s'$ ]]
    grep -q -- "^build .*image.version=$(sed -n 's/^version: //p' "$root/CITATION.cff")" calls
    [ ! -e "$root/.git" ] || grep -q -- "^build .*image.revision=$(git -C "$root" rev-parse HEAD) " calls
    grep -q -- '-t tilelab --build-arg BASE=other \.$' calls
    [[ $(cat calls) != *'image.source= '* ]]
    ENGINE=no-such-engine run -1 "$root/tools/image"
    [[ $output == *'no-such-engine runs here'* ]]
}

@test "a container without a mounted folder refuses to measure, and does everything else" {
    simulate findmnt <<<'echo /'
    simulate id <<<'echo 1000'
    for command in 'make report' 'make run EXP=smoke' 'tilelab run my.yaml' 'tilelab report my.yaml'; do
        # shellcheck disable=SC2086
        run -2 "$root/tools/docker-entrypoint" $command
        [[ $output == *'nothing of yours is mounted at '*'docker run --rm -v '*" tilelab $command"* ]]
    done
    # shellcheck disable=SC2016 # the programs expand it
    local did='echo "did $0 $*"'
    simulate make <<<"$did"
    simulate tilelab <<<"$did"
    for command in 'tilelab list' 'tilelab report --help' 'make list'; do
        # shellcheck disable=SC2086
        run -0 "$root/tools/docker-entrypoint" $command
        [[ $output == did*"$command" ]]
    done
    KEEP_INSIDE=yes run -0 "$root/tools/docker-entrypoint" make report
    [[ $output == did*'make report' ]]
    simulate findmnt <<<'echo /out'
    run -0 "$root/tools/docker-entrypoint" make report
    [[ $output == did*'make report' ]]
}

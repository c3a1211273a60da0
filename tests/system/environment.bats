#!/usr/bin/env bats
# What a machine lacks and what a user does: no disk space, no library, no GPU, settings of the environment, Ctrl-C.
# SPDX-License-Identifier: MIT
load common

@test "a data folder that cannot be written: exit code 4 before anything is measured" {
    tiny
    : >occupied
    run -4 "$TILELAB" run tiny.yaml --profile quick --data occupied/data
    [[ "$output" == *occupied* ]]
    [ "$(id -u)" -ne 0 ] || return 0
    chmod a-w data
    measure tiny.yaml
    chmod u+w data
    [ "$status" -eq 4 ]
}

@test "standard files that are closed, full or without a reader: the results of an undisturbed run" {
    tiny
    measure -0 tiny.yaml
    same() {
        diff -r data "$1" -x .journal -x tiny.run.json && head -c 64 "$1/.journal/tiny.journal" | cmp - first &&
            ! tail -n +2 "$1/.journal/tiny.journal" | grep -qvE $'^[0-9a-f]{8}\t'
    }
    head -c 64 data/.journal/tiny.journal >first
    "$TILELAB" run tiny.yaml --profile quick --data closed <&- >&- 2>&-
    same closed
    "$TILELAB" run tiny.yaml --profile quick --data mute >&-
    same mute
    "$TILELAB" run tiny.yaml --profile quick --data untold 2>&-
    same untold
    local status=0
    "$TILELAB" run tiny.yaml --profile quick --data pipe 2>/dev/null | true
    status=${PIPESTATUS[0]}
    [ "$status" -eq 0 ] || [ "$status" -eq 5 ]
    same pipe
    [ -w /dev/full ] || return 0
    run -5 bash -c "'$TILELAB' run tiny.yaml --profile quick --data full >/dev/full"
    same full
    run -0 bash -c "'$TILELAB' run tiny.yaml --profile quick --data errors 2>/dev/full"
    same errors
    run -5 bash -c "'$TILELAB' list >/dev/full"
    [[ $output == *"standard output could not be written"* ]]
}

@test "a library that hangs while it is loaded does not keep Ctrl-C from ending the run" {
    echo '#include <unistd.h>
        __attribute__((constructor)) static void hang(void) { for (;;) pause(); }' >hang.c
    cc -shared -fPIC hang.c -o libhang.so
    study hang <<<'grid: {n: [8], variant: [seq-ikj, blas-*]}'
    for delay in 0.2 1; do
        local start=$SECONDS
        TILELAB_BLAS=hang=$PWD/libhang.so run timeout --preserve-status -k 50 -s INT $delay "$TILELAB" run hang.yaml \
            --profile quick --data data
        [ "$status" -eq 130 ] || { echo "$status: $output"; return 1; }
        [ $((SECONDS - start)) -lt 30 ]
    done
}

@test "the end of the terminal ends a run, unless nohup has it ignored" {
    study slow <<<'grid: {n: {from: 8, to: 800, step: 8}, variant: [seq-*]}'
    run timeout --preserve-status -s HUP 1 "$TILELAB" run slow.yaml --profile quick --data data
    [ "$status" -eq 130 ] || { echo "$status: $output"; return 1; }
    tiny
    (trap '' HUP && exec "$TILELAB" run tiny.yaml --profile quick --data data) >log 2>&1 &
    local runner=$!
    for _ in $(seq 20); do ! kill -HUP $runner 2>/dev/null || sleep 0.01; done
    wait $runner || { cat log; return 1; }
}

@test "threads that cannot be made are no fault of a variant, which is measured once they can" {
    study threads <<<'grid: {n: [8], variant: [seq-ikj, omp-ikj], threads: {for: omp-ikj, values: all}}'
    [ "$(nproc)" -ge 2 ] || skip "one core"
    OMP_STACKSIZE=100000G run "$TILELAB" run threads.yaml --profile quick --data data
    [ "$status" -eq 1 ] || { echo "$status: $output"; return 1; }
    column variant,status,reason data/threads.results.csv >rows
    grep -qE '^matmul/omp-ikj skipped .*[Tt]hread' rows || { cat rows; return 1; }
    measure -0 threads.yaml
    column variant,status data/threads.results.csv | grep -q '^matmul/omp-ikj ok'
}

@test "no BLAS: rows that say so, and exit code 0" {
    study blas <<<'grid: {n: [8], variant: [seq-ijk, blas-*]}'
    TILELAB_BLAS=ghost=/nowhere/libghost.so run -0 "$TILELAB" run blas.yaml --profile quick --data data
    column variant,status,reason data/blas.results.csv | grep -q '^matmul/blas-ghost skipped .*libghost'
    column variant,status data/blas.results.csv | grep -q '^matmul/seq-ijk ok'
}

@test "more threads than cores, and more memory than there is: rows with the reason" {
    study big <<'YAML'
grid:
  n: [8, 2000000]
  variant: [omp-ijk]
  threads: [1, 4096]
YAML
    measure -0 big.yaml
    column variant,n,threads,status,reason data/big.results.csv | grep -q '^matmul/omp-ijk 8 1 ok'
    column variant,n,threads,status,reason data/big.results.csv |
        grep -qE '^matmul/omp-ijk 8 4096 skipped .*(core|thread|quota)'
    column variant,n,threads,status,reason data/big.results.csv | grep -qE '^matmul/omp-ijk 2000000 1 skipped .*memory'
}

# without_settings: unsets what the user of this machine has set for libraries.
without_settings() {
    local name families='OMP|GOMP|KMP|OPENBLAS|GOTO|BLIS|MKL|NVPL|AOCL|CUDA_VIS|NCCL|MALLOC|GLIBC|LD'
    for name in $(compgen -e | grep -E "^($families)"); do
        unset "$name"
    done
}

# spy: has every worker of a test write its environment into the file `seen`.
spy() {
    command -v cc >/dev/null || skip 'no compiler'
    cat >spy.c <<'C'
#include <stdio.h>
#include <string.h>
extern char **environ;
__attribute__((constructor)) static void tell(void)
{
    char line[64] = "";
    FILE *file = fopen("/proc/self/cmdline", "r");
    if (!file || fread(line, 1, sizeof line - 1, file) < 15 || strcmp(line + strlen(line) + 1, "worker") != 0)
        return;
    fclose(file);
    file = fopen("seen", "w");
    for (char **at = environ; file && *at; at++)
        fprintf(file, "%s\n", *at);
    if (file)
        fclose(file);
}
C
    cc -shared -fPIC -o spy.so spy.c
}

@test "a worker gets no code of a user, and no variable that the cell or the runner decides itself" {
    spy
    without_settings
    tiny
    set_here() {
        env LD_PRELOAD="$PWD/spy.so" NVIDIA_TF32_OVERRIDE=1 CUBLAS_EMULATE_DOUBLE_PRECISION=1 CUDA_LAUNCH_BLOCKING=1 \
            OMP_NUM_THREADS=77 MKL_NUM_THREADS=77 BLIS_JC_NT=7 OPENBLAS_NUM_THREADS=77 GOMP_CPU_AFFINITY=0 \
            CUDA_VISIBLE_DEVICES=3 CUDA_CACHE_PATH=/tmp NVIDIA_VISIBLE_DEVICES=all LD_LIBRARY_PATH=/nowhere \
            BLIS_ARCH_TYPE=1 OMP_STACKSIZE=9M "$@"
    }
    run -0 set_here "$TILELAB" run tiny.yaml --profile quick --data data
    [ ! -e seen ]
    run -0 set_here TILELAB_TEST=1 "$TILELAB" run tiny.yaml --profile quick --data test
    [ -s seen ]
    run -1 grep -E "^(NVIDIA_TF32|CUBLAS|CUDA_LAUNCH|OMP_NUM|MKL_NUM|BLIS_JC|OPENBLAS|GOMP)" seen
    [ "$(grep -cE '^(LD_PRELOAD|CUDA_VISIBLE|CUDA_CACHE|NVIDIA_VIS|LD_LIB|BLIS_ARCH|OMP_STACKSIZE)' seen)" -eq 7 ]
    [ "$(jq -r '.environment | keys | join(" ")' data/tiny.run.json)" = \
        'BLIS_ARCH_TYPE CUDA_VISIBLE_DEVICES LD_PRELOAD OMP_STACKSIZE' ]
}

@test "a variable that decides results is told, and results are measured again under another value" {
    without_settings
    tiny
    run -0 env GLIBC_TUNABLES=glibc.malloc.arena_max=3 "$TILELAB" run tiny.yaml --profile quick --data data
    [ "$(jq -r .environment.GLIBC_TUNABLES data/tiny.run.json)" = glibc.malloc.arena_max=3 ]
    run -0 env GLIBC_TUNABLES=glibc.malloc.arena_max=3 "$TILELAB" run tiny.yaml --profile quick --data data
    [[ $output == *' 0 to measure'* ]]
    run -0 "$TILELAB" run tiny.yaml --profile quick --data data
    [[ $output == *'library changed'* ]]
    [ "$(jq -c .environment data/tiny.run.json)" = '{}' ]
    # What decides the results of a BLAS or of a device says nothing of a kernel in C.
    run -0 env MKL_CBWR=AVX2 CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=50 NCCL_ALGO=Ring "$TILELAB" run tiny.yaml \
        --profile quick --data data
    [[ $output == *' 0 to measure'* ]]
}

@test "a limit of OpenMP's threads: variants are right on fewer than they asked for" {
    OMP_THREAD_LIMIT=1 run -0 timeout 120 "$TILELAB" verify 'omp*' --sizes 150
    [[ $output == *'ok variant=lu/omp-recursive-pivot '* ]]
    [[ $output != *$'\nwrong '* && $output != *$'\nfailed '* ]]
}

@test "a link under the name of a temporary file is not followed" {
    tiny
    mkdir -p data/.journal
    echo precious >kept
    for name in .tiny.results.csv.new .tiny.samples.csv.new .tiny.run.json.new; do ln -s ../kept data/$name; done
    run -0 "$TILELAB" run tiny.yaml --profile quick --data data
    [ "$(cat kept)" = precious ]
    [ -z "$(find data -type l)" ]
}

@test "a journal that is a link, a pipe or a folder is refused, and what a link names stays as it is" {
    tiny
    mkdir -p data/.journal
    printf 'precious, without a line feed' >kept
    cp kept before
    ln -s ../../kept data/.journal/tiny.journal
    run -4 timeout 60 "$TILELAB" run tiny.yaml --profile quick --data data
    [[ $output == *"data/.journal/tiny.journal: this is a symbolic link that is not followed; remove this file"* ]]
    run timeout 60 "$TILELAB" show tiny --data data
    [ $status -ne 0 ] && [ $status -lt 124 ]
    cmp kept before
    rm data/.journal/tiny.journal
    mkfifo data/.journal/tiny.journal
    run -4 timeout 60 "$TILELAB" run tiny.yaml --profile quick --data data
    [[ $output == *"data/.journal/tiny.journal: this is no regular file; remove this file"* ]]
    rm data/.journal/tiny.journal
    mkdir data/.journal/tiny.journal
    run -4 timeout 60 "$TILELAB" run tiny.yaml --profile quick --data data
    [[ $output == *"data/.journal/tiny.journal: this is no regular file; remove this file"* ]]
    rmdir data/.journal/tiny.journal
    run -0 timeout 60 "$TILELAB" run tiny.yaml --profile quick --data data
    rm data/tiny.results.csv data/tiny.samples.csv
    ln -s ../kept data/tiny.results.csv
    mkfifo data/tiny.samples.csv
    run -0 timeout 60 "$TILELAB" run tiny.yaml --profile quick --data data
    [ -f data/tiny.results.csv ] && [ ! -L data/tiny.results.csv ] && [ -f data/tiny.samples.csv ]
    cmp kept before
}

@test "no subcommand is content when its help cannot be written" {
    [ -w /dev/full ] || skip "no /dev/full"
    for subcommand in $("$TILELAB" --help | sed -n 's/^  \([a-z]*\) .*/\1/p') query; do
        run -5 bash -c "'$TILELAB' $subcommand --help >/dev/full"
    done
    echo 'SELECT 1;' >one.sql
    mkdir published
    run -5 bash -c "'$TILELAB' query --published published --data . one.sql >/dev/full"
}

@test "a library that is a device without an end, or a pipe, is told and not read for ever" {
    mkfifo pipe
    for file in /dev/zero "$PWD/pipe"; do
        run -0 env "TILELAB_BLAS=openblas=$file" timeout 60 "$TILELAB" doctor
        [[ $output == *"TILELAB_BLAS names $file for openblas: this is no regular file"* ]]
        run -0 env "TILELAB_BLAS=openblas=$file" timeout 60 "$TILELAB" verify matmul/blas-openblas --sizes 8
        [[ $output == *"this is no regular file"* ]]
    done
}

@test "more exclusions than a page of text has are refused" {
    tiny
    { cat tiny.yaml; printf 'exclude: ['; printf ' {n: %d},\n' {100..1200}; echo ' {n: 5000}]'; } >bad.yaml
    run -2 timeout 60 "$TILELAB" check bad.yaml
    [[ $output == *'more than 1000 exclusions'* ]]
}

@test "a stack or data that are limited too much end with a line, and a limit that may be raised is raised" {
    tiny
    run -2 bash -c "ulimit -s 64; '$TILELAB' run tiny.yaml --data data"
    [ "$output" = 'tilelab: the stack is limited to 64 kB, and at least 1024 kB are needed; raise the limit: '\
'ulimit -s 1024' ]
    run -0 bash -c "ulimit -S -s 64; '$TILELAB' run tiny.yaml --data data"
    run -0 bash -c "ulimit -S -s 64; '$TILELAB' verify matmul/omp-ikj --sizes 33"
    # The system itself refuses to start a program whose own data exceed the limit.
    run -2 bash -c "ulimit -d 4000; '$TILELAB' run tiny.yaml --data data"
    [ "$output" = 'tilelab: data are limited to 4000 kB, and at least 16384 kB are needed; raise the limit: '\
'ulimit -d 16384' ]
}

@test "what is given to make stays one word of the shell" {
    run -0 make -n -s -C "$BATS_TEST_DIRNAME/../.." run EXP=smoke NVCC= "DATA=a'b; touch c" 'BUDGET=1m; touch d'
    [[ $output == *"--data 'a'\\''b; touch c'"*"--budget '1m; touch d'"* ]]
}

@test "the folder of the build is a plain name, and no command" {
    local name
    # shellcheck disable=SC2016 # make must see the commands
    for name in 'b$$(touch x)' 'b`touch x`' 'b; touch x' "b'c" 'b c' ''; do
        run -2 make -n -s -C "$BATS_TEST_DIRNAME/../.." list NVCC= "BUILD=$name"
        [[ $output == *'BUILD is a folder named by letters, digits'* ]] || { echo "$name: $output"; return 1; }
    done
    [ ! -e "$BATS_TEST_DIRNAME/../../x" ]
    : >occupied
    run -2 make -n -s -C "$BATS_TEST_DIRNAME/../.." list NVCC= "BUILD=$PWD/occupied"
    [[ $output == *'occupied cannot be written; build in another folder, BUILD=/tmp/build'* ]]
}

@test "EXP and EXPS are one thing: names, commas, file names and paths" {
    for words in 'EXP=smoke peaks' 'EXPS=smoke,peaks' 'EXP=experiments/smoke.yaml EXPS=peaks.yaml'; do
        mapfile -t given <<<"${words/ EXPS=/$'\n'EXPS=}"
        run -0 make -n -s -C "$BATS_TEST_DIRNAME/../.." run NVCC= "${given[@]}"
        [[ $output == *experiments/smoke.yaml* && $output == *experiments/peaks.yaml* ]]
    done
    run -0 make -n -s -C "$BATS_TEST_DIRNAME/../.." submit NVCC= EXP=smoke "N=a'b; touch c"
    [[ $output == *"tools/submit 'a'\''b; touch c' 'cluster' smoke"* ]]
    run -0 make -n -s -C "$BATS_TEST_DIRNAME/../.." install NVCC= "PREFIX=a'b; touch c"
    [[ $output == *"INSTALL 'a'\''b; touch c'"* ]]
    run -2 make -n -s -C "$BATS_TEST_DIRNAME/../.." report NVCC= EXP=smokee
    [[ $output == *"no study named 'smokee'"* ]]
}

@test "a path with blanks and letters of another script builds, also from a tree that nobody can write" {
    local root there="$BATS_TEST_TMPDIR/лаба № 5 (b)"
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    mkdir -p "$there"
    cp -a "$root"/{Makefile,mk,src,kernels,tools,doc,report,site,experiments,tests,CITATION.cff} "$there"
    cd "$there" || return 1
    mkdir -p build/obj elsewhere/obj
    cp -a "$root/${BUILD:-build}/gen" build
    cp -a build/gen elsewhere
    rm elsewhere/gen/hash/lu/{seq_naive.cpu,blas_getrf.blas,cuda_naive.cu,scalapack.team} # made anew, for all kinds
    local objects=(obj/src/status.o)
    ! command -v mpicc >/dev/null || objects+=(obj/src/team/ranks_mpi.rank.o)
    run -0 env -u MAKEFLAGS "${MAKE:-make}" NVCC= "${objects[@]/#/build/}"
    [ -s "build/${objects[-1]}" ]
    # What is built elsewhere leaves the tree alone.
    find . -path ./elsewhere -prune -o -type f -print0 | sort -z | xargs -0 stat -c '%n %Y %s' >before
    run -0 env -u MAKEFLAGS "${MAKE:-make}" NVCC= BUILD=elsewhere elsewhere/obj/src/status.o
    find . -path ./elsewhere -prune -o -type f ! -name before -print0 | sort -z | xargs -0 stat -c '%n %Y %s' >after
    diff <(grep -v ' before ' before | grep -v '^./before') <(grep -v '^./after' after)
}

@test "what a build is asked for first does not change the flags of what it makes next" {
    # A compiler that writes empty objects, and a library for which team.mk and cuda.mk have code.
    mkdir -p cuda/bin cuda/include
    # shellcheck disable=SC2016 # the new script expands them
    program cuda/bin/nvcc <<<'while [ "$1" != -o ]; do shift; done; : >"$2"'
    : >cuda/include/cusolverDn.h
    local object count=0
    for object in cublas_resident cuda_global cublas_resident cuda_global; do
        run -0 env -u MAKEFLAGS "${MAKE:-make}" -C "$root" BUILD="$PWD/build" NVCC="$PWD/cuda/bin/nvcc" \
            "$PWD/build/obj/kernels/matmul/$object.cuda.o"
        [[ $output != *'NVCC  '* ]] || count=$((count + 1))
    done
    [ $count -eq 2 ]
}

@test "CUDA is compiled where there is a GPU, where its architecture is named, and for the tests" {
    program nvcc <<<''
    compiled() {
        env -u MAKEFLAGS "${MAKE:-make}" -n -s -C "$root" BUILD="$PWD/build" NVCC="$PWD/nvcc" "$@" >commands || return 2
        grep -q "^$PWD/nvcc .* kernels/matmul/cuda_global.cu" commands
    }
    run -1 compiled build GPU=
    grep -q "CUDA 'skipped: no GPU is here; CUDA_ARCH=all-major compiles" commands
    compiled build GPU=/dev/nvidia0
    compiled build GPU= CUDA_ARCH=sm_80
    # make runs a recipe that calls make also with -n, so that the prerequisites of the tests are looked at.
    run -1 compiled list GPU= -p
    grep -qE '^test: .* cuda( |$)' commands
}

@test "clang compiles the kernels that call the system, without a warning" {
    command -v clang >/dev/null || skip 'clang is missing'
    printf 'int main(void) { return 0; }\n' | clang -fopenmp -x c -o program - 2>/dev/null || skip 'libomp is missing'
    local kernel objects=()
    for kernel in "$root"/kernels/fault/cpu_*.c; do
        objects+=("$PWD/build/obj/kernels/fault/$(basename "$kernel" .c).o")
    done
    MAKEFLAGS='PRECISIONS=f64 OPTS=O2 ISAS=base' run -0 "${MAKE:-make}" -C "$root" CC=clang BUILD="$PWD/build" NVCC= \
        "${objects[@]}"
    [[ $output != *warning* ]]
}

@test "no GPU: rows that say so, and exit code 0" {
    fake_gpu
    study gpu <<'YAML'
grid:
  n: [8]
  variant: [seq-ijk, cuda-global]
YAML
    FAKE_GPU_NONE=1 TILELAB_BACKENDS=$PWD/objects LD_LIBRARY_PATH=$PWD measure -0 gpu.yaml
    column variant,status,reason data/gpu.results.csv | grep -qE '^matmul/cuda-global skipped .*no usable GPU'
}

@test "the user's OMP_PROC_BIND and similar variables change nothing" {
    study omp <<'YAML'
grid:
  n: [8]
  variant: [omp-ijk, blas-openblas]
  threads: [1, all]
YAML
    measure -0 omp.yaml
    OMP_PROC_BIND=true OMP_PLACES=cores OMP_NUM_THREADS=1 run -0 "$TILELAB" run omp.yaml --profile quick --data bound
    diff <(column variant,threads,status data/omp.results.csv) <(column variant,threads,status bound/omp.results.csv)
}

#!/usr/bin/env bats
# Teams of processes on this machine: ScaLAPACK over MPI. There may be more ranks than cores, since no time is compared.
# SPDX-License-Identifier: MIT
load common

needs_mpi() {
    command -v mpirun >/dev/null || skip 'mpirun is missing (make setup-mpi)'
    [ -e "${TILELAB%/*}/tilelab-scalapack.so" ] || skip 'built without ScaLAPACK (make setup-mpi, then make)'
    export TILELAB_OVERSUBSCRIBE=1
}

# ranks RANK...: a study of both problems at one size
ranks() {
    study team '[matmul, lu]' <<YAML
grid: {n: 100, variant: '*/scalapack', ranks: [$(IFS=,; echo "$*")], tile: 16}
measure: {rounds: 2, launches: 2} # each launch starts the ranks anew
YAML
}

@test "ScaLAPACK is right on 1, 2, 3 and 4 ranks, at sizes around the block and rectangular ones" {
    needs_mpi
    local size
    for size in 1 2 3 4; do
        run -0 "$TILELAB" verify '*/scalapack' --sizes 1,7,8,9,50 --tiles 8 --team-size $size
        # In both precisions, a factorisation is verified once and a product twice, but once where n is 1.
        [[ $output == *'tilelab: 28 cells, 28 ok'* ]]
    done
}

@test "a team is measured, verified and recorded for each number of ranks" {
    needs_mpi
    ranks 2 4
    measure -0 team.yaml
    [ "$(column variant,ranks,status,bitwise data/team.results.csv | grep -c ' ok 1$')" -eq 4 ]
}

@test "times of ranks that share a core are flagged" {
    needs_mpi
    unset TILELAB_FAKE_TIMER
    ranks 2
    local core
    core=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
    run -0 taskset -c "$core" "$TILELAB" run team.yaml --data data
    [ "$(column flags data/team.samples.csv | grep -c noisy)" -gt 0 ]
}

@test "more ranks than cores are skipped with the reason" {
    needs_mpi
    unset TILELAB_OVERSUBSCRIBE
    ranks 4096
    measure -0 team.yaml
    grep -q '4096 ranks, but this process may use' data/team.results.csv
}

@test "without mpirun the cells are skipped, with the remedy" {
    needs_mpi
    ranks 2
    PATH=$BATS_TEST_TMPDIR run -0 "$TILELAB" run team.yaml --profile quick --data data
    grep -q 'mpirun was not found (make setup-mpi, then make)' data/team.results.csv
}

@test "a program built without MPI skips the cells, with the remedy" {
    needs_mpi
    ranks 2
    mkdir empty
    TILELAB_BACKENDS=$PWD/empty measure -0 team.yaml
    grep -q 'built without MPI' data/team.results.csv
    echo 'no object' >empty/tilelab-scalapack.so
    TILELAB_BACKENDS=$PWD/empty measure team.yaml --again
    [ "$status" -eq 0 ]
    grep -q 'skipped.*ScaLAPACK cannot be loaded.*(make setup-mpi, then make)' data/team.results.csv
    cc -shared -fPIC -x c -o empty/tilelab-scalapack.so - \
        <<<'static void __attribute__((constructor)) begin(void) { __builtin_trap(); }'
    TILELAB_BACKENDS=$PWD/empty measure team.yaml --again
    [ "$status" -eq 0 ]
    grep -q 'skipped.*ScaLAPACK cannot be loaded: a process that loads it crashes' data/team.results.csv
}

@test "too few slots are the reason of a failed row" {
    needs_mpi
    ranks 2
    mkdir bin
    # shellcheck disable=SC2016 # the new script expands them
    printf 'while [ "$1" != -n ]; do shift; done\nexec %s --allow-run-as-root --host localhost:1 "$@"\n' \
        "$(command -v mpirun)" | program bin/mpirun
    PATH=$PWD/bin:$PATH run -1 "$TILELAB" run team.yaml --profile quick --data data
    grep -q 'There are not enough slots available' data/team.results.csv
}

# preload BODY: has every program take a pdgemm that does what BODY says after the true one.
preload() {
    command -v cc >/dev/null || skip 'no compiler'
    cat >preload.c <<EOF2
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
typedef void product(const char *, const char *, const int *, const int *, const int *, const double *, const double *,
                     const int *, const int *, const int *, const double *, const int *, const int *, const int *,
                     const double *, double *, const int *, const int *, const int *);
void pdgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k, const double *alpha,
             const double *a, const int *ia, const int *ja, const int *da, const double *b, const int *ib,
             const int *jb, const int *db, const double *beta, double *c, const int *ic, const int *jc, const int *dc)
{
    const int rank = atoi(getenv("OMPI_COMM_WORLD_RANK"));
    product *real;
    *(void **)&real = dlsym(RTLD_NEXT, "pdgemm_");
    real(ta, tb, m, n, k, alpha, a, ia, ja, da, b, ib, jb, db, beta, c, ic, jc, dc);
    $1
}
EOF2
    cc -shared -fPIC -o preload.so preload.c -ldl
    export TILELAB_TEST=1 LD_PRELOAD=$PWD/preload.so # else no worker gets it
}

@test "a rank that is killed is a status of its cell, and the other cells get a new team" {
    needs_mpi
    study team <<<'grid: {n: [48, 64, 80], variant: scalapack, ranks: 2, tile: 16}'
    preload 'if (rank == 1 && *n == 64) raise(SIGKILL);'
    measure team.yaml
    [ "$status" -eq 1 ] || { echo "$output"; return 1; }
    column n,status,reason data/team.results.csv
    grep -q 'rank 1 of the team was ended by signal 9 (Killed)' data/team.results.csv
    [ "$(column n,status data/team.results.csv | grep -c ' ok$')" -eq 2 ]
}

@test "a worker that is ended from elsewhere is no fault of its cell, which a new team measures" {
    needs_mpi
    study team <<<'grid: {n: 48, variant: scalapack, ranks: 2, tile: 16}'
    # The worker is the parent of the rank's mpirun.
    preload 'char path[64];
        int worker = 0;
        snprintf(path, sizeof path, "/proc/%d/stat", (int)getppid());
        FILE *stat = rank == 0 && mkdir("once", 0700) == 0 ? fopen(path, "r") : NULL;
        if (stat && fscanf(stat, "%*d (%*[^)]) %*c %d", &worker) == 1 && worker > 1)
            kill(worker, SIGTERM);'
    measure team.yaml
    [ "$status" -eq 0 ] || { echo "$output"; cat data/team.results.csv; return 1; }
    [ -d once ]
    [ "$(column n,status data/team.results.csv | grep -c ' ok$')" -eq 1 ]
}

@test "a result that is wrong in one block is found, whatever rank computed it" {
    needs_mpi
    preload 'if (rank == 1) c[0] *= 1.001;'
    ranks 2
    measure team.yaml
    [ "$status" -eq 1 ] || { echo "$output"; return 1; }
    grep '^team,[^,]*,matmul' data/team.results.csv | grep -q ',wrong,row [0-9]* of C is wrong'
    # pdgetrf calls pdgemm as well.
    grep '^team,[^,]*,lu' data/team.results.csv | grep -q ',wrong,the scaled residual of a solution'
}

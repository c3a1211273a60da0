#!/usr/bin/env bats
# What the report says of cold caches, of pinned host memory, and of set sizes of packed blocks.
# SPDX-License-Identifier: MIT
load common

# invent PROBLEM: writes results from lines "CELL VARIANT BACKEND N THREADS CACHE HOST-MEMORY KC MEDIAN LOW HIGH UPLOAD
# DOWNLOAD TOTAL"; "-" is an empty field.
invent() {
    {
        printf 'experiment,cell,problem,variant,backend,precision,n,threads,cache,host-memory,kc,median_s,ci_lo_s,'
        echo 'ci_hi_s,upload_s,download_s,total_s,status,m,k,rounds,launches'
        while read -r cell variant backend n rest; do
            echo "invented,$cell,matmul,$variant,$backend,f32,$n,${rest// /,},ok,$n,$n,5,3"
        done
    } | sed -E ':a; s/,-,/,,/; ta' >data/invented.results.csv
    total_samples invented
    echo '{"experiment": {"name": "invented", "problems": ["matmul"]}, "variants": []}' >data/invented.run.json
}

# libraries LOW HIGH: lines of a library on the CPU and one on the GPU, which with its copies wins behind n = 256. There
# the CPU takes 2 s, with this interval.
libraries() {
    cat <<ROWS
01 matmul/blas-openblas blas 128 2 - - - 1.0 0.99 1.01 - - -
02 matmul/blas-openblas blas 256 2 - - - 2.0 $1 $2 - - -
03 matmul/blas-openblas blas 512 2 - - - 8.0 7.9 8.1 - - -
04 matmul/cublas cuda 128 - - - - 0.1 0.1 0.1 2 1 4
05 matmul/cublas cuda 256 - - - - 0.1 0.1 0.1 1 1 2.05
06 matmul/cublas cuda 512 - - - - 0.1 0.1 0.1 2 1 4.1
ROWS
}

sql() { of_study invented tsv figures/study.sql "$1"; }

@test "cold caches and pinned memory stand beside the usual conditions, and are no cells to compare others with" {
    invent <<'ROWS'
01 matmul/omp-ikj cpu 128 2 - - - 1.0 0.9 1.1 - - -
02 matmul/omp-ikj cpu 128 2 cold - - 3.0 2.9 3.1 - - -
03 matmul/omp-ikj cpu 512 2 - - - 10 9.9 10.1 - - -
04 matmul/omp-ikj cpu 512 2 cold - - 12 11.9 12.1 - - -
05 matmul/cuda-shared cuda 512 - - - - 0.1 0.1 0.1 4 2 7
06 matmul/cuda-shared cuda 512 - - pinned - 0.1 0.1 0.1 1 1 2.2
07 matmul/blas-openblas cpu 512 1 - - - 8 7.9 8.1 - - -
08 matmul/blas-openblas cpu 512 1 cold - - 8 7.9 8.1 - - -
09 matmul/blas-openblas cpu 512 2 - - - 9 8.9 9.1 - - -
10 matmul/blas-openblas cpu 512 2 cold - - 9 8.9 9.1 - - -
ROWS
    run -0 sql report/tables/conditions.sql
    # A library stands there on its fastest number of threads.
    says $'blas-openblas\t512\t1\t8.00 s\t8.00 s'
    [[ $output != *$'blas-openblas\t512\t2'* ]]
    says $'omp-ikj\t128\t2\t1.00 s\t3.00 s\t3.00 [' $'cuda-shared\t512\t\t100 ms\t\t\t7.00 s\t2.20 s'
    run -0 said cold-caches
    [[ "$output" == *'side=CPU idea=omp-ikj precision=f32 n=512 ratio=1.20 '*'least=3.00 least_n=128 '* ]]
    run -0 said pinned
    [[ "$output" == *'n=512 time=7.00 s pinned_time=2.20 s upload=4.00 download=2.00 '* ]]
    # A cold cell has another task than a hot one, so no ratio holds both: two hot tasks, two cold ones, one pinned.
    echo "SELECT count(DISTINCT task) FROM results;" >task.sql
    [ "$("$TILELAB" query --data data --format tsv task.sql | tail -1)" = 5 ]
}

@test "the GPU overtakes the CPU where lines between sizes cross, and in brackets stand sizes that decide" {
    # At n = 256 either may be faster.
    libraries 1.9 2.1 | invent
    run -0 said gpu-or-cpu
    says ' pageable== 262 [128, 512] resident=≤ 128 ratio=1.95 ' ' verdict=faster '
    # A time in a single launch decides nothing, and a size with such a time does not count.
    sed -i '/,cuda,f32,128,/s/5,3$/5,1/' data/invented.results.csv
    run -0 said gpu-or-cpu
    says ' pageable=≤ 512 resident=≤ 256 '
    sed -i 's/5,3$/5,1/' data/invented.results.csv
    run -0 said gpu-or-cpu
    says ' pageable=≈ 262 ratio=' ' verdict=undecided '
    [[ $output != *' resident='* ]]
}

@test "set sizes of blocks are compared with those that the kernel chooses" {
    invent <<'ROWS'
01 matmul/omp-packed cpu 512 1 - - - 2.0 1.98 2.02 - - -
02 matmul/omp-packed cpu 512 1 - - 128 3.0 2.9 3.1 - - -
03 matmul/omp-packed cpu 512 1 - - 256 1.0 0.99 1.01 - - -
ROWS
    run -0 sql report/tables/packed-blocks.sql
    [[ "${lines[1]}" == $'omp-packed\tf32\t512\t1\t2\t2.00 s\tkc=256\t2.00 ['*$']\tfaster' ]]
    run -0 said block-sizes
    [[ "$output" == *'setting=kc=256 tried=2 ratio=2.00 '*'verdict=faster '* ]]
    run -0 sql figures/speed-by-block.sql
    [[ "$output" == *$'256\t2.0\t'* ]]
}

@test "the figure of the GPU over the CPU has the size at which they cross, as the answer tells it" {
    {
        libraries 1.99 2.01
        echo '07 matmul/cublas cuda 128 - - pinned - 0.1 0.1 0.1 1 1 2'
        echo '08 matmul/cublas cuda 256 - - pinned - 0.1 0.1 0.1 1 1 4'
    } | invent
    run -0 of_study invented facts figures/study.sql figures/gpu-over-cpu.sql
    [[ $output == *$'\tpageable== 262 [256, 512]\t'*$'\tpinned=> 256\tresident=≤ 128'* ]]
    run -0 of_study invented tsv figures/study.sql figures/gpu-over-cpu.sql
    says $'pageable\t262\t256\t512'
    run -0 said gpu-or-cpu
    says ' pageable== 262 [256, 512] ' ' resident=≤ 128 '
}

@test "each kind of inputs is verified in each problem, and zeros need the product all the same" {
    export TILELAB_FAKE_TIMER=1
    study kinds '[matmul, aat, lu, jacobi, seidel]' '[f64, i32]' <<'YAML'
grid:
  n: 33
  variant: [matmul/seq-ijk, aat/omp-packed, lu/seq-naive, lu/blas-openblas-getrf, jacobi/seq, seidel/seq]
  inputs: [uniform, normal, integers, zeros, small]
  threads: 1
YAML
    run -0 "$TILELAB" run kinds.yaml
    echo "SELECT problem || ' ' || precision || ' ' || group_concat(coalesce(inputs, 'uniform'), ' ') FROM results
        WHERE status = 'ok' AND bitwise AND NOT (inputs IS 'zeros' AND error > 0) AND problem IN
            ('matmul', 'aat', 'lu', 'jacobi', 'seidel') GROUP BY variant, precision ORDER BY 1;" >kinds.sql
    run -0 "$TILELAB" query --data data/local --format tsv kinds.sql
    local all='uniform normal integers zeros small'
    [ "$(tail -n +2 <<<"$output")" = "aat f64 $all
jacobi f64 $all
lu f64 $all
lu f64 $all
matmul f64 $all
matmul i32 uniform zeros
seidel f64 $all" ] || { echo "$output"; return 1; }

    mkdir k
    sed 's/seq_ijk/seq_zeros/; s/sum += .*/sum = 0;/' "$root/kernels/matmul/seq_ijk.c" >k/seq_zeros.c
    study zeros <<'YAML'
kernels: k
grid: {n: 33, variant: seq-zeros, inputs: zeros}
YAML
    run "$TILELAB" run zeros.yaml
    [ "$(column variant,status data/local/zeros.results.csv | grep zeros)" = 'matmul/seq-zeros wrong' ] ||
        { column variant,status,reason data/local/zeros.results.csv; return 1; }
}

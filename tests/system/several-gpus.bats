#!/usr/bin/env bats
# What the report says of several GPUs: against which library it counts a speed-up, and what it says beside it.
# SPDX-License-Identifier: MIT
load common

# invent: writes results from lines "CELL PROBLEM VARIANT N GPUS TILE GFLOPS MEDIAN LOW HIGH"; "-" is an empty field.
invent() {
    {
        printf 'experiment,cell,problem,variant,backend,precision,m,n,k,gpus,tile,bytes,gflops,median_s,ci_lo_s,'
        echo 'ci_hi_s,start_s,status,rounds'
        while read -r cell problem variant n gpus tile gflops median low high; do
            printf 'invented,%s,%s,%s,gpus,f64,' "$cell" "$problem" "$problem/$variant"
            echo "$n,$n,$n,$gpus,$tile,6400,$gflops,$median,$low,$high,0.8,ok,5"
        done
    } | sed -E ':a; s/,-,/,,/; ta' >data/invented.results.csv
    echo '{"experiment": {"name": "invented", "problems": ["matmul", "lu"]}, "variants": [],
           "gpu": {"name": "GPU", "memory_bytes": 80000}}' >data/invented.run.json
}

sql() { of_study invented "${format:-tsv}" figures/study.sql "$1"; }

rows() {
    invent <<'ROWS'
01 matmul cublas-resident 50 1 - 10 2.0 2.0 2.0
02 matmul cublasmp 50 1 64 5 4.0 4.0 4.0
03 matmul cublasmp 50 2 64 15 1.5 1.5 1.5
04 matmul cublasmp 50 2 128 16 1.25 1.25 1.25
05 matmul cublas-resident 30 1 - 10 1.0 1.0 1.0
06 matmul cublasmp 30 2 64 8 1.25 1.25 1.25
07 lu cusolver-resident 50 1 - 4 4.0 4.0 4.0
08 lu cusolvermg 50 2 64 8 2.5 2.5 2.5
09 lu cusolvermg 200 2 64 8 9.0 9.0 9.0
10 allgather nccl 2 2 - - 64e-6 64e-6 64e-6
ROWS
}

@test "a speed-up counts from the fastest library on one GPU, and not from the same library on one GPU" {
    rows
    run -0 sql report/tables/several-gpus.sql
    echo "$output"
    # At n = 50: 2.0 / 1.25 and not 4.0 / 1.25, at the faster of two block sizes.
    [[ "$output" == *$'matmul/cublasmp f64\t50\t2\t128\t1.25 s\t1.60'*$'\t80.0\t100\t800 ms'* ]]
    [[ "$output" == *$'matmul/cublasmp f64\t30\t2\t64\t1.25 s\t0.800'*$'\t40.0\t50.0\t800 ms'* ]]
    # A factorisation has half of the product's rate. What fits no single GPU has no speed-up.
    [[ "$output" == *$'lu/cusolvermg f64\t50\t2\t64\t2.50 s\t1.60'*$'\t80.0\t50.0\t800 ms'* ]]
    [[ "$output" == *$'lu/cusolvermg f64\t200\t2\t64\t9.00 s\t\t\t50.0\t800 ms'* ]]
    [[ "$output" != *allgather* ]]
}

@test "the finding has a row for each problem, from which size on it pays, and what fits no single GPU" {
    rows
    run -0 said several-gpus
    echo "$output"
    [ "${#lines[@]}" -eq 2 ]
    [[ "${lines[0]}" == *'variant=matmul/cublasmp base=matmul/cublas-resident gpus=2 '*'n=50 ratio=1.60 '* ]]
    [[ "${lines[0]}" == *'efficiency=80.0 even_n=50'* && "${lines[0]}" != *beyond_n=[0-9]* ]]
    [[ "${lines[1]}" == *'variant=lu/cusolvermg base=lu/cusolver-resident '*'n=50 ratio=1.60 '* ]]
    [[ "${lines[1]}" == *'beyond_n=200 beyond_time=9.00 s'* ]]
}

@test "a message is the 64th part of a run of the probe, and no cell of the study's figures" {
    rows
    run -0 sql report/tables/messages.sql
    echo "$output"
    [[ "${lines[1]}" == $'nccl\t2\t100 B\t5\t1.00 µs\t100 MB/s' ]]
    format=gnuplot run -0 sql figures/speedup-by-gpus.sql
    echo "$output"
    [[ "$output" != *allgather* && "$output" == *'curves_count = 2'* ]]
}

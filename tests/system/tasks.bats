# What is compared with what, from invented rows: cells of one task, and factorisations of one contract.
# SPDX-License-Identifier: MIT

load common

# query KIND: its rows for the study `invented`.
query() {
    (cd "$root" && "$TILELAB" query --data "$BATS_TEST_TMPDIR/data" --published data/published --set host=data \
        --set experiment=invented --format "${2:-tsv}" figures/study.sql "$1")
}

# about BASELINE VARIANT:PIVOTING...
about() {
    local baseline=$1 variants
    shift
    variants=$(printf ', {"name": "%s", "pivoting": "%s", "order": 1}' $(tr ':' ' ' <<<"$*"))
    printf '{"experiment": {"name": "invented", "source": "tilelab", "baseline": "%s"}, "variants": [%s]}\n' \
        "$baseline" "${variants#, }" >data/invented.run.json
}

solves() {
    about 'blas-*' jacobi/omp:none jacobi/blas-mkl:none
    cat >data/invented.results.csv <<'CSV'
experiment,cell,problem,variant,backend,precision,n,k,threads,mc,omega,sweeps,status,median_s,iterations,flops,bytes,gflops,gbs
invented,01,jacobi,jacobi/omp,cpu,f64,64,64,2,,1,,ok,8,90,8,32,1,4
invented,02,jacobi,jacobi/omp,cpu,f64,64,64,2,,0.5,,ok,2,20,8,32,4,16
invented,03,jacobi,jacobi/omp,cpu,f64,64,64,2,,1,10,ok,1,10,8,32,8,32
invented,04,jacobi,jacobi/blas-mkl,blas,f64,64,64,2,,1,,ok,16,90,8,32,0.5,2
invented,05,jacobi,jacobi/blas-mkl,blas,f64,64,64,2,,0.5,,ok,6,20,8,32,1.5,6
invented,06,jacobi,jacobi/omp,cpu,f64,64,64,1,,0.5,,ok,3,20,8,32,3,10
CSV
}

@test "solves are compared only with solves of the same omega and sweeps" {
    solves
    run -0 query figures/speedup-by-n.sql gnuplot
    # 16 / 8 and 6 / 2; 10 sweeps have nothing to be compared with.
    [[ $output == *$'\n64 2.0 2.0 2.0 '* && $output == *$'\n64 3.0 3.0 3.0 '* ]] || { echo "$output"; return 1; }
    [[ $output != *'10 sweeps'* ]] || { echo "$output"; return 1; }
    # One thread was measured with omega 0.5 to convergence only.
    run -0 query figures/thread-speedup-by-n.sql gnuplot
    [[ $output == *$'\n64 1.5 1.5 1.5 '*'curves_count = 1'* ]] || { echo "$output"; return 1; }
}

@test "the speed of solvers is bandwidth" {
    solves
    run -0 query figures/gflops-by-n.sql gnuplot
    [[ $output == *$'\n64 16.0 16.0 16.0 '* && $output == *'of_memory = 1'* ]] || { echo "$output"; return 1; }
    sed -i '2,$s/jacobi/matmul/g; s/,iterations//; s/\(ok,[0-9]*\),[0-9]*/\1/' data/invented.results.csv
    run -0 query figures/gflops-by-n.sql gnuplot
    [[ $output == *$'\n64 4.0 4.0 4.0 '* && $output == *'of_memory = 0'* ]] || { echo "$output"; return 1; }
}

@test "a factorisation is compared with a library of its contract, where there is one" {
    about lu/cusolver-nopivot lu/cuda-blocked:none lu/cuda-pivot:partial lu/cusolver:partial lu/cusolver-nopivot:none
    cat >data/invented.results.csv <<'CSV'
experiment,cell,problem,variant,backend,precision,n,k,tile,status,median_s,flops,gflops
invented,01,lu,lu/cuda-blocked,cuda,f64,64,64,16,ok,6,12,2
invented,02,lu,lu/cuda-pivot,cuda,f64,64,64,,ok,12,12,1
invented,03,lu,lu/cusolver,cuda,f64,64,64,,ok,4,12,3
invented,04,lu,lu/cusolver-nopivot,cuda,f64,64,64,,ok,3,12,4
CSV
    printf 'SELECT contract, idea, median_s FROM baseline ORDER BY contract;\n' >"$BATS_TEST_TMPDIR/base.sql"
    run -0 query "$BATS_TEST_TMPDIR/base.sql"
    [[ $output == *$'none\tcusolver-nopivot\t3'*$'partial\tcusolver\t4'* ]] || { echo "$output"; return 1; }
    run -0 query report/tables/best.sql
    [[ $output == *cuda-blocked*cusolver-nopivot*$'\t50'*cuda-pivot*$'\tcusolver\t'*33* ]] || { echo "$output"; return 1; }
    # Without a library of the contract, one of the other.
    sed -i '/cusolver-nopivot/d' data/invented.results.csv
    run -0 query report/tables/best.sql
    [[ $output == *cuda-blocked*$'\tcusolver\t'*cuda-pivot*$'\tcusolver\t'* ]] || { echo "$output"; return 1; }
}

@test "blocks that vary are told in the names of curves" {
    about 'blas-*' matmul/omp-packed:none
    cat >data/invented.results.csv <<'CSV'
experiment,cell,problem,variant,backend,precision,n,k,threads,mc,nc,status,median_s,flops,gflops
invented,01,matmul,matmul/omp-packed,cpu,f64,64,64,2,96,,ok,8,8,1
invented,02,matmul,matmul/omp-packed,cpu,f64,64,64,2,,,ok,2,8,4
invented,03,matmul,matmul/omp-packed,cpu,f64,64,64,1,96,,ok,12,12,1
CSV
    run -0 query figures/thread-speedup-by-n.sql gnuplot
    [[ $output == *$'\n64 1.5 1.5 1.5 '*'curves_count = 1'*"['omp-packed, mc 96, 2 threads']"* ]] || { echo "$output"; return 1; }
    run -0 query figures/time-by-n.sql gnuplot
    [[ $output == *'omp-packed, mc chosen, 2 threads'* ]] || { echo "$output"; return 1; }
}

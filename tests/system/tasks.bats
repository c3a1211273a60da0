# Which results the queries compare: cells of one task, and factorisations of one contract. All rows are invented.
# SPDX-License-Identifier: MIT
load common

# query KIND: the rows of a figure or table for the study `invented`.
query() { of_study invented "${2:-tsv}" figures/study.sql "$1"; }

# about BASELINE VARIANT:PIVOTING...: writes the run record of the study `invented`
about() {
    local baseline=$1 variants='' variant
    shift
    for variant in "$@"; do
        variants+=", {\"name\": \"${variant%:*}\", \"pivoting\": \"${variant#*:}\", \"order\": 1}"
    done
    printf '{"experiment": {"name": "invented", "source": "tilelab", "baseline": "%s"}, "variants": [%s]}\n' \
        "$baseline" "${variants#, }" >data/invented.run.json
}

solver_rows() {
    about 'blas-*' jacobi/omp:none jacobi/blas-mkl:none
    {
        printf '%s,' experiment cell problem variant backend precision n k threads mc omega sweeps status
        echo median_s,iterations,flops,bytes,gflops,gbs
        cat <<'CSV'
invented,01,jacobi,jacobi/omp,cpu,f64,64,64,2,,1,,ok,8,90,8,32,1,4
invented,02,jacobi,jacobi/omp,cpu,f64,64,64,2,,0.5,,ok,2,20,8,32,4,16
invented,03,jacobi,jacobi/omp,cpu,f64,64,64,2,,1,10,ok,1,10,8,32,8,32
invented,04,jacobi,jacobi/blas-mkl,blas,f64,64,64,2,,1,,ok,16,90,8,32,0.5,2
invented,05,jacobi,jacobi/blas-mkl,blas,f64,64,64,2,,0.5,,ok,6,20,8,32,1.5,6
invented,06,jacobi,jacobi/omp,cpu,f64,64,64,1,,0.5,,ok,3,20,8,32,3,10
CSV
    } >data/invented.results.csv
}

@test "a solver is compared only with solvers of the same omega and sweeps" {
    solver_rows
    run -0 query figures/speedup-by-n.sql gnuplot
    # The speed-ups are 16 / 8 and 6 / 2. No baseline has 10 sweeps.
    [[ $output == *$'\n64 2.0 2.0 2.0 '* && $output == *$'\n64 3.0 3.0 3.0 '* ]]
    [[ $output != *'10 sweeps'* ]]
    # On one thread, omega 0.5 was measured until convergence only.
    run -0 query figures/thread-speedup.sql gnuplot
    [[ $output == *$'\n1 1 1 1 1 0\n1 2 1.5 1.5 1.5 '*'curves_count = 1'* ]]
}

@test "of many curves the reader's own variant has a colour, also where it is the slowest" {
    local i variants=()
    echo experiment,cell,problem,variant,backend,precision,n,k,status,median_s,flops,gflops >data/invented.results.csv
    for i in {1..12}; do
        variants+=("matmul/v$i:none")
        echo "invented,$i,matmul,matmul/v$i,cpu,f64,64,64,ok,$i,12,$((12 / i))" >>data/invented.results.csv
    done
    about matmul/v1 "${variants[@]}"
    grey() { query figures/gflops-by-n.sql | grep -P "^v12\t" | cut -f 4; }
    [ "$(grey)" = 1 ]
    sed -i 's#{"name": "matmul/v12",#& "source": "own",#' data/invented.run.json
    [ "$(grey)" = 0 ]
}

@test "the speed of solvers is bandwidth" {
    solver_rows
    run -0 query figures/gflops-by-n.sql gnuplot
    [[ $output == *$'\n64 16.0 16.0 16.0 '* && $output == *'of_memory = 1'* ]]
    sed -i '2,$s/jacobi/matmul/g; s/,iterations//; s/\(ok,[0-9]*\),[0-9]*/\1/' data/invented.results.csv
    run -0 query figures/gflops-by-n.sql gnuplot
    [[ $output == *$'\n64 4.0 4.0 4.0 '* && $output == *'of_memory = 0'* ]]
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
    [[ $output == *$'none\tcusolver-nopivot\t3'*$'partial\tcusolver\t4'* ]]
    run -0 query report/tables/best.sql
    [[ $output == *cuda-blocked*cusolver-nopivot*$'\t0.500'*cuda-pivot*$'\tcusolver\t'*0.333* ]]
    # If no library keeps the contract, a library of the other contract stands in.
    sed -i '/cusolver-nopivot/d' data/invented.results.csv
    run -0 query report/tables/best.sql
    [[ $output == *cuda-blocked*$'\tcusolver\t'*cuda-pivot*$'\tcusolver\t'* ]]
}

@test "blocks that vary are told in the names of curves" {
    about 'blas-*' matmul/omp-packed:none
    cat >data/invented.results.csv <<'CSV'
experiment,cell,problem,variant,backend,precision,n,k,threads,mc,nc,status,median_s,flops,gflops
invented,01,matmul,matmul/omp-packed,cpu,f64,64,64,2,96,,ok,8,8,1
invented,02,matmul,matmul/omp-packed,cpu,f64,64,64,2,,,ok,2,8,4
invented,03,matmul,matmul/omp-packed,cpu,f64,64,64,1,96,,ok,12,12,1
CSV
    run -0 query figures/thread-speedup.sql gnuplot
    [[ $output == *$'\n1 2 1.5 1.5 1.5 '*'curves_count = 1'*"panels_title[1] = ['omp-packed, mc 96']"* ]]
    run -0 query figures/time-by-n.sql gnuplot
    [[ $output == *'omp-packed, mc chosen, 2 threads'* ]]
}

@test "figures over n show the most threads of each variant, those of threads a panel for each tile" {
    about 'blas-*' lu/omp-blocked:none lu/blas-mkl-getrf:partial
    cat >data/invented.results.csv <<'CSV'
experiment,cell,problem,variant,backend,precision,n,k,opt,tile,threads,status,median_s,flops,gflops
invented,01,lu,lu/omp-blocked,cpu,f64,64,64,O2,8,1,ok,12,12,1
invented,02,lu,lu/omp-blocked,cpu,f64,64,64,O2,8,2,ok,8,12,1.5
invented,03,lu,lu/omp-blocked,cpu,f64,64,64,O2,8,4,ok,4,12,3
invented,04,lu,lu/omp-blocked,cpu,f64,64,64,O2,16,1,ok,12,12,1
invented,05,lu,lu/omp-blocked,cpu,f64,64,64,O2,16,2,ok,6,12,2
invented,06,lu,lu/omp-blocked,cpu,f64,64,64,O3,8,1,ok,9,12,1.3
invented,07,lu,lu/blas-mkl-getrf,blas,f64,64,64,,,2,ok,1,12,12
CSV
    run -0 query figures/time-by-n.sql gnuplot
    local two="'omp-blocked O2, tile 8, 4 threads', 'omp-blocked O2, tile 16, 2 threads'"
    [[ $output == *'curves_count = 4'*"$two, 'omp-blocked O3, tile 8, 1 thread'"* ]]
    run -0 query figures/thread-speedup.sql gnuplot
    [[ $output == *$'\n1 2 1.5 1.5 1.5 0\n1 4 3.0 3.0 3.0 0\n2 1 1 1 1 0\n2 2 2.0 2.0 2.0 '* ]]
    [[ $output == *"panels_title[2] = ['omp-blocked O2, tile 8', 'omp-blocked O2, tile 16']"* ]]
}

@test "of more than eight curves only the best tile of a variant has a colour" {
    about 'blas-*' lu/omp-blocked:none lu/blas-mkl-getrf:partial
    {
        echo experiment,cell,problem,variant,backend,precision,n,k,tile,threads,status,median_s,flops,gflops
        for tile in 1 2 3 4 5 6 7 8; do
            echo "invented,0$tile,lu,lu/omp-blocked,cpu,f64,64,64,$tile,2,ok,$((12 - tile)),12,1"
        done
        echo invented,09,lu,lu/blas-mkl-getrf,blas,f64,64,64,,2,ok,1,12,12
    } >data/invented.results.csv
    for figure in time-by-n gflops-by-n speedup-by-n; do
        run -0 query "figures/$figure.sql" gnuplot
        [[ $output == *'curves_grey[9] = [0, 1, 1, 1, 1, 1, 1, 1, 0]'* ]]
    done
    # Eight curves all have names.
    sed -i 4d data/invented.results.csv
    run -0 query figures/time-by-n.sql gnuplot
    [[ $output == *'curves_grey[8] = [0, 0, 0, 0, 0, 0, 0, 0]'* ]]
}

@test "sweeps are told beside the read bandwidth, the library and Jacobi" {
    about 'blas-*' jacobi/cuda-warp:none jacobi/cublas:none seidel/cuda-exact:none
    {
        printf '%s,' experiment cell problem variant backend precision n k omega sweeps status
        echo median_s,ci_lo_s,ci_hi_s,iterations,flops,bytes,gflops,gbs
        cat <<'CSV'
invented,01,jacobi,jacobi/cuda-warp,cuda,f64,64,64,1,10,ok,2e-3,1e-3,4e-3,10,8,32,1,300
invented,02,jacobi,jacobi/cublas,cuda,f64,64,64,1,10,ok,3e-3,3e-3,3e-3,10,8,32,1,200
invented,03,seidel,seidel/cuda-exact,cuda,f64,64,64,1,10,ok,8e-3,8e-3,8e-3,10,8,32,1,75
invented,04,seidel,seidel/cuda-exact,cuda,f64,64,64,1,20,ok,8e-3,,,20,8,32,1,150
invented,05,read,read/cuda,cuda,f32,64,64,,,ok,1,,,,1,400,1,400
CSV
    } >data/invented.results.csv
    run -0 query report/tables/solver-speed.sql
    [[ $output == *$'jacobi/cuda-warp\t64\t200 µs\t300 GB/s\t75.0\tcublas\t1.50 [0.750, 3.00]\t'* ]]
    [[ $output == *$'seidel/cuda-exact\t64\t800 µs\t75.0 GB/s\t18.8\t\t\t4.00 [2.00, 8.00]'* ]]
    # No other result has 20 sweeps.
    [[ $output == *$'seidel/cuda-exact\t64\t400 µs\t150 GB/s\t37.5\t\t'?(*[!0-9]) ]]
}

@test "an own factorisation at its fastest tile stands beside the library of its contract, or none" {
    about lu/cusolver-nopivot lu/cuda-blocked:none lu/cuda-pivot:partial lu/cusolver-nopivot:none
    cat >data/invented.results.csv <<'CSV'
experiment,cell,problem,variant,backend,precision,n,k,tile,status,median_s,ci_lo_s,ci_hi_s,flops,gflops
invented,01,lu,lu/cuda-blocked,cuda,f64,64,64,16,ok,8,,,12,1.5
invented,02,lu,lu/cuda-blocked,cuda,f64,64,64,32,ok,6,5,8,12,2
invented,03,lu,lu/cuda-pivot,cuda,f64,64,64,,ok,12,,,12,1
invented,04,lu,lu/cusolver-nopivot,cuda,f64,64,64,,ok,3,2,4,12,4
CSV
    run -0 query report/tables/lu-libraries.sql
    local own=$'cuda-blocked f64\t64\ttile 32\t6.00 s\t2.00\t'
    [[ $output == *"$own"$'\t\tcusolver-nopivot\t3.00 s\t0.500 [0.250, 0.800]'* ]]
    [[ $output == *$'cuda-pivot f64\t64\t\t12.0 s\t1.00\t'* && $output != *'cuda-pivot f64'*cusolver* &&
        $output != *'tile 16'* ]]
}

@test "the bench compares rounds of one study, at the fastest tile" {
    cat >data/lu.results.csv <<'CSV'
experiment,cell,problem,variant,backend,precision,n,tile,status,median_s
lu,01,lu,lu/cuda-blocked,cuda,f64,64,16,ok,8
lu,02,lu,lu/cuda-blocked,cuda,f64,64,32,ok,6
lu,03,lu,lu/cusolver-nopivot,cuda,f64,64,,ok,3
CSV
    printf '%s\n' cell,round,launch,index,kernel_s,flags 01,0,0,0,8, 02,0,0,0,6, 02,1,0,0,6, 03,0,0,0,3, \
        03,1,0,0,9,noisy >data/lu.samples.csv
    echo '{"experiment": {"name": "lu"}}' >data/lu.run.json
    sed 's/^lu,/other,/' data/lu.results.csv >data/other.results.csv
    echo '{"experiment": {"name": "other"}}' >data/other.run.json
    run -0 "$TILELAB" query --data data --format lines "$root/tools/bench.sql"
    [ "$(grep -c against <<<"$output")" -eq 1 ]
    local pair='lu/cuda-blocked against cusolver-nopivot, f64, n = 64, tile 32' rates='1.000 [0.50, 1.50]'
    [[ $(tr -s ' ' <<<"$output") == *"$pair $rates unflagged 0.500 (1 of 2)"* ]]
}

# Checks what the report says of Gauss-Seidel in order and without an order, from invented rows.
# SPDX-License-Identifier: MIT

# Text between single quotes is LaTeX.
# shellcheck disable=SC2016

load common

# row CELL VARIANT N TILE THREADS SWEEPS SECONDS
row() {
    local backend=cpu
    [[ $2 != cuda-* ]] || backend=cuda
    echo "granular-seidel,$1,seidel,seidel/$2,$backend,f64,$3,$4,$5,1,ok,$7,$6,0.2154,1,1"
}

# counted CELL SWEEPS...: writes a sample for each run.
counted() {
    local cell=$1 sweeps index=0
    shift
    for sweeps; do
        echo "$cell,0,0,$index,1,$sweeps,0.001"
        index=$((index + 1))
    done >>data/granular-seidel.samples.csv
}

# Invents Gauss-Seidel and chaotic relaxation on a machine with a GPU.
invent() {
    echo cell,round,launch,index,repeats,iterations,kernel_s >data/granular-seidel.samples.csv
    counted 01 12 12 12
    counted 02 11 12 14
    counted 03 30000 40000 50000
    counted 04 12 12 12
    {
        printf 'experiment,cell,problem,variant,backend,precision,n,tile,threads,omega,status,median_s,iterations,'
        echo radius,gflops,gbs
        row 01 seq 128 '' '' 12 0.001
        row 02 omp-racy 128 '' 2 12 0.002
        row 03 cuda-racy 128 16 '' 40000 4
        row 04 seq 512 '' '' 12 0.002
    } >data/granular-seidel.results.csv
    # The residual falls by a factor of ten in one sweep and a half.
    {
        echo cell,sweep,residual
        for sweep in 0 3 6 9 12; do
            echo "04,$sweep,1e$((2 - 2 * sweep / 3))"
        done
    } >data/granular-seidel.history.csv
    cat >data/granular-seidel.run.json <<'JSON'
{"experiment": {"name": "granular-seidel", "source": "granular", "figures": ["sweeps-by-n"], "tables": ["racy"]},
 "variants": [{"name": "seidel/seq", "order": 1, "chaotic": false},
              {"name": "seidel/omp-racy", "order": 2, "chaotic": true},
              {"name": "seidel/cuda-racy", "order": 3, "chaotic": true}]}
JSON
}

# shown FILE [FORMAT [NEEDS]]: prints the rows of a query of the study, with blanks for tabs.
shown() { of_study granular-seidel "${2:-lines}" figures/study.sql "$1" | tr '\t' ' '; }

@test "counts without order are told by their spread, beside both orders" {
    invent
    run -0 shown report/tables/racy.sql
    [ "${lines[0]}" = '128 omp-racy 2 3 11 12 14 12 53600..54750 1.00 0.0222' ]
    [ "${lines[1]}" = '128 cuda-racy 8 × 16 3 30000 40000 50000 12 53600..54750 3330 73.8' ]
    [ "${#lines[@]}" -eq 2 ]
    run -0 said chaotic
    [[ ${lines[0]} == *'idea=cuda-racy n=128 least=30,000 most=50,000 '*' order_least=12 order_most=12 '* ]]
    [[ ${lines[0]} == *' share=73.8 measured=0 '* ]]
    # A count of Jacobi from the same machine replaces the window.
    {
        echo experiment,cell,problem,variant,backend,precision,n,omega,status,median_s,iterations
        echo granular-jacobi,11,jacobi,jacobi/seq,cpu,f64,128,1,ok,1,50000
    } >data/granular-jacobi.results.csv
    run -0 shown report/tables/racy.sql
    [[ ${lines[1]} == *' 50000 3330 80.0' ]]
}

@test "what has no order is drawn as chaotic relaxation" {
    invent
    run -0 shown figures/sweeps-by-n.sql gnuplot
    [[ $output == *'Jacobi, expected'*'omp-racy (chaotic relaxation)'*'cuda-racy (chaotic relaxation)'* ]]
    [[ $output != *'seq (chaotic'* ]]
}

@test "the count that the source doubted is judged by the expected window" {
    invent
    run -0 shown report/tables/claims.sql
    [[ $output == *'granular-5 '*' 12 iterations 1 of 2 parts 512 not reproduced'* ]]
    run -0 said few-sweeps
    says 'least=12 most=12 least_n=128 n=512 ' ' decade=1.50 decade_n=512 decade_variant=seidel/seq right=1 '
    # One run takes more sweeps.
    sed -i 's/^04,0,0,\(.*\),12,/04,0,0,\1,19,/' data/granular-seidel.samples.csv
    run -0 shown report/tables/claims.sql
    [[ $output == *'granular-5 '*'0 of 2 parts 512 not reproduced'* ]]
}

@test "the source's times of Gauss-Seidel on a GPU are told as counts of sweeps" {
    invent
    run -0 shown report/tables/seidel-counts.sql
    [[ $output == *$'\n128 4160 4870 85.5 53600..54750 45800..46800 '*' 0.100 41600'* ]]
    # Without a GPU the published half of the table stands.
    sed -i /cuda/d data/granular-seidel.results.csv
    run -0 shown report/tables/seidel-counts.sql
    [[ ${#lines[@]} -eq 5 && $output == *'45800..46800'* ]]
}

@test "the order's price is told for a sweep, against Jacobi on the same device in the same study" {
    invent
    row 05 cuda-exact 128 64 '' 12 0.0024 >>data/granular-seidel.results.csv
    {
        row 11 cuda-warp 128 '' '' 50000 0.5
        row 12 cuda-global 128 '' '' 50000 1.5
        row 13 cublas 256 '' '' 50000 1.5
    } | sed 's/seidel,seidel/jacobi,jacobi/' >>data/granular-seidel.results.csv
    run -0 said order-price
    told='idea=seidel/cuda-exact base=jacobi/cuda-warp precision=f64 n=128 sweep=200 µs base_sweep=10.0 µs'
    told+=' cost_ratio=20.0 ratio=0.0500 verdict=single order_sweeps=12 base_sweeps=50,000'
    [[ $output == *"$told"* ]]
}

@test "the source's launch is told by its share of Jacobi's sweeps, unless the kernel was another one" {
    invent
    row 06 cuda-racy 128 8 '' 54000 4 >>data/granular-seidel.results.csv
    counted 06 54000 54000
    run -0 shown report/tables/racy.sql facts
    [[ $output == *'=cuda-racy n=128 share=99.7'* ]]
    run -0 shown report/tables/granular-431.sql facts
    [[ $output == *'tile=8 sweeps=54,000 seidel=12'* ]]
}

# Checks what the report says of iterative solvers, from invented rows: sweeps against windows, gaps, and curves of
# residuals.
# SPDX-License-Identifier: MIT

# Text between single quotes is LaTeX.
# shellcheck disable=SC2016

load common

study=invented

# row CELL PROBLEM IDEA OMEGA N TILE SWEEPS ITERATIONS MEDIAN LO HI TOTAL ROUNDS: a cell that is ok.
row() {
    local backend=cpu
    case $3 in cu*) backend=cuda ;; esac
    echo "$study,$1,$2,$2/$3,$backend,f64,$5,$5,$6,$4,$7,ok,$9,${10},${11},${12},${13},$8,1000,1,1,0.5,3"
}

invent() {
    {
        printf 'experiment,cell,problem,variant,backend,precision,n,k,tile,omega,sweeps,status,median_s,ci_lo_s,'
        echo ci_hi_s,total_s,rounds,iterations,flops,gflops,gbs,radius,launches
        cat
    } >"data/$study.results.csv"
    total_samples "$study" 0.01
    {
        printf '{"experiment": {"name": "%s", "source": "granular"}, "variants": [' "$study"
        printf '{"name": "jacobi/seq", "order": 1}, {"name": "jacobi/omp", "order": 2}, '
        printf '{"name": "seidel/seq", "order": 3}, {"name": "seidel/omp-racy", "order": 4, "chaotic": true}]}\n'
    } >"data/$study.run.json"
}

# query FILE [FORMAT [NEEDS]]: prints the rows of the file for the study, with blanks for tabs.
query() { of_study "$study" "${2:-lines}" figures/study.sql "$1" | tr '\t' ' '; }

gpu() {
    row 01 jacobi cuda-hostcheck 1 512 '' '' 228000 8 7.9 8.1 9 5
    row 02 jacobi cuda-global 1 512 '' '' 228000 4 3.9 4.1 4 5
    row 03 jacobi cuda-tiled 1 512 16 '' 228000 2 1.9 2.1 3 5
    row 04 jacobi cuda-tiled 1 512 8 '' 228000 1 1 1 5 5
    row 05 jacobi cuda-warp 1 512 '' '' 228000 0.5 '' '' '' 1
    row 06 jacobi cuda-tiled 0.666666667 512 16 '' 17 0.0001 '' '' 0.0002 3
    row 07 jacobi cuda-global 0.666666667 512 '' '' 17 0.0001 '' '' 0.0002 3
    row 08 jacobi cuda-tiled 1 512 16 100 100 0.0001 '' '' 0.0001 3
}

@test "sweeps of variants that keep the order are held against the window" {
    invent < <(row 01 jacobi seq 1 32 '' '' 12000 1 '' '' '' 3
               row 02 jacobi omp 1 32 '' '' 12001 1 '' '' '' 3
               row 03 jacobi seq 1 64 '' '' 12000 1 '' '' '' 3
               row 04 jacobi seq 1 48 '' '' 12000 1 '' '' '' 3
               row 05 jacobi seq 0.666666667 128 '' '' 17 1 '' '' '' 3
               row 06 seidel seq 1 128 '' '' 12 1 '' '' '' 3
               row 07 seidel omp-racy 1 128 '' '' 99 1 '' '' '' 3
               row 08 seidel seq 1 1024 '' '' 12 1 '' '' '' 3
               row 09 jacobi seq 1 32 '' 7 7 1 '' '' '' 3
               row 10 jacobi seq 0.666666667 32 '' '' 17 1 '' '' '' 3
               row 11 jacobi seq 0.666666667 64 '' '' 17 1 '' '' '' 3)
    run -0 query report/tables/sweeps.sql
    says 'jacobi 1 32 2 12000 to 12001 11900 to 13450 inside ' 'jacobi 1 64 1 12000 25600 to 26950 outside '
    # There is no window between two sizes with different windows, and none beyond the last size. Between two sizes with
    # the same window there is this window.
    [[ $output == *$'jacobi 1 48 1 12000   0.5'* && $output == *'seidel 1 1024 1 12   0.5'* ]]
    [[ $output == *'jacobi 2/3 128 1 17 16 to 19 inside '*'seidel 1 128 1 12 11 to 12 inside '* ]]
    # Of the counts within their windows, those of the smallest and the largest size have a row.
    [[ $output == *'jacobi 2/3 32 1 17 '* && $output != *'jacobi 2/3 64 '* ]]
}

@test "the spectral radius is predicted" {
    invent < <(row 01 jacobi seq 1 41 '' '' 12000 1 '' '' '' 3; row 02 seidel seq 1 32 '' '' 12 1 '' '' '' 3
               row 03 jacobi seq 0.25 41 '' '' 12 1 '' '' '' 3)
    run -0 query report/tables/sweeps.sql
    # 1 - 1 / 1001; 1 / |W_1(e)|; 0.75 + 0.25 sqrt(41 / 3) / 40.
    [[ $output == *'0.500000 0.999001'* && $output == *'0.500000 0.216083'* && $output == *'0.500000 0.773105'* ]]
}

@test "the gap between two GPU solvers is parted into its steps" {
    invent < <(gpu)
    run -0 query report/tables/granular-gaps.sql
    [[ $output == *'512 cuda-hostcheck cuda-tiled '*' 4.00 [3.76, 4.26] 6.13 '* ]]
    [[ $output == *'512 cuda-hostcheck cuda-global '*' 2.00 ['*' 50.0 %'* ]]
    [[ $output == *' 50.0 %'*'512 cuda-global cuda-tiled '*' 2.00 ['*' 50.0 %'* ]]
    # A single run has no interval.
    [[ $output == *'512 cuda-global cuda-warp '*' 8.00  '* ]]
    [ "${#lines[@]}" -eq 4 ]
    # A flag stands behind the number, before the sign of per cent.
    sed -i '1s/$/,flags/; 1!s/$/,/; /cuda-global/s/$/noisy/' "data/$study.results.csv"
    run -0 query report/tables/granular-gaps.sql
    [[ $output == *' 50.0ⁿ %'* && $output != *%ⁿ* ]]
}

@test "table 3.3.1 is of the method without weights, to convergence, with copies" {
    invent < <(gpu; row 11 jacobi seq 1 512 '' '' 228000 60 '' '' '' 1
               row 12 jacobi seq 0.666666667 512 '' '' 17 1 '' '' '' 3)
    run -0 query report/tables/granular-331.sql
    [ "${lines[0]}" = '512 2 366000 60000 50900  201000 9000 32600 ' ]
    # The source's tile 4 was not measured.
    [ "${lines[1]}" = '512 8       32800 5000' ]
    [ "${lines[2]}" = '512 16       32800 3000' ]
    [ "${#lines[@]}" -eq 3 ]
    # The figure likewise has a value for each tile, but not for other weights or fixed counts of sweeps.
    run -0 query figures/speed-by-tile.sql gnuplot
    [[ $output == *$'\n512 8 100.0 100.0 100.0 0\n512 16 50.0 '*$'\nEND_OF_curves\ncurves_count = 1\n'* ]]
}

@test "times to solution are compared within a study, each place with its own weight" {
    local rows
    rows=$(row 01 seidel seq 1 64 '' '' 12 0.004 0.0039 0.0041 '' 5
           row 02 jacobi seq 0.666666667 64 '' '' 17 0.006 0.0059 0.0061 '' 5
           row 03 jacobi seq 0.5 64 '' '' 20 0.007 0.0069 0.0071 '' 5
           row 04 jacobi cuda-tiled 0.666666667 64 16 '' 17 0.002 0.0019 0.0021 0.003 5
           row 05 jacobi cuda-tiled 0.5 64 16 '' 20 0.001 0.0009 0.0011 0.003 5)
    # The time of a library stands for no own program.
    invent < <(echo "$rows"; row 06 seidel cuda-exact 1 64 64 '' 12 0.002 0.0019 0.0021 0.003 5
               row 07 seidel blas-openblas-gemv-trsv 1 64 '' '' 12 0.001 0.0009 0.0011 '' 5)
    run -0 said solution-time
    [ "${#lines[@]}" -eq 1 ]
    says ' one_winner=seidel one_ratio=1.50 ' ' one_verdict=slower ' ' one_omega=2/3 ' ' gpu_omega=0.5 ' \
        ' gpu_winner=jacobi gpu_ratio=2.00 ' ' gpu_verdict=faster '
    # Times of another study stand there too, and decide nothing.
    invent <<<"$rows"
    study=other
    invent < <(row 06 seidel cuda-exact 1 64 64 '' 12 0.002 0.0019 0.0021 0.003 5)
    run -0 said solution-time
    says ' one_verdict=slower ' ' gpu_winner=jacobi gpu_ratio=2.00 ' ' gpu_verdict=undecided ' ' crossed=2 '
    # A machine that ran solvers on its GPU alone has its ratio.
    rm data/*
    study=invented
    invent < <(grep cuda <<<"$rows"; row 06 seidel cuda-exact 1 64 64 '' 12 0.002 0.0019 0.0021 0.003 5)
    run -0 said solution-time
    says ' gpu_verdict=faster ' ' gpu_omega=0.5 '
    [[ $output != *' one_ratio='* ]]
}

@test "a time to solution of another physical machine is in brackets, and has no ratio" {
    invent < <(row 01 seidel seq 1 64 '' '' 12 0.004 0.0039 0.0041 '' 5
               row 02 jacobi seq 0.5 64 '' '' 20 0.006 0.0059 0.0061 '' 5
               row 03 seidel cuda-exact 1 64 64 '' 12 0.002 0.0019 0.0021 0.003 5
               row 04 jacobi cuda-tiled 0.5 64 16 '' 20 0.001 0.0009 0.0011 0.003 5)
    sed -i '1s/$/,machine_mark/; 2,4s/$/,1234abcd/; 5s/$/,5678abcd/' data/invented.results.csv
    run -0 query report/tables/solution-time.sql
    says '64 one core  4.00 ms 6.00 ms 1.50 [' '64 GPU  2.00 ms (1.00 ms)' '64 GPU with copies  3.00 ms (3.00 ms)'
    [[ $output != *'ms) 0'* && $output != *'ms) 1'* ]]
}

@test "claims of solvers are judged where both sides are" {
    study=granular-jacobi
    invent < <(gpu)
    run -0 query report/tables/claims.sql
    # 9 / 3 is the largest gain of the tiles, with copies. The source saw more than 6.
    [[ $output == *'granular-4 '*' 3.00 '*' 512 explained: see granular-jacobi'* ]]
    [[ $output == *'granular-7 '*'not comparable here'* ]]
    invent < <(gpu; row 11 jacobi seq 1 512 '' '' 228000 60 59 61 '' 5
               row 12 seidel seq 1 512 '' '' 12 0.003 0.0029 0.0031 '' 5)
    run -0 query report/tables/claims.sql
    [[ $output == *'granular-7 '*' 2 of 2 parts 512 reproduced'* ]]
    # Without an interval nothing is decided, even by a factor.
    invent < <(row 11 jacobi seq 1 512 '' '' 228000 60 '' '' '' 1
               row 12 seidel seq 1 512 '' '' 12 0.003 '' '' '' 1)
    run -0 query report/tables/claims.sql
    [[ $output == *'granular-7 '*' 1 of 2 parts 512 undecided'* ]]
}

@test "residuals are drawn at the largest n of all methods, a variant a method" {
    invent < <(row 01 jacobi seq 1 64 '' '' 3 1 '' '' '' 3
               row 02 jacobi omp 1 64 '' '' 3 1 '' '' '' 3
               row 03 jacobi seq 0.5 64 '' '' 2 1 '' '' '' 3
               row 04 seidel seq 1 64 '' '' 2 1 '' '' '' 3
               row 05 jacobi seq 1 128 '' '' 3 1 '' '' '' 3
               row 06 jacobi seq 1 64 '' 3 3 1 '' '' '' 3)
    {
        echo cell,sweep,residual
        for cell in 01 02 03 04 05 06; do
            printf '%s,0,9%s\n%s,1,0.5\n' $cell $cell $cell
        done
    } >data/invented.history.csv
    run -0 query figures/residual-by-sweep.sql gnuplot
    [[ $output == *'curves_count = 3'* && $output == *'size = 64'* && $output == *'tolerance = 1.0e-05'* ]]
    [[ $output == *'jacobi, ω = 1 (seq)'*'jacobi, ω = 0.5 (seq)'*'seidel, ω = 1 (seq)'* ]]
    [[ $output == *'1 901'* && $output == *'1 903'* && $output == *'1 904'* && $output != *' 902'* &&
        $output != *' 905'* ]]
}

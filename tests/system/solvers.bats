#!/usr/bin/env bats
# Iterative solvers: their sweeps, residuals and ends in results, their axes in studies and figures.
# SPDX-License-Identifier: MIT
load common

@test "sweeps are counted in results and samples, and the residuals kept" {
    study seidel seidel <<<'grid: {n: [32, 512], variant: seq}'
    measure -0 seidel.yaml
    run column n,status,omega,sweeps,iterations data/seidel.results.csv
    [[ $output == *$'32 ok 1 - 11'* && $output =~ 512\ ok\ 1\ -\ 1[12] ]]
    [ "$(column iterations data/seidel.samples.csv | sort -u | tr -d '\n' | sed 's/1[12]//g')" = '' ]
    # Each cell has residuals from sweep 0 to the sweep whose residual was small enough.
    [ "$(column sweep data/seidel.history.csv | grep -c '^0$')" -eq 2 ]
    [ "$(column sweep data/seidel.history.csv | sort -n | tail -n 1)" -eq "$(column iterations data/seidel.results.csv |
        sort -n | tail -n 1)" ]
    cat >query.sql <<'SQL'
SELECT count(*) FROM results r WHERE r.iterations =
    (SELECT max(sweep) FROM history h WHERE h.host = r.host AND h.experiment = r.experiment AND h.cell = r.cell)
  AND r.residual <= 1e-5 AND r.radius BETWEEN 0.18 AND 0.25 AND r.flops = r.iterations * (2.0 * n * n + 4 * n);
SQL
    run "$TILELAB" query --data data --format tsv query.sql
    [ "${lines[1]}" = 2 ]
    run "$TILELAB" show seidel --data data
    [[ $output == *iterations* ]]
    # A study without solvers has neither a file of residuals nor counts of sweeps.
    tiny
    measure tiny.yaml
    [ ! -e data/tiny.history.csv ]
    [ "$(column iterations data/tiny.results.csv | sort -u)" = - ]
}

@test "two runs of a solver give the same bytes" {
    study jacobi jacobi <<<'grid: {n: 40, variant: seq, omega: [2/3, 0.5], sweeps: {for: seq, values: 9}}'
    measure -0 jacobi.yaml
    mkdir again
    "$TILELAB" run jacobi.yaml --profile quick --data again
    for file in results samples history; do
        cmp "data/jacobi.$file.csv" "again/jacobi.$file.csv"
    done
    [ "$(column sweeps,iterations data/jacobi.results.csv | sort -u)" = '9 9' ]
    if command -v jq >/dev/null; then
        [ "$(jq -r '.outputs | keys | join(" ")' data/jacobi.run.json)" = 'history.csv results.csv samples.csv' ]
    fi
}

@test "a method that diverges is told with its numbers, and no fault of the variant" {
    study jacobi jacobi <<<'grid: {n: [32, 40], variant: seq, omega: [0.5, {from: 1.4, to: 1.9, step: 0.1}]}'
    measure -1 jacobi.yaml
    run column n,omega,status data/jacobi.results.csv
    [ "$(grep -c 'diverged$' <<<"$output")" -eq 12 ]
    [[ $output == *'32 0.5 ok'*'40 0.5 ok'* && $output == *'40 1.9 diverged'* ]]
    [[ $(column reason data/jacobi.results.csv |
        grep -c 'sweeps the residual is .*, the smallest was .* after 0$') -eq 12 ]]
    [ "$(column status,iterations data/jacobi.results.csv | grep -c '^diverged [0-9]')" -eq 12 ]
    [ "$(column status,median_s data/jacobi.results.csv | grep -c '^diverged -$')" -eq 12 ]
}

@test "a fraction is a decimal in every output, and a fraction again in the label of a curve" {
    study jacobi jacobi <<<'grid: {n: 32, variant: seq, omega: [2/3, 1]}'
    run -0 "$TILELAB" run jacobi.yaml --profile quick --data data
    [[ $output == *' omega=0.666666667'* && $output == *' omega=1'* ]]
    [ "$(column omega data/jacobi.results.csv | tr '\n' ' ')" = '0.666666667 1 ' ]
    printf "SELECT group_concat(DISTINCT curve) FROM curves;\n" >query.sql
    run "$TILELAB" query --data data --set host=data --set experiment=jacobi --format tsv \
        "$root/figures/study.sql" query.sql
    [[ $output == *'seq, omega 2/3'* && $output == *'seq, omega 1'* ]]
    # A study that names no omega has omega = 1, which is the same cell.
    sed -i 's|omega: .*}|}|' jacobi.yaml
    run "$TILELAB" plan jacobi.yaml --profile quick --data data
    [[ $output == *'1 cells: 1 finished, 0 to measure'* ]]
}

@test "a run that would take too long is skipped with its prediction" {
    study jacobi jacobi <<<'grid: {n: 4096, variant: seq, omega: [1, 2/3]}'
    run "$TILELAB" plan jacobi.yaml --profile quick --data data
    [[ $output == *'2 cells'*'1 predicted over skip-above'* ]]
    sed -i 's|, 2/3||' jacobi.yaml
    measure jacobi.yaml
    run column status,reason data/jacobi.results.csv
    [[ $output == 'skipped one run is predicted to take '*'more than skip-above'* ]]
}

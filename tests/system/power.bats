#!/usr/bin/env bats
# What the report says of power and energy, from invented rows. SPDX-License-Identifier: MIT
# `root` is set by common.bash.
# shellcheck disable=SC2154
load common

# invent: writes the study `power` from lines "CELL VARIANT INPUTS SECONDS WATTS ERROR". The rounds spread by 2 %.
invent() {
    echo cell,round,launch,index,repeats,energy_j,power_w >data/power.samples.csv
    {
        echo experiment,cell,problem,variant,backend,precision,inputs,m,n,k,status,flags,rounds,launches,median_s,\
ci_lo_s,ci_hi_s,flops,gflops,energy_j,power_w,gflops_per_w,error,bound
        awk -v OFS=, '{
            n = 8192; flops = 2 * n ^ 3; joules = $4 * $5
            for (round = 0; round < 5; round++)
                print $1, round, round % 3, 0, 10, joules * (0.99 + round / 200), $5 >>"data/power.samples.csv"
            print "power", $1, "matmul", $2, $2 ~ /cu/ ? "cuda" : "cpu", "f32", $3 == "-" ? "" : $3, n, n, n, "ok", \
                $2 ~ /cublas/ ? "capped" : "", 5, 3, \
                $4, $4 * 0.99, $4 * 1.01, flops, flops / $4 / 1e9, joules, $5, flops / joules / 1e9, $6, 4
        }'
    } >data/power.results.csv
    cat >data/power.run.json <<'JSON'
{"experiment": {"name": "power", "problems": ["matmul"]}, "gpu": {"power_limit_w": 700}, "variants": [
    {"name": "matmul/cuda-global", "order": 1}, {"name": "matmul/cuda-shared", "order": 2},
    {"name": "matmul/cuda-register", "order": 3}, {"name": "matmul/cuda-vector", "order": 4},
    {"name": "matmul/cuda-3xf16", "order": 5, "tensor": "f32"},
    {"name": "matmul/cublas", "order": 6, "vendor": true, "library": "cublas"}]}
JSON
}

sql() { of_study power tsv figures/study.sql "$1"; }

@test "energy has its table, its figures, an answer to each question and verdicts on claims" {
    invent <<'ROWS'
01 matmul/cuda-global - 0.4 400 0.02
02 matmul/cuda-shared - 0.2 800 0.02
03 matmul/cuda-register - 0.1 800 0.02
08 matmul/cuda-vector - 0.09 920 0.02
04 matmul/cuda-3xf16 - 0.02 600 0.02
05 matmul/cublas - 0.025 400 0.02
06 matmul/cublas zeros 0.02 300 0
09 matmul/cublas integers 0.024 390 0
07 matmul/omp-packed - 2 200 0.02
ROWS
    run -0 sql report/tables/power.sql
    says $'cublas\t8192\t44000ᶜ\t400\t110\t10.0 J\t1.25 [1.23, 1.28]ᶜ\t300'
    run -0 sql figures/power-by-speed.sql
    says $'cublas\t' $'\t300.0\t54.97' # and the watts of zeros
    run -0 sql figures/efficiency-by-rung.sql
    says $'random inputs\t41\t0\t1\t6\t109.9' $'zeros\t44\t0\t1\t6\t183.2'

    run -0 said input-power
    says 'idea=cublas precision=f32 n=8192 kind=zeros ratio=1.25 low=1.23 high=1.28 flagged=ᶜ ' \
        'power=400 W kind_power=300 W' \
        'kind=integers ratio=1.04 low=1.021 high=1.06 flagged=ᶜ power=400 W kind_power=390 W'
    run -0 said rung-energy # two rungs more are faster; of one it is not known what energy it takes for that
    says 'idea=cuda-3xf16 base=cuda-vector ratio=6.90 ' 'time_ratio=4.50 ' 'only_time=cuda-vector open=cuda-shared '
    run -0 said digit-price
    says 'idea=cuda-3xf16 base=cublas ' 'ratio=0.833 '
    run -0 said least-energy
    says 'idea=matmul/cuda-3xf16 base=matmul/cublas same=0 ' 'ratio=1.20 '
    cd "$root"
    run -0 "$TILELAB" claims --data "$BATS_TEST_TMPDIR/data" --format csv
    says 'data,he-1,,reproduced,reproduced,1,1,1.25,' 'data,granular-11,,not comparable here'
    # The power limit is no doubt, but what a comparison was made at.
    run -0 "$TILELAB" claims --data "$BATS_TEST_TMPDIR/data"
    says '1.25 [1.23, 1.28], both at 700 W'
    run -0 "$TILELAB" findings --data "$BATS_TEST_TMPDIR/data"
    says 'has 1.25 [1.23, 1.28] (both at 700 W) times the speed'
}

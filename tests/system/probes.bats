#!/usr/bin/env bats
# Probes: the runner adds probes to a study, and a study may name probes. A probe that a kernel beats is broken.
# SPDX-License-Identifier: MIT
load common

# rows: writes the results of a study from lines "CELL VARIANT BACKEND PRECISION THREADS N SECONDS SLOWEST GFLOPS".
rows() {
    echo experiment,cell,problem,variant,backend,precision,isa,m,n,k,threads,status,median_s,ci_hi_s,flops,bytes,gflops
    while read -r cell variant backend precision threads n median slowest gflops; do
        local isa='' m=$n
        [ "$backend" != cpu ] || isa=v4
        [ "${variant%%/*}" != fma ] || m=768
        printf '%s,' invented "$cell" "${variant%%/*}" "$variant" "$backend" "$precision" "$isa" "$m" "$n" "$n"
        echo "${threads#-},ok,$median,$slowest,1000,8,$gflops"
    done
}

invent() {
    rows >data/invented.results.csv
    cat >data/invented.run.json <<'JSON'
{"experiment": {"name": "invented", "problems": ["matmul"], "figures": ["share-of-peak"]},
 "variants": [{"name": "matmul/cublas", "order": 20, "unit": "fma", "tensor": "f64"},
              {"name": "fma/cuda-tensor", "order": 60, "unit": "fma", "tensor": "f32 f64"}]}
JSON
}

# sql FILE...: the rows of SQL files after figures/study.sql; "-" is standard input.
sql() {
    local format=$1 file=$2
    [ "$file" != - ] || { file=$BATS_TEST_TMPDIR/query.sql; cat >"$file"; }
    of_study invented "$format" figures/study.sql "$file"
}

@test "a probe below a verified kernel is told to be broken" {
    invent <<'ROWS'
01 matmul/omp-ikj cpu f64 2 512 1.0 1.01 50
02 matmul/blas-openblas blas f64 2 512 1.0 1.01 150
03 fma/omp cpu f64 2 262144 1.0 1.0 120
ROWS
    run -0 said broken-probe
    local peak='side=CPU precision=f64 threads=2 tensor=0 peak=120 GFLOP/s'
    [[ "$output" == *"$peak idea=blas-openblas n=512 share=125.0 "* ]]
    run -0 sql gnuplot figures/share-of-peak.sql
    [[ "$output" == *"warning = 'A probe is broken: blas-openblas"* ]]
}

@test "one that a kernel does not pass with all of its interval is not" {
    invent <<'ROWS'
02 matmul/blas-openblas blas f64 2 512 1.0 1.5 150
03 fma/omp cpu f64 2 262144 1.0 1.0 120
04 matmul/blas-openblas blas f32 1 512 1.0 1.0 150
05 fma/omp cpu f32 2 262144 1.0 1.0 120
ROWS
    run -0 said broken-probe
    [ -z "$output" ]
    run -0 sql gnuplot figures/share-of-peak.sql
    [[ "$output" == *"warning = ''"* ]]
}

@test "what may run on tensor cores is held against these, and nothing else is" {
    invent <<'ROWS'
01 matmul/cublas cuda f64 - 1024 1.0 1.0 50000
02 matmul/cuda-shared cuda f64 - 1024 1.0 1.0 8000
03 fma/cuda cuda f64 - 16384 1.0 1.0 32000
04 fma/cuda-tensor cuda f64 - 16384 1.0 1.0 64000
ROWS
    run -0 sql lines - <<<'SELECT cell, gflops FROM peak ORDER BY cell;'
    [ "$output" = $'01\t64000.0\n02\t32000.0' ]
    run -0 said broken-probe
    [ -z "$output" ]
    # Without a probe of the tensor cores there is no peak to divide by.
    sed -i '/cuda-tensor/d' data/invented.results.csv
    run -0 sql lines - <<<'SELECT cell, gflops FROM peak ORDER BY cell;'
    [ "$output" = $'02\t32000.0' ]
}

@test "probes beside a study are no part of it, those that it names are" {
    invent <<'ROWS'
01 matmul/omp-ikj cpu f64 2 512 1.0 1.0 50
03 fma/omp cpu f64 2 262144 1.0 1.0 120
ROWS
    run -0 sql lines - <<<'SELECT cell, probe FROM cell ORDER BY cell;'
    [ "$output" = $'01\t0\n03\t1' ]
    sed -i 's/"matmul"/"matmul", "fma"/' data/invented.run.json
    run -0 sql lines - <<<'SELECT cell, probe FROM cell ORDER BY cell;'
    [ "$output" = $'01\t0\n03\t0' ]
}

@test "a study of probes alone gets no others, and none twice" {
    unset TILELAB_FAKE_TIMER
    study alone triad <<'YAML'
grid: {n: [100, 200], variant: omp, threads: 1}
measure: {rounds: 1, launches: 1, max-time: 1ms}
YAML
    measure -0 alone.yaml
    [ "$(column variant,n,status data/alone.results.csv | sort)" = $'triad/omp 100 ok\ntriad/omp 200 ok' ]
    # A product brings the probes that its peak is made of, without the cell that the study has already.
    study both '[matmul, fma]' <<'YAML'
grid:
  n: [{for: matmul/*, values: 16}, {for: fma/*, values: 262144}]
  m: [{for: fma/*, values: 768}, {for: matmul/*, values: 16}]
  variant: [matmul/seq-ikj, fma/omp]
  threads: 1
measure: {rounds: 1, launches: 1, max-time: 1ms}
YAML
    measure -0 both.yaml
    [ "$(column variant data/both.results.csv | sort | tr '\n' ' ')" = 'copy/omp fma/omp matmul/seq-ikj read/omp ' ]
}

@test "a kernel on PoCL, which uses all threads of the CPU, has a share of the peak of all threads" {
    invent <<'ROWS'
01 matmul/opencl-tiled opencl f64 - 512 1.0 1.01 30
02 fma/omp cpu f64 2 262144 1.0 1.0 120
03 fma/omp cpu f64 1 262144 1.0 1.0 60
ROWS
    sed -i -e '1s/$/,device-id/' -e '/opencl/s/$/,opencl:0/' -e '/fma/s/$/,/' data/invented.results.csv
    jq '.opencl = [{"id": "opencl:0", "kind": "CPU", "name": "cpu"}]' data/invented.run.json >record.json
    mv record.json data/invented.run.json
    run -0 sql tsv - <<<"SELECT side, gflops FROM good JOIN (SELECT cell, gflops AS peak FROM peak) USING (cell) \
        WHERE peak = 120 AND backend = 'opencl';"
    [ "$output" = $'side\tgflops\nCPU\t30.0' ]
}

@test "a peak of two threads below that of one is broken, and nothing is a share of a broken peak" {
    invent <<'ROWS'
01 matmul/omp-ikj cpu f64 2 512 1.0 1.01 50
02 matmul/omp-ikj cpu f64 1 512 1.0 1.01 30
03 matmul/blas-openblas blas f64 1 512 1.0 1.01 90
04 fma/omp cpu f64 1 262144 1.0 1.0 120
05 fma/omp cpu f64 2 262144 1.0 1.0 100
ROWS
    run -0 said broken-probe
    [[ "$output" == *'threads=2 tensor=0 peak=100 GFLOP/s'*'cause=threads fewer=1 fewer_rate=120 GFLOP/s'* ]]
    [ "${#lines[@]}" -eq 1 ]
    run -0 sql lines - <<<"SELECT cell, share, broken FROM peaks ORDER BY cell;"
    [ "$output" = $'01\t\tthreads\n02\t25.0\t\n03\t75.0\t' ]
    # Tables, figures and findings leave the share out; one thread keeps its own.
    sed -i 's/^05,/05,/; /,02,matmul/d' data/invented.results.csv
    run -0 sql tsv report/tables/best.sql
    [[ "${lines[0]}" == *'% of peak'* && "${lines[1]}" == *$'CPU × 2\tomp-ikj\t1.00 s\t50.0\t\t\t\t\topenblas'* ]]
    run -0 sql gnuplot figures/share-of-peak.sql
    [[ "$output" == *"warning = 'A probe is broken: fewer threads have a higher peak'"* ]]
}

@test "a rate that only caches can give makes no solver the best one" {
    {
        echo experiment,cell,problem,variant,backend,precision,n,threads,omega,sweeps,status,rounds,launches,median_s,\
ci_lo_s,ci_hi_s,bytes,gflops,gbs
        while read -r cell variant backend n omega sweeps median gbs; do
            echo "invented,$cell,${variant%/*},$variant,$backend,f64,$n,2,${omega#-},${sweeps#-},ok,5,3,\
$median,$median,$median,8,1,$gbs"
        done <<'ROWS'
01 jacobi/omp-small cpu 64 1 100 0.1 50
02 jacobi/blas-openblas-gemv blas 64 1 100 0.2 25
03 jacobi/omp cpu 128 1 100 1.0 30
04 jacobi/blas-openblas-gemv blas 128 1 100 1.1 27
05 read/omp cpu 262144 - - 0.1 40
ROWS
    } >data/invented.results.csv
    cat >data/invented.run.json <<'JSON'
{"experiment": {"name": "invented", "problems": ["jacobi"], "figures": ["gflops-by-n"]},
 "variants": [{"name": "jacobi/omp", "order": 1, "unit": "memory"},
              {"name": "jacobi/omp-small", "order": 3, "unit": "memory"},
              {"name": "jacobi/blas-openblas-gemv", "order": 2, "unit": "memory", "vendor": true,
               "library": "openblas"}]}
JSON
    run -0 of_study invented tsv report/summary.sql
    [[ $output == *$'\t128\tomp\t30.0 GB/s\t'* && $output != *$'\t64\t'* ]]
    # Without a ceiling the highest rate counts.
    sed -i '/read.omp/d' data/invented.results.csv
    run -0 of_study invented tsv report/summary.sql
    [[ $output == *$'\t64\tomp-small\t50.0 GB/s\t'* ]]
}

@test "a share above 100 % whose interval holds 100 % is not told" {
    invent <<'ROWS'
01 matmul/blas-openblas blas f64 2 512 1.0 1.5 150
02 fma/omp cpu f64 2 262144 1.0 1.0 120
ROWS
    run -0 sql lines - <<<"SELECT share IS NULL, broken IS NULL, gflops FROM peaks;"
    [ "$output" = $'1\t1\t120.0' ]
}

@test "a ceiling is the highest rate that any round of any study has reached on the machine" {
    invent <<'ROWS'
01 matmul/omp-ikj cpu f64 2 512 1.0 1.01 100
02 fma/omp cpu f64 2 262144 1.0 1.1 90
03 read/omp cpu f64 2 4096 1.0 1.0 0
ROWS
    # Its fastest round took half of the median: 180 GFLOP/s.
    sed -i '1s/$/,ci_lo_s,gbs,machine_mark/; 2s/$/,1.0,,here/; 3s/$/,0.5,,here/; 4s/$/,1.0,40,here/' \
        data/invented.results.csv
    run -0 sql lines - <<<"SELECT cell, share, gflops, broken, gbs FROM peaks;"
    [ "$output" = $'01\t55.5555555555556\t180.0\t\t40.0' ]
    # A study of the same machine has a faster probe, and one whose small array a cache holds.
    sed 's/^invented/other/' data/invented.results.csv >data/other.results.csv
    sed -i '/matmul/d; s/,90,0.5,/,200,1.0,/' data/other.results.csv
    sed -n 's/,4096,4096,4096,/,16,16,16,/; s/,40,here$/,900,here/; s/^other,03/other,04/p' data/other.results.csv \
        >small
    # Another machine does not count. It has read a small array alone, which says nothing of its memory.
    sed -n 's/,200,1.0,,here/,800,1.0,,there/; s/^other,02/other,05/p' data/other.results.csv >there
    sed 's/^other,04/other,06/; s/here$/there/' small >>there
    cat small there >>data/other.results.csv
    run -0 sql lines - <<<"SELECT cell, share, gflops, broken, gbs FROM peaks;"
    [ "$output" = $'01\t50.0\t200.0\t\t40.0' ]
    run -0 sql lines - <<<"SELECT problem, count(DISTINCT machine) FROM ceilings GROUP BY problem ORDER BY problem;"
    [ "$output" = $'fma\t2\nread\t1' ]
    run -0 said broken-probe
    [ -z "$output" ]
}

@test "a probe that another machine measured again remains the ceiling of the times that its machine has" {
    invent <<'ROWS'
01 matmul/omp-ikj cpu f64 2 512 1.0 1.01 100
02 fma/omp cpu f64 2 262144 1.0 1.0 800
ROWS
    sed -i '1s/$/,ci_lo_s,machine_mark,source_hash/; 2s/$/,1.0,here,s/; 3s/$/,1.0,there,s/' data/invented.results.csv
    run -0 sql lines - <<<"SELECT share, gflops FROM peaks;"
    [ "$output" = $'\t' ]
    sed -n '1p; s/,800,1.0,there,/,200,1.0,here,/p' data/invented.results.csv >data/invented.archive.csv
    run -0 sql lines - <<<"SELECT share, gflops FROM peaks;"
    [ "$output" = $'50.0\t200.0' ]
    # A probe of other code is none.
    sed -i 's/,s$/,t/' data/invented.archive.csv
    run -0 sql lines - <<<"SELECT share, gflops FROM peaks;"
    [ "$output" = $'\t' ]
}

@test "a round with a flag is no ceiling, and a probe in doubt gives way to one without doubt" {
    invent <<'ROWS'
01 matmul/omp-ikj cpu f64 2 512 1.0 1.01 50
02 fma/omp cpu f64 2 262144 1.0 1.0 100
ROWS
    sed -i '1s/$/,ci_lo_s,flags/; 2s/$/,1.0,/; 3s/$/,0.5,noisy/' data/invented.results.csv
    # The samples tell which rounds are in doubt.
    printf '%s\n' cell,round,kernel_s,flags 02,0,0.5,noisy 02,1,0.8, 02,2,1.0, >data/invented.samples.csv
    run -0 sql lines - <<<"SELECT gflops FROM peaks;"
    [ "$output" = 125.0 ]
    # They do so too where the rows tell their launches, which older ones do not.
    sed -i '1s/$/,launches/; 2,$s/$/,3/' data/invented.results.csv
    run -0 sql lines - <<<"SELECT gflops FROM peaks;"
    [ "$output" = 125.0 ]
    # Without them the median counts, and only while no other probe is without doubt.
    rm data/invented.samples.csv
    run -0 sql lines - <<<"SELECT gflops FROM peaks;"
    [ "$output" = 100.0 ]
    sed -n '1p; s/,02,\(.*\),100,0.5,noisy/,03,\1,90,1.0,/p' data/invented.results.csv |
        sed 's/^invented/other/' >data/other.results.csv
    run -0 sql lines - <<<"SELECT gflops FROM peaks;"
    [ "$output" = 90.0 ]
}

@test "a share is useful or executed: both triangles, and products of parts, are more than is needed" {
    {
        echo experiment,cell,problem,variant,backend,precision,n,k,status,median_s,ci_lo_s,ci_hi_s,flops,bytes,gflops
        # n^2 k = 1e9: programs before 0.3.0 counted 2e9 operations, and n(n+1)k = 1.001e9 are needed.
        echo invented,01,aat,aat/cuda-b,cuda,f32,1000,1000,ok,0.01,0.01,0.01,2e9,8,200
        echo invented,02,aat,aat/cuda-sym,cuda,f32,1000,1000,ok,0.005,0.005,0.005,2e9,8,400
        echo invented,03,aat,aat/cuda-3xtf32,cuda,f32,1000,1000,ok,0.002,0.002,0.002,2e9,8,1000
        echo invented,04,matmul,matmul/cuda-3xf16,cuda,f32,1000,1000,ok,0.002,0.002,0.002,2e9,8,1000
        echo invented,05,fma,fma/cuda,cuda,f32,16384,16384,ok,1,1,1,1,8,1000
        echo invented,06,fma,fma/cuda-tensor,cuda,f32,16384,16384,ok,1,1,1,1,8,2000
    } >data/invented.results.csv
    cat >data/invented.run.json <<'JSON'
{"experiment": {"name": "invented", "problems": ["aat", "matmul"], "tables": ["ladder"]},
 "variants": [{"name": "aat/cuda-3xtf32", "order": 1, "unit": "fma", "tensor": "f32"},
              {"name": "matmul/cuda-3xf16", "order": 2, "unit": "fma", "tensor": "f32"},
              {"name": "fma/cuda-tensor", "order": 3, "unit": "fma", "tensor": "f32 f64"},
              {"name": "fma/cuda-tensor-f16", "order": 4, "unit": "fma", "tensor": "f32"},
              {"name": "matmul/cuda-int8-f64", "order": 5, "unit": "fma", "tensor": "f64"},
              {"name": "fma/cuda-tensor-i8", "order": 6, "unit": "fma", "tensor": "i32"}]}
JSON
    run -0 sql tsv report/tables/ladder.sql
    [[ $output == *$'\t% of peak\t% executed\t'* ]]
    [[ $output == *$'aat f32\tcuda-b\t100\t\t\t10.0\t20.0\t'* ]]
    [[ $output == *$'aat f32\tcuda-sym\t200\t'*$'\t20.0\t\t'* ]]
    [[ $output == *$'aat f32\tcuda-3xtf32\t501\t'*$'\t25.0\t75.1\t'* ]]
    # Products of FP16 numbers are held against the probe that multiplies such numbers alone.
    share="SELECT cell, share IS NULL, executed_share IS NULL FROM peaks WHERE cell = '04';"
    run -0 sql lines - <<<"$share"
    [ "$output" = $'04\t1\t1' ]
    echo invented,07,fma,fma/cuda-tensor-f16,cuda,f32,16384,16384,ok,1,1,1,1,8,4000 >>data/invented.results.csv
    run -0 sql lines - <<<"SELECT cell, gflops, share, executed_share FROM peaks WHERE cell = '04';"
    [ "$output" = $'04\t4000.0\t25.0\t75.0' ]
    # So are products of residues in f64, which are bytes.
    echo invented,08,matmul,matmul/cuda-int8-f64,cuda,f64,1000,1000,ok,0.02,0.02,0.02,2e9,8,100 \
        >>data/invented.results.csv
    echo invented,09,fma,fma/cuda-tensor-i8,cuda,i32,16384,16384,ok,1,1,1,1,8,2000 >>data/invented.results.csv
    run -0 sql lines - <<<"SELECT cell, gflops, share, executed_share FROM peaks WHERE cell = '08';"
    [ "$output" = $'08\t2000.0\t5.0\t75.0' ]
}

@test "rows of older programs, which counted both triangles, have the rate of new rows" {
    mkdir -p new
    while read -r folder rate; do
        {
            echo experiment,cell,problem,variant,backend,precision,n,k,status,rounds,median_s,flops,gflops
            echo "invented,01,aat,aat/seq-ijk,cpu,f64,1000,500,ok,5,0.01,$rate"
            echo invented,02,matmul,matmul/seq-ijk,cpu,f64,1000,500,ok,5,0.01,1e9,100
        } | tee "$folder/invented.archive.csv" >"$folder/invented.results.csv"
    done <<<$'data 1e9,100\nnew 500500000,50.05'
    for table in results archive; do
        for folder in data new; do
            echo "SELECT variant, flops, gflops FROM $table;" >counted.sql
            run -0 "$TILELAB" query --data "$folder" --format lines counted.sql
            [ "$output" = $'aat/seq-ijk\t500500000.0\t50.05\nmatmul/seq-ijk\t1000000000.0\t100.0' ]
        done
    done
    for format in text csv; do
        "$TILELAB" show invented --data data --format "$format" | sed '1s/ in data:/ in new:/' >old
        "$TILELAB" show invented --data new --format "$format" | diff old -
        grep -q '50\.05' old
    done
}

@test "README and summary have one speed for a product with its transpose, the laboratory's own figure another" {
    {
        printf 'experiment,cell,problem,variant,backend,precision,threads,n,status,rounds,median_s,ci_lo_s,ci_hi_s,'
        echo flops,gflops
        echo frontier-cpu,01,aat,aat/omp-packed,cpu,f64,2,1000,ok,5,0.01,0.01,0.01,1.001e9,100.1
        echo frontier-cpu,02,aat,aat/blas-openblas-syrk,blas,f64,2,1000,ok,5,0.016,0.016,0.016,2e9,125
    } >data/frontier-cpu.results.csv
    cat >data/frontier-cpu.run.json <<'JSON'
{"experiment": {"name": "frontier-cpu", "problems": ["aat"], "tables": ["frontier"]},
 "variants": [{"name": "aat/omp-packed", "order": 1, "unit": "fma"},
              {"name": "aat/blas-openblas-syrk", "order": 2, "unit": "fma", "vendor": true, "library": "openblas"}]}
JSON
    cd "$root"
    run -0 "$TILELAB" query --data "$BATS_TEST_TMPDIR/data" --format lines tools/readme-frontier.sql
    [[ $output == *'| 100 GFLOP/s |'* ]]
    run -0 "$TILELAB" query --data "$BATS_TEST_TMPDIR/data" --set host=data --set studies= --set hosts=all \
        --format tsv report/summary.sql
    [[ $output == *$'\tomp-packed\t100 GFLOP/s\t'* ]]
    run -0 "$TILELAB" query --data "$BATS_TEST_TMPDIR/data" --set host=data --set experiment=frontier-cpu --format tsv \
        figures/study.sql report/tables/frontier.sql
    [[ $output == *$'\tomp-packed\t100\t62.6\t'* ]]
    {
        printf 'experiment,cell,problem,variant,backend,precision,tile,n,status,rounds,median_s,ci_lo_s,ci_hi_s,'
        echo flops,gflops
        echo lab5-aat,01,aat,aat/cuda-b,cuda,f32,32,1000,ok,5,0.01,0.01,0.01,1.001e9,100.1
    } >"$BATS_TEST_TMPDIR/data/lab5-aat.results.csv"
    run -0 "$TILELAB" query --data "$BATS_TEST_TMPDIR/data" --set host=data --set experiment=lab5-aat --format tsv \
        figures/study.sql report/tables/lab5-5.sql
    [[ $output == *$'B (cuda-b)\tGFLOP/s\t200' ]]
}

@test "a kernel stands in a roofline at the traffic that it asks for, below roofs that no kernel passes" {
    invent <<'ROWS'
01 matmul/cublas cuda f64 - 1024 0.001 0.001 50000
02 matmul/cuda-shared cuda f64 - 1024 0.001 0.001 16000
03 matmul/cuda-shared cuda f64 - 1024 0.002 0.002 8000
04 fma/cuda cuda f64 - 16384 1.0 1.0 32000
05 read/cuda cuda f64 - 16384 1.0 1.0 0
ROWS
    sed -i '1s/$/,gbs,tile/; 2s/$/,,/; 3s/$/,,32/; 4s/$/,,16/; 5s/$/,,/; 6s/$/,9000,/' data/invented.results.csv
    run -0 sql facts figures/roofline.sql
    [[ "$output" == *'idea=cuda-shared'*'tile=32'*'share=50.0'* ]]
    # A tile of 32 reads half of what a tile of 16 reads. The library has no traffic that is known.
    run -0 sql gnuplot figures/roofline.sql
    [[ $output == *'curves_count = 1'*"slopes_name[1] = ['memory']"*"flats_name[1] = ['FMA']"* ]]
    [[ $output == *$'\n1 16 14.7'*$' 8000.0 0\n1 32 29.3'*$' 16000.0 0\n'* ]]
    sed -i 's/,9000,/,500,/' data/invented.results.csv
    run -0 sql gnuplot figures/roofline.sql
    [[ $output == *'slopes_count = 0'* ]]
    # Shared memory, whose data path the L1 cache has too, is read by another study, as a matrix that is not square.
    {
        echo experiment,cell,problem,variant,backend,precision,m,n,status,rounds,launches,median_s,ci_lo_s,ci_hi_s,gbs
        echo peaks,01,smem,smem/cuda,cuda,f32,4096,1024,ok,5,3,1,1,1,1500
    } >data/peaks.results.csv
    echo '{"experiment": {"name": "peaks", "problems": ["smem"]}, "variants": [{"name": "smem/cuda"}]}' \
        >data/peaks.run.json
    run -0 sql gnuplot figures/roofline.sql
    [[ $output == *'slopes_count = 1'*"slopes_name[1] = ['L1']"*'slopes_value[1] = [1500'* ]]
}

@test "a probe runs in the rounds of the largest product on its threads, and again when such a product is measured" {
    unset TILELAB_FAKE_TIMER
    [ "$(nproc)" -gt 1 ] || skip 'one core'
    study rounds <<'YAML'
grid: {n: [32, {per-thread: 32}], variant: omp-ikj, threads: [1, 2]}
measure: {rounds: 2, launches: 1, max-time: 1ms}
YAML
    measure -0 rounds.yaml
    # The order of the lines is that of the points: one thread computes n = 32 only.
    order=$(sed -nE 's/.*\] [a-z]+\/([a-z-]+) .*threads=([0-9]).*/\1 \2/p' <<<"$output" |
        awk '!seen[$0]++' | tr '\n' ' ')
    [ "$order" = 'omp-ikj 1 omp-ikj 2 omp 1 omp 2 ' ] || { echo "$order"; echo "$output"; return 1; }
    run "$TILELAB" plan rounds.yaml --data data
    [[ "$output" == *' 0 to measure'* ]]
    # With --only a probe comes along where it was measured before in the rounds of such a product, and nowhere else.
    run "$TILELAB" plan rounds.yaml --data data --again --only n=64
    [[ "$output" == *' 3 to measure: in the rounds of what it bounds'*'  4 cells:'* ]]
    run "$TILELAB" plan rounds.yaml --data data --again -k 'n=32 and threads=2'
    [[ "$output" == *'  1 cells:'* ]]
    run "$TILELAB" plan rounds.yaml --data fresh --only n=64
    [[ "$output" == *'  1 cells:'* ]]
    sed -i 's/omp-ikj/[omp-ijk, omp-ikj]/' rounds.yaml
    run "$TILELAB" plan rounds.yaml --data data
    [[ "$output" == *' 3 to measure: missing'*' 6 to measure: in the rounds of what it bounds'* ]]
    # A smaller product alone brings no probe.
    sed -i -e 's/\[omp-ijk, omp-ikj\]/omp-ikj/' -e 's/n: \[32/n: [16, 32/' rounds.yaml
    run "$TILELAB" plan rounds.yaml --data data
    [[ "$output" == *' 2 to measure: missing'* && "$output" != *bounds* ]]
}

@test "a probe of parts, measured for its own sake, breaks no peak of the whole numbers" {
    cd "$root"
    grep -q ',fma/cuda-tensor-f16,' data/h100/peaks.results.csv
    run -0 "$TILELAB" query --data data/h100 --set host=h100 --set studies= --set hosts=all --format facts \
        report/chosen-cells.sql report/notes/broken-probe.sql
    [[ $output == *'notes/broken-probe'* ]] || { echo "$output"; return 1; }
    # It multiplies on the GPU; a kernel may well be above a probe of the processor's cores.
    ! grep 'side=GPU.*peak=' <<<"$output"
}

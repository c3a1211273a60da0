#!/usr/bin/env bats
# Claims as data: their verdicts, the file that holds them, and verdicts that have changed.
# SPDX-License-Identifier: MIT

# `root` is set by common.bash.
# shellcheck disable=SC2154
load common

header=id,part,statement,studies,quantity,subject,subject_at,reference,reference_at,match,points,relation,value,to
header+=,tolerance,not_here,published,unit

# claims ROW...: writes a file of claims.
claims() {
    printf '%s\n' "$header" "$@" >claims.csv
}

# times SECONDS...: invents a study with seq-ijk at 1 s and seq-ikj at each time, at sizes 64, 128, ...
times() {
    local n=64 cell=0 s interval
    {
        echo experiment,cell,problem,variant,backend,precision,n,status,rounds,launches,median_s,ci_lo_s,ci_hi_s,gflops
        for s; do
            echo "mine,$((cell++)),matmul,matmul/seq-ijk,cpu,f64,$n,ok,5,3,1,0.98,1.02,1"
            interval=$(awk "BEGIN { print $s * 0.98 \",\" $s * 1.02 }")
            echo "mine,$((cell++)),matmul,matmul/seq-ikj,cpu,f64,$n,ok,5,3,$s,$interval,2"
            n=$((2 * n))
        done
    } >data/mine.results.csv
    echo '{"experiment": {"name": "mine"}, "variants": []}' >data/mine.run.json
}

judge() {
    run "$TILELAB" claims --data data --claims claims.csv "$@"
}

ratio='mine,,twice as fast,mine,time ratio,matmul/seq-ijk,,matmul/seq-ikj,,,'

@test "a claim of one's own is reproduced, not reproduced, undecided or not comparable" {
    local both=mine,time\ ratio,matmul/seq-ijk,,matmul/seq-ikj
    claims "${ratio}largest,=,2,,,,2,x" "bound,,more than 2,$both,,,largest,>,2,,,,," \
        "slow,,slower,$both,,,largest,<,1,,,,," \
        "size,,at 4096,mine,time ratio,matmul/seq-ijk,n=4096,matmul/seq-ikj,,,largest,<,1,,,,,"
    times 0.5
    judge
    [ "$status" -eq 0 ] || { echo "$output"; return 1; }
    [[ $output == *$'mine         data       reproduced'* ]]
    [[ $output == *$'bound        data       undecided'*'(interval holds a bound)'* ]]
    [[ $output == *$'slow         data       not reproduced'* ]]
    [[ $output == *$'size         data       not comparable here'* ]]
    [[ $output == *'1 reproduced, 0 by model, 1 not reproduced, 1 undecided, 0 explained, 0 other hardware, '* ]]
    [[ $output == *', 1 not comparable here' ]]
}

@test "a slower kernel does not reproduce the claim that it is faster, and the text says what its number means" {
    claims "fast,,ijk is faster,mine,speed ratio,matmul/seq-ijk,,matmul/seq-ikj,,,largest,>,1,,,,1,x"
    times 0.5
    judge
    [[ $output == 'fast '*' not reproduced '*' here 0.500 [0.480, 0.520] times the speed of matmul/seq-ikj, '* ]] ||
        { echo "$output"; return 1; }
    # A mark behind the number leads to the legend.
    sed -i '1s/$/,flags/; /seq-ikj/s/$/,noisy/; /seq-ijk/s/$/,/' data/mine.results.csv
    judge
    [[ $output == *'0.520]ⁿ times the speed'*'ⁿ noisy: other programs'* ]] || { echo "$output"; return 1; }
}

@test "where two sides are the same, none is faster, and each is as fast as the other" {
    local both='time ratio,matmul/seq-ijk,,matmul/seq-ikj,,,largest'
    claims "slower,,slower,mine,$both,>,1,,,,," "faster,,faster,mine,$both,<,1,,,,," \
        "least,,not faster,mine,$both,>=,1,,,,,"
    times 1.001
    # The intervals of two per cent are too wide to say so.
    judge
    says 'slower       data       undecided' 'least        data       undecided'
    sed -i 's/,1,0.98,1.02,/,1,0.999,1.001,/; s/,1.001,0.98[0-9]*,1.02[0-9]*,/,1.001,1,1.002,/' data/mine.results.csv
    judge
    says 'slower       data       not reproduced' 'faster       data       not reproduced' \
        'least        data       reproduced'
}

@test "a cell is of the kind of the device that it names, also if the last run numbers devices otherwise" {
    claims 'gpu,,on a GPU,mine,gflops,matmul/opencl-*,side=GPU,,,,largest,=,5,,,,,' \
        'cpu,,on a CPU,mine,gflops,matmul/opencl-*,side=CPU,,,,largest,=,5,,,,,'
    mkdir -p data
    {
        echo experiment,cell,problem,variant,backend,device,precision,n,device-id,status,rounds,launches,median_s,\
ci_lo_s,ci_hi_s,gflops
        echo mine,1,matmul,matmul/opencl-tiled,opencl,The GPU,f64,64,opencl:0,ok,5,3,1,0.98,1.02,5
    } >data/mine.results.csv
    local device='{"id": "%s", "name": "%s", "kind": "%s"}'
    # shellcheck disable=SC2059 # the formats are above
    printf '{"experiment": {"name": "mine"}, "variants": [], "opencl": ['"$device, $device"']}' \
        opencl:0 'The CPU' CPU opencl:1 'The GPU' GPU >data/mine.run.json
    judge
    says 'gpu          data       reproduced' 'cpu          data       not comparable here'
}

@test "a claim on a flagged time, or on one of too few rounds or launches, is undecided, and the reason is told" {
    local change
    claims "${ratio}largest,=,2,,,,2,x" 'rate,,fast,mine,gflops,matmul/seq-ijk,,,,,largest,=,1,,,,,'
    for change in s/,5,3,/,5,2,/ s/,5,3,/,4,3,/ s/,5,3,/,5,,/; do
        times 0.5
        sed -i "/seq-ikj/$change" data/mine.results.csv
        judge
        [[ $output == *'mine         data       undecided'*'('[45]' rounds in '*')'* ]] ||
            { echo "$output"; return 1; }
        [[ $output == *'rate         data       reproduced'* ]] || { echo "$output"; return 1; }
    done
    times 0.5
    sed -i '1s/$/,flags/; /seq-ikj/s/$/,noisy/; /seq-ijk/s/$/,/' data/mine.results.csv
    judge
    [[ $output == *'mine         data       undecided'*'(flagged)'* ]] ||
        { echo "$output"; return 1; }
}

@test "every point of a claim counts if the claim says so, else the largest size" {
    times 2 1.2 0.5
    claims "${ratio}largest,=,2,,,,2,x" "all,,faster,mine,time ratio,matmul/seq-ijk,,matmul/seq-ikj,,,every,>,1,,,,,"
    judge
    [[ $output == *'mine         data       reproduced'* && $output == *'all          data       not reproduced'* ]] ||
        { echo "$output"; return 1; }
    [[ $output == *'1 of 3 points'* ]]
}

@test "a claim about the largest size is judged at the largest that gives a verdict, down to a quarter of all" {
    claims "${ratio}largest,=,2,,,,2,x"
    times 0.5 4
    sed -i '/,128,/s/,5,3,/,5,2,/' data/mine.results.csv
    judge
    says 'mine         data       reproduced           here 2.00 ['
    times 0.5 4 4 4
    sed -i '/,64,/!s/,5,3,/,5,2,/' data/mine.results.csv
    judge
    says 'mine         data       undecided' '(5 rounds in 2 launches)'
}

@test "the parts of a claim are judged together" {
    times 0.5
    claims 'two,a,twice,mine,time ratio,matmul/seq-ijk,,matmul/seq-ikj,,,largest,=,2,,,,2,x' \
        'two,b,,mine,gflops,matmul/seq-ikj,,,,,largest,=,9,,,,,'
    judge
    [[ $output == *'not reproduced'*'1 of 2 parts'* ]] || { echo "$output"; return 1; }
    # A part that was not measured is counted apart.
    sed -i 's/^two,b,.*/two,b,,mine,gflops,matmul\/omp-*,,,,,largest,=,9,,,,,/' claims.csv
    judge
    says 'reproduced           here 1 of 1 parts, 1 not compared'
}

@test "a claim that does not hold is explained where its row says so" {
    times 0.5
    header+=,explained
    claims "${ratio}largest,=,9,,,,2,x,a-section" \
        'held,,twice,mine,time ratio,matmul/seq-ijk,,matmul/seq-ikj,,,largest,=,2,,,,2,x,a-section' \
        'never,,a guess,,,,,,,,,,,,,no figure,,,a-section'
    judge
    [[ $output == *$'mine         data       explained'*'(see a-section)'* ]] || { echo "$output"; return 1; }
    [[ $output == *$'held         data       reproduced'* ]] || { echo "$output"; return 1; }
    [[ $output == *$'never        data       explained'*'no figure)'* ]] || { echo "$output"; return 1; }
}

@test "what tiles save is judged by counting, and the formula of their time by two tiles" {
    {
        echo experiment,cell,problem,variant,backend,precision,m,n,k,tile,status,rounds,launches,median_s,ci_lo_s,\
ci_hi_s,gflops
        echo mine,1,matmul,matmul/cuda-global,cuda,f32,1024,1024,1024,16,ok,5,3,16,15.9,16.1,1
        echo mine,2,matmul,matmul/cuda-shared,cuda,f32,1024,1024,1024,16,ok,5,3,3,2.99,3.01,1
        echo mine,3,matmul,matmul/cuda-shared,cuda,f32,1024,1024,1024,32,ok,5,3,2.5,2.49,2.51,1
    } >data/mine.results.csv
    echo '{"experiment": {"name": "mine"}, "variants": []}' >data/mine.run.json
    claims 'global,,x,mine,global reads,matmul/cuda-shared,tile=32,,,,largest,=,0.03125,,0,,,' \
        'shared,,x,mine,shared reads,matmul/cuda-shared,tile=32,,,,largest,=,1,,0,,,' \
        'reuse,,x,mine,reuse ratio,matmul/cuda-*,tile=39,,,,largest,=,13.11,,0.001,,,' \
        'formula,,x,mine,tile formula ratio,matmul/cuda-shared,,matmul/cuda-global,,,largest,=,1,,0.05,,,'
    judge
    [[ $output == *'1 reproduced, 3 by model, 0 not reproduced'* ]] || { echo "$output"; return 1; }
    # The reads follow from the code, so that they need neither a time nor a small size.
    sed -i 's/1024,1024,1024/1536,1536,1536/; s/,ok,.*/,skipped,,,,,,/' data/mine.results.csv
    judge
    [[ $output == *'0 reproduced, 3 by model, 0 not reproduced, 0 undecided'* ]] || { echo "$output"; return 1; }
}

# tiles STATUS...: invents a study with seq-tiled at n = 64 and tiles 4, 8, 16, ... of rising times and these statuses.
tiles() {
    local tile=4 status time=1
    {
        echo experiment,cell,problem,variant,backend,device,precision,n,tile,status,rounds,launches,median_s,ci_lo_s,\
ci_hi_s,gflops
        for status; do
            echo "mine,$tile,matmul,matmul/seq-tiled,cpu,Core i5-6500,f64,64,$tile,$status,5,3,$time,$time,$time,1"
            tile=$((2 * tile)) time=$((time + 1))
        done
    } >data/mine.results.csv
    echo '{"experiment": {"name": "mine"}, "variants": []}' >data/mine.run.json
}

@test "the best value of an axis is judged where the claimed value, and each value that is named, was measured" {
    claims 'best,,8 is best,mine,best tile,matmul/seq-tiled,,,,,largest,=,8,,0,,8,tile' \
        'some,,no matter,mine,spread tile,matmul/seq-tiled,tile=8|16,,,,largest,<,2,,,,,'
    tiles ok ok ok
    judge
    [[ $output == *'best         data       not reproduced'*'some         data       reproduced'* ]] ||
        { echo "$output"; return 1; }
    tiles ok skipped ok
    judge
    [[ $output == *'best         data       not comparable here'*'(tile = 8 was not measured)'* ]] ||
        { echo "$output"; return 1; }
    [[ $output == *'some         data       not comparable here'*'(tile = 8 was not measured)'* ]]
    # What two machines have measured together, none of them has.
    tiles ok ok ok
    sed -i '1s/$/,machine_mark/; 2,$s/$/,one/; /^mine,8,/s/one$/two/' data/mine.results.csv
    judge
    says 'some         data       not comparable here'
}

# value_of CLAIM: the least value of a claim, with its interval.
value_of() {
    "$TILELAB" claims --data data --claims claims.csv --format csv "$1" >verdicts.csv
    column least,lo,hi verdicts.csv
}

@test "an end-to-end time has the range of its own rounds, also where the kernel hardly varies" {
    claims 'mine,,twice,mine,end-to-end ratio,matmul/cuda-global,,matmul/cuda-shared,,,largest,=,2,,0.1,,2,x'
    {
        echo experiment,cell,problem,variant,backend,precision,n,status,rounds,launches,median_s,ci_lo_s,ci_hi_s,total_s
        echo mine,1,matmul,matmul/cuda-global,cuda,f64,64,ok,5,3,0.4,0.4,0.4,2
        echo mine,2,matmul,matmul/cuda-shared,cuda,f64,64,ok,5,3,0.1,0.1,0.1,1
    } >data/mine.results.csv
    echo '{"experiment": {"name": "mine"}, "variants": []}' >data/mine.run.json
    printf '%s\n' cell,round,launch,index,repeats,kernel_s,total_s 1,0,0,0,1,,1.5 1,1,0,0,1,,2 1,2,1,0,1,,2.5 \
        2,0,0,0,1,,0.5 2,1,0,0,1,,1 2,2,1,0,1,,1.25 >data/mine.samples.csv
    judge
    says 'mine         data       undecided'
    [ "$(value_of mine)" = '2.0 1.2 5.0' ]
}

@test "a time of one thread that two speed-ups share cancels" {
    local both=matmul/omp-ikj,threads=4,matmul/omp-ikj,threads=2,,largest
    claims "mine,,twice,mine,speed-up ratio,$both,=,2,,0.1,,2,x" \
        "half,,as efficient,mine,efficiency ratio,$both,=,1,,0.1,,1,"
    {
        echo experiment,cell,problem,variant,backend,precision,n,threads,status,rounds,launches,median_s,ci_lo_s,ci_hi_s
        echo mine,1,matmul,matmul/omp-ikj,cpu,f64,64,1,ok,5,3,4,2,8
        echo mine,2,matmul,matmul/omp-ikj,cpu,f64,64,2,ok,5,3,2,2,2
        echo mine,4,matmul,matmul/omp-ikj,cpu,f64,64,4,ok,5,3,1,1,1
    } >data/mine.results.csv
    echo '{"experiment": {"name": "mine"}, "variants": []}' >data/mine.run.json
    judge
    says 'mine         data       reproduced' 'half         data       reproduced'
    [ "$(value_of mine)" = '2.0 2.0 2.0' ]
    [ "$(value_of half)" = '1.0 1.0 1.0' ]
}

@test "absolute figures are judged on the source's hardware alone" {
    header+=,absolute_on
    claims 'mine,,1 GFLOP/s,mine,gflops,matmul/seq-tiled,tile=4,,,,largest,=,1,,,,1,GFLOP/s,i5-6500' \
        'other,,1 GFLOP/s,mine,gflops,matmul/seq-tiled,tile=4,,,,largest,=,1,,,,1,GFLOP/s,GTX 1060'
    tiles ok
    judge
    [[ $output == *'mine         data       reproduced'* ]] || { echo "$output"; return 1; }
    [[ $output == *'other        data       other hardware'*'(absolute figures of GTX 1060)'* ]]
    # The reference of a ratio, too, unless it is on another kind of processor.
    claims 'mine,,twice,mine,time ratio,matmul/seq-ijk,,matmul/seq-ikj,,,largest,=,2,,,,,,i5-6500'
    {
        echo experiment,cell,problem,variant,backend,device,precision,n,status,rounds,launches,median_s,ci_lo_s,ci_hi_s
        echo mine,1,matmul,matmul/seq-ijk,cpu,Core i5-6500,f64,64,ok,5,3,2,2,2
        echo mine,2,matmul,matmul/seq-ikj,cpu,Core i7,f64,64,ok,5,3,1,1,1
    } >data/mine.results.csv
    judge
    [[ $output == *'mine         data       other hardware'* ]] || { echo "$output"; return 1; }
    sed -i 's/cpu,Core i7/cuda,Core i7/' data/mine.results.csv
    judge
    [[ $output == *'mine         data       reproduced'* ]] || { echo "$output"; return 1; }
}

@test "a quantity without an interval gives no verdict, and a trend of ratios is judged over all sizes" {
    claims 'falls,,falls,mine,ratio trend,matmul/seq-ikj,,matmul/seq-ijk,,,largest,<,0.5,,,,,' \
        'from,,from 256,mine,crossover,matmul/seq-ikj,,matmul/seq-ijk,,,largest,=,256,,0,,,'
    times 2 1.5 0.5
    judge
    [[ $output == *'falls        data       reproduced'*'from         data       reproduced'* ]] ||
        { echo "$output"; return 1; }
    sed -i '/seq-ikj,cpu,f64,64/s/,1.96,2.04,/,,,/' data/mine.results.csv
    judge
    says 'falls        data       undecided' '(no interval)'
}

@test "a ratio of times at the power limit tells so, and a ratio of sweeps does not" {
    local sides='jacobi/seq,,seidel/seq,,,largest,=,2,,,,,'
    claims "times,,twice the time,mine,time ratio,$sides" "sweeps,,twice the sweeps,mine,sweep ratio,$sides"
    {
        echo experiment,cell,problem,variant,backend,precision,n,status,rounds,launches,median_s,ci_lo_s,ci_hi_s,\
iterations,flags
        echo mine,1,jacobi,jacobi/seq,cpu,f64,64,ok,5,3,2,1.99,2.01,20,capped
        echo mine,2,seidel,seidel/seq,cpu,f64,64,ok,5,3,1,0.99,1.01,10,capped
    } >data/mine.results.csv
    echo '{"experiment": {"name": "mine"}, "variants": []}' >data/mine.run.json
    judge
    says 'here 2.00 [1.97, 2.03], both at the power limit' $'here 2.00\n'
}

@test "a mistake in a file of claims is told with its line, and nothing is judged" {
    times 0.5
    local row
    for row in 'q,,s,mine,time rato,matmul/seq-ijk,,matmul/seq-ikj,,,largest,=,2,,,,,|did you mean .time ratio.' \
        'q,,s,mine,time ratio,matmul/no-such,,matmul/seq-ikj,,,largest,=,2,,,,,|no variant matches' \
        'q,,s,mine,time ratio,matmul/seq-ijk,size=4,matmul/seq-ikj,,,largest,=,2,,,,,|no axis in .size=4.' \
        'q,,s,mine,time ratio,matmul/seq-ijk,n=big,matmul/seq-ikj,,,largest,=,2,,,,,|no value of n' \
        'q,,s,mine,time ratio,matmul/seq-ijk,,matmul/seq-ikj,,,largest,=,two,,,,,|value is no number' \
        'q,,s,mine,best size,matmul/seq-ijk,,matmul/seq-ikj,,,largest,=,2,,,,,|there is no axis .size.' \
        'q,,s,mine,time ratio,seq-ijk,,matmul/seq-ikj,,,largest,=,2,,,,,|write .matmul/seq-ijk.' \
        'q,,s,mine,time ratio,matmul/seq-ijk,,matmul/seq-ikj,,,largest,about,2,,,,,|it can be: =, in, <' \
        'q,,s,mine,time ratio,matmul/seq-ijk,,matmul/seq-ikj,,,middle,=,2,,,,,|there is no points .middle.'; do
        claims "${row%|*}"
        judge
        [ "$status" -eq 2 ] || { echo "$row"; echo "$output"; return 1; }
        [[ $output =~ ^claims.csv:2:\ error:.*${row#*|} ]] || { echo "$row"; echo "$output"; return 1; }
    done
    echo id,part >claims.csv
    judge
    [ "$status" -eq 2 ]
    [[ $output == 'claims.csv:1: error: the header lacks the columns statement, studies, quantity, '*', not_here' ]]
    echo 'id;part;statement' >claims.csv
    judge
    [ "$status" -eq 2 ]
    [ "$output" = 'claims.csv:1: error: the columns are not separated by commas' ]
}

@test "a claim of a study that neither an experiment file nor a recorded folder has is refused" {
    times 0.5
    # The second study has an experiment file alone; the third one is recorded on another host.
    mkdir experiments data/other
    : >experiments/planned.yaml
    : >data/other/recorded.results.csv
    claims 'q,,s,mine planned recorded,time ratio,matmul/seq-ijk,,matmul/seq-ikj,,,largest,=,2,,,,,'
    judge
    [ "$status" -eq 0 ] || { echo "$output"; return 1; }
    claims "${ratio}largest,=,2,,,,2,x" \
        'q,,s,mine planed,time ratio,matmul/seq-ijk,,matmul/seq-ikj,,,largest,=,2,,,,,'
    judge
    [ "$status" -eq 2 ]
    [[ $output == "claims.csv:3: error: studies: "*"has the study 'planed'; did you mean 'planned'?" ]] ||
        { echo "$output"; return 1; }
}

@test "a claim that the file does not have is refused, with the name that is meant" {
    times 0.5
    claims "${ratio}largest,=,2,,,,2,x"
    judge mien
    [ "$status" -eq 2 ]
    [[ "$output" == *"there is no claim 'mien' in claims.csv; did you mean 'mine'?"* ]] || { echo "$output"; return 1; }
    judge mine
    [ "$status" -eq 0 ]
}

@test "a verdict that differs from the one kept in the folder ends with exit code 3" {
    times 0.5
    claims "${ratio}largest,=,2,,,,2,x"
    judge --format csv
    printf '%s\n' "$output" >data/claims.csv
    judge
    [ "$status" -eq 0 ]
    times 1
    judge
    [ "$status" -eq 3 ]
    [[ $output == *"data/claims.csv: mine was 'reproduced' and is now 'not reproduced'"* ]] ||
        { echo "$output"; return 1; }
}

@test "the claims of the sources are well formed, and recorded hosts keep their verdicts" {
    cd "$root"
    local host
    for host in data/*/claims.csv; do
        [ "$host" != data/published/claims.csv ] || continue
        run "$TILELAB" claims --data "${host%/*}"
        [ "$status" -eq 0 ] || { echo "$output"; return 1; }
    done
    # A file of another name may name no study that the repository lacks.
    cp data/published/claims.csv "$BATS_TEST_TMPDIR/of-sources.csv"
    run -0 "$TILELAB" claims --data data/h200 --claims "$BATS_TEST_TMPDIR/of-sources.csv"
    # Verdicts that take the place of the kept ones are not compared with what is written of them so far.
    local folder=$BATS_TEST_TMPDIR/kept
    mkdir "$folder"
    cp data/h200/granular-seidel.* "$folder/"
    "$TILELAB" claims --data "$folder" --format csv >"$folder/claims.csv" 2>"$folder/said"
    [ ! -s "$folder/said" ] || { cat "$folder/said"; return 1; }
    run "$TILELAB" claims --data data/h200 --format json
    [ "$(jq length <<<"$output")" -eq "$(cut -d, -f1 data/published/claims.csv | sort -u | grep -c -)" ]
}

@test "another program gives each claim the same verdict, from the files of data/ alone" {
    command -v python3 >/dev/null || skip "python3 is missing"
    cd "$root"
    local kept
    for kept in data/*/claims.csv; do
        [[ $kept != data/published/* ]] || continue
        run -0 python3 tests/verdicts.py "${kept%/*}"
        [[ $output == *'claims of '*' parts, 0 differences' ]]
    done
    # It looks at the rows: one time that is twice as long changes the values behind a verdict.
    cd "$BATS_TEST_TMPDIR"
    mkdir -p data && cp -r "$root"/data/{h200,published} data/
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["variant"] == "seidel/omp-racy" && $at["n"] == 512 { $at["median_s"] *= 2 } { print }' \
        data/h200/granular-seidel.results.csv >changed
    mv changed data/h200/granular-seidel.results.csv
    run -1 python3 "$root/tests/verdicts.py" data/h200
    [[ $output == *'granular-8a: reproduced from other values'* ]] || { echo "$output"; return 1; }
}

@test "a folder that does not exist is no host without results" {
    run "$TILELAB" claims --data nowhere
    [ "$status" -eq 2 ]
    [[ "$output" == *"nowhere: No such file or directory"* ]] || { echo "$output"; return 1; }
}

@test "claims outside the tree takes the files that come with the program" {
    is_at_home_anywhere claims '--claims names a file of claims'
}

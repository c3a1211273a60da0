#!/usr/bin/env bats
# The energy of runs, on a GPU that computes in host memory: tests/unit/fake/gpu.c is its driver and NVML.
# SPDX-License-Identifier: MIT
load common

setup_file() { cd "$BATS_FILE_TMPDIR" && fake_gpu; }

# measured OPTION...: a round of a product
measured() {
    export TILELAB_BACKENDS=$BATS_FILE_TMPDIR/objects LD_LIBRARY_PATH=$BATS_FILE_TMPDIR
    study power <<YAML
grid: {n: 16, variant: cuda-global, tile: 16}
measure: {rounds: 1, launches: 1}
YAML
    run "$TILELAB" run power.yaml --only cuda-global --data data "$@"
    echo "$output"
}

# within COLUMN LEAST MOST: the column of the only row
within() {
    column "$1" data/power.results.csv | awk -v least="$2" -v most="$3" '{ exit !($1 > least && $1 < most) }'
}

@test "watts and joules of a run follow from the steps of the counter, also where the counter wraps" {
    FAKE_GPU_WATTS=300 measured --energy
    [ "$status" -eq 0 ]
    within power_w 240 360
    within idle_w 240 360
    within gflops_per_w 0 1
    [[ $(column measure data/power.results.csv) == *' energy=yes clock=simulated' ]]
    grep -c ',55,' data/power.samples.csv
    rm -r data
    FAKE_GPU_WRAPS=1 FAKE_GPU_WATTS=300 measured --energy
    within power_w 240 360
}

@test "a counter that is lacking, refused, too slow or reset gives a sentence and no number" {
    local way
    for way in 'FAKE_GPU_WATTS=0: the driver has no counter' \
        'FAKE_GPU_DENIED=1: the driver lets only the administrator read' \
        'FAKE_GPU_WATTS=300 FAKE_GPU_STEP_S=60: the counter of energy moved 0 times' \
        'FAKE_GPU_WATTS=300 FAKE_GPU_RESETS=1: counter of energy began anew during the run'; do
        (
            # shellcheck disable=SC2163
            for setting in ${way%%:*}; do export "$setting"; done
            measured --energy
        ) >said
        grep -F "power: the energy of 1 cell is not known: " said | grep -F "${way#*: }"
        [ "$(column status,power_w,energy_j,flags data/power.results.csv)" = 'ok - - simulated' ]
        column no_energy data/power.results.csv | grep -F "${way#*: }"
        rm -r data
    done
}

@test "the watts of another process are flagged, and give no number" {
    local others when=('while this program left it idle' 'during the continuous run')
    for others in 1 2; do
        FAKE_GPU_OTHERS=$others FAKE_GPU_WATTS=300 measured --energy
        [[ $output == *"another process used the GPU ${when[others - 1]}, so that its watts are not ours"* ]]
        [ "$(column power_w,flags data/power.results.csv)" = '- noisy+simulated' ]
        rm -r data
    done
}

@test "the plan tells what the energy costs, and a result without it does not satisfy a study with it" {
    FAKE_GPU_WATTS=300 measured
    run "$TILELAB" plan power.yaml --only cuda-global --data data
    [[ $output == *'1 finished, 0 to measure'* ]]
    run "$TILELAB" plan power.yaml --only cuda-global --data data --energy
    echo "$output"
    [[ $output == *'1 to measure'*'of which the continuous runs for the energy take '* ]]
    # Without NVML no counter tells it, and no continuous run is made.
    : >libnvidia-ml.so.1
    LD_LIBRARY_PATH=$PWD:$LD_LIBRARY_PATH run "$TILELAB" plan power.yaml --only cuda-global --data none --energy
    [[ $output == *'1 to measure'* && $output != *'continuous runs'* ]]
    run -2 "$TILELAB" plan power.yaml --data data --set energy=maybe
    [[ $output == *"'energy' takes yes or no, not 'maybe'"* ]]
}

@test "a ratio of two cells at the power limit says so, and one of a clock that one side lost is undecided" {
    local base_flags base_hz want
    mkdir both
    echo '{"gpu": {"power_limit_w": 700}}' >both/s.run.json
    {
        echo experiment,cell,problem,variant,backend,precision,m,n,k,status,rounds,launches,median_s
        echo s,01,matmul,matmul/cuda-vector,cuda,f32,64,64,64,ok,12,12,1
        echo s,02,matmul,matmul/cuda-register,cuda,f32,64,64,64,ok,12,12,2
    } >both/s.results.csv
    echo 'SELECT verdict || coalesce(": " || remark, "") FROM pair;' | tr '"' "'" >pair.sql
    while IFS='|' read -r flags base_flags base_hz want; do
        {
            echo cell,round,launch,index,repeats,kernel_s,clock_hz,flags
            for launch in {0..11}; do
                echo "01,$launch,$launch,0,1,1.00$launch,1.2e9,$flags"
                echo "02,$launch,$launch,0,1,2.00$launch,$base_hz,$base_flags"
            done
        } >both/s.samples.csv
        run "$TILELAB" query --data both --format lines --set subject=matmul/cuda-vector \
            --set base=matmul/cuda-register --set cells=01,02 "$root/report/compare-launches.sql" \
            pair.sql
        [ "$output" = "$want" ] || { echo "$flags $base_flags $base_hz: $output"; return 1; }
    done <<'TERMS'
||1.2e9|faster
capped|capped|1.9e9|faster: both at 700 W
capped||1.9e9|faster
||1.9e9|undecided: clocks of 1.20 GHz and 1.90 GHz
TERMS
}

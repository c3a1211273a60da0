#!/usr/bin/env bats
# `tilelab count` with a GPU that computes in host memory and a profiler that is a shell script. Both fail on demand.
# SPDX-License-Identifier: MIT
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR" && fake_gpu || return 1
    mkdir bin
    cp "$BATS_TEST_DIRNAME/../unit/fake/ncu" bin/ncu
}

# with_gpu: gives the rest of the test a GPU and a profiler.
with_gpu() {
    export TILELAB_BACKENDS=$BATS_FILE_TMPDIR/objects LD_LIBRARY_PATH=$BATS_FILE_TMPDIR PATH=$BATS_FILE_TMPDIR/bin:$PATH
    export FAKE_NCU_CALLS=$BATS_TEST_TMPDIR/calls TMPDIR=$BATS_TEST_TMPDIR
}

gpu_study() {
    study gpu <<<'grid: {n: [32, 64], variant: [seq-ijk, cuda-global], tile: {for: "cuda-*", values: [8, 16]}}'
}

# count [-STATUS] [FILE [OPTION]...]
count() {
    local expected=()
    [[ ${1-} != -[0-9] ]] || { expected=("$1"); shift; }
    run "${expected[@]}" "$TILELAB" count "${@:-gpu.yaml}" --data data
}

counted() {
    column "$1" data/gpu.counters.csv | grep '^matmul/'
}

@test "each cell of the GPU has its own counts, and other kernels count nowhere" {
    with_gpu
    gpu_study
    count -0
    [[ "$output" == *"4 cells of the GPU counted, 0 skipped, 0 failed"* ]]
    [ "$(counted variant | wc -l)" -eq 4 ]
    # The launch has two kernels of 7 and 9 blocks. For each block the fake profiler counts 1000 of the first metric,
    # 2000 of the second and so on.
    counted variant,status,ncu,device,shared_load_instructions,shared_load_wavefronts,dmul |
        while read -r row; do [ "$row" = "matmul/cuda-global ok 2025.3.1.0 Fake GPU 16000 32000 304000" ] ||
            { echo "$row"; return 1; }; done
    counted variant,n,tile | diff - <(printf 'matmul/cuda-global %s\n' '32 8' '32 16' '64 8' '64 16')
    echo 'SELECT count(*), sum(shared_load_instructions), min(padding IS NULL) FROM counters;' >q.sql
    [ "$("$TILELAB" query --data data --format tsv q.sql | tail -1)" = $'4\t64000\t1' ]
}

@test "counted again, no byte changes" {
    with_gpu
    gpu_study
    count
    local before
    before=$(stat -c '%Y %i' data/gpu.counters.csv)
    count -0
    [ "$before" = "$(stat -c '%Y %i' data/gpu.counters.csv)" ]
}

@test "some sizes: the other counts stay" {
    with_gpu
    gpu_study
    count
    FAKE_NCU_SCALE=5 count -0 gpu.yaml --n 64 --variant 'cuda-*'
    counted variant,n,ffma |
        diff - <(printf 'matmul/cuda-global %s\n' '32 224000' '32 224000' '64 1120000' '64 1120000')
}

@test "a machine without a GPU: rows with the reason, and counts that are there stay" {
    gpu_study
    export TILELAB_BACKENDS=$BATS_TEST_TMPDIR/nowhere
    count -0
    [ "$(counted variant,status | grep -c skipped)" -eq 4 ]
    [ "$(counted variant,ffma,reason | grep -c ' - .')" -eq 4 ]
    unset TILELAB_BACKENDS
    (with_gpu; "$TILELAB" count gpu.yaml --data data)
    cp data/gpu.counters.csv before.csv
    export TILELAB_BACKENDS=$BATS_TEST_TMPDIR/nowhere
    count -0
    [[ "$output" == *"is left unchanged"* ]]
    cmp before.csv data/gpu.counters.csv
}

@test "no profiler: how to get one" {
    with_gpu
    gpu_study
    mkdir without
    for tool in bash env; do ln -s "$(command -v $tool)" without/; done
    PATH=$PWD/without CUDA_HOME=$PWD/without count -0
    # This machine may have another profiler in the system's folders.
    [[ "$output" == *"ncu was not found"*"nsight-compute"* ]] ||
        [ -n "$(compgen -G '/opt/nvidia/nsight-compute/*/ncu')$(compgen -G '/usr/local/cuda-*/bin/ncu')" ] ||
            { echo "$output"; return 1; }
}

@test "counters refused: one sentence with the cause and both remedies" {
    with_gpu
    gpu_study
    FAKE_NCU=refused count -0
    [ "$(grep -c 'ERR_NVGPUCTRPERM.*cap-add=SYS_ADMIN.*NVreg_RestrictProfilingToAdminUsers=0' <<<"$output")" -eq 1 ]
    [ "$(counted variant,status | grep -c skipped)" -eq 4 ]
    [ "$(wc -l <calls)" -eq 1 ]
}

@test "a metric that this profiler does not know: the others are counted, and the reason names it" {
    with_gpu
    gpu_study
    FAKE_NCU=unknown count -0
    [ "$(wc -l <calls)" -eq 2 ]
    [ "$(counted variant,status,dram_read_bytes,dram_write_bytes | grep -c ' ok - 208000$')" -eq 4 ] ||
        { cat data/gpu.counters.csv; return 1; }
    [[ "$(counted variant,reason | head -1)" == *"does not tell dram__bytes_read.sum" ]]
}

@test "a profiler without its library: the cause, and no failure" {
    with_gpu
    gpu_study
    FAKE_NCU=library count -0
    [[ "$output" == *LibraryNotLoaded* ]]
}

@test "a profiler that says something else: its words" {
    with_gpu
    gpu_study
    FAKE_NCU=broken count -1
    [[ "$output" == *"4 failed"*"Failed to open the lock file"* ]]
    [ "$(counted variant,status | grep -c failed)" -eq 4 ]
}

@test "a cell that ends the profiler costs itself" {
    with_gpu
    gpu_study
    FAKE_NCU=crash count -1
    [[ "$output" == *"3 cells of the GPU counted, 0 skipped, 1 failed"* ]]
    [ "$(column variant,n,tile,status data/gpu.counters.csv | grep -c ' 32 16 failed')" -eq 1 ]
    [ "$(wc -l <calls)" -eq 2 ]
}

@test "a cell that hangs ends by the limit, and nothing stays behind" {
    with_gpu
    gpu_study
    FAKE_NCU=hang TILELAB_TIMEOUT_S=1 count -1
    [[ "$output" == *"3 cells of the GPU counted"*"no answer in 1 s"* ]]
    ! pgrep -f "$BATS_TEST_TMPDIR/tilelab-count" || return 1
}

@test "a wrong result is a failed row without counts" {
    with_gpu
    study gpu <<<'grid: {n: [32], variant: [cuda-global, cuda-shared]}'
    count -1
    [ "$(column variant,status,ffma data/gpu.counters.csv | grep -c 'cuda-shared failed -')" -eq 1 ] ||
        { cat data/gpu.counters.csv; return 1; }
    [ "$(column variant,status,ffma data/gpu.counters.csv | grep -c 'cuda-global ok 224000')" -eq 1 ]
}

@test "Ctrl-C: exit code 130, and no file" {
    with_gpu
    gpu_study
    FAKE_NCU=hang run timeout --preserve-status -s INT 1 "$TILELAB" count gpu.yaml --data data
    [ "$status" -eq 130 ] || { echo "$status: $output"; return 1; }
    [ ! -e data/gpu.counters.csv ]
}

@test "no GPU in a study: nothing to count, and no file" {
    tiny
    count -0 tiny.yaml
    [[ "$output" == *"no GPU cells to count"* ]]
    [ ! -e data/tiny.counters.csv ]
}

@test "wrong usage: exit code 2" {
    gpu_study
    count -2 gpu.yaml --n many
    count -2 gpu.yaml --profile best
    count -2 missing.yaml
}

@test "the counts of another profile stay" {
    with_gpu
    gpu_study
    printf 'quick: {n: [32, 96]}\n' >>gpu.yaml
    count -0 gpu.yaml --profile full
    cp data/gpu.counters.csv full.csv
    count -0
    [[ "$output" == *"4 cells of the GPU counted"* ]]
    [ "$(counted variant,n | uniq -c | awk '{ print $1, $3 }' | xargs)" = '2 32 2 64 2 96' ]
    [ -z "$(comm -23 <(sort full.csv) <(sort data/gpu.counters.csv))" ]
}

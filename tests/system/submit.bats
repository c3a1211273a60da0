#!/usr/bin/env bats
# The submission of parts to Slurm, as far as it can be tried without Slurm. tests/slurm.sh tries it with Slurm.
# SPDX-License-Identifier: MIT
load common

setup() {
    root=$BATS_TEST_DIRNAME/../..
    mkdir -p "$BATS_TEST_TMPDIR/tree/tools" "$BATS_TEST_TMPDIR/tree/build" "$BATS_TEST_TMPDIR/tree/experiments" \
        "$BATS_TEST_TMPDIR/bin"
    cd "$BATS_TEST_TMPDIR/tree" || return 1
    cp "$root/tools/submit" tools/
    cp "$root/cluster.conf" .
    program build/tilelab <<<'echo "$@" >>calls'
    : >experiments/one.yaml
    : >experiments/two.yaml
    PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

# stand_in NAME: a program of that name; standard input is its script.
stand_in() { program "$BATS_TEST_TMPDIR/bin/$1"; }

@test "three jobs are submitted, each after the one before" {
    stand_in sbatch <<<'echo "$@" >>sbatch.calls; wc -l <sbatch.calls'
    run -0 tools/submit 8 mine one two
    run cat sbatch.calls
    local jobs=data/local/parts/jobs
    [ "${lines[0]}" = "--parsable --array=1-8 --time=04:00:00 $jobs/part.sh" ]
    [ "${lines[1]}" = "--parsable --dependency=afterany:1 $jobs/merge.sh" ]
    [ "${lines[2]}" = "--parsable --dependency=afterany:2 $jobs/report.sh" ]
    grep -q '^#SBATCH .*--exclusive --requeue --signal=B:INT@300' $jobs/part.sh
    # The number of parts is written down: Slurm's own count is that of the tasks of one submission.
    SLURM_ARRAY_TASK_ID=3 SLURM_JOB_ID=1 SLURM_ARRAY_TASK_COUNT=1 bash $jobs/part.sh
    run cat calls
    [[ "$output" == "run experiments/one.yaml experiments/two.yaml --profile quick --part 3/8 "* ]]
    [[ "$output" == *" --data data/local/parts/3-of-8 --wait" ]]
    mkdir data/local/parts/{1,2}-of-8 data/local/parts/1-of-4
    bash $jobs/merge.sh
    grep -qx 'merge data/local/parts/1-of-8 data/local/parts/2-of-8 --into data/mine' calls
}

@test "what the jobs are told stays one word, also in folders with blanks" {
    PROFILE='quick; touch there' run -2 tools/submit --dry-run 2 mine one
    [[ $output == *"PROFILE is quick, full or record, not 'quick; touch there'"* ]]
    : >"experiments/a'b.yaml"
    run -2 tools/submit --dry-run 2 mine "a'b"
    PARTS_IN='my "parts" \w 100%' run -0 tools/submit --dry-run 2 mine one
    local jobs='my "parts" \w 100%/jobs'
    # sbatch takes a quoted value, whose quotes and backslashes are escaped; %% is a sign, %a the number of the task.
    grep -qF -- '--output="my \"parts\" \\w 100%%/jobs/part-%a.log" --open-mode=append --chdir=' "$jobs/part.sh"
    SLURM_ARRAY_TASK_ID=1 SLURM_JOB_ID=1 bash "$jobs/part.sh"
    run cat calls
    [[ $output == *' --data my "parts" \w 100%/1-of-2 --wait' ]]
    [ ! -e there ]
}

@test "single parts are submitted again, with the same number of parts" {
    TASKS=2,5 run -0 tools/submit --dry-run 8 mine one
    [[ "${lines[0]}" == "sbatch --array=2,5 "* ]]
    grep -q -- '--part ".part/8"' data/local/parts/jobs/part.sh
    TASKS=9 run -2 tools/submit --dry-run 8 mine one
    [[ "$output" == *"no part 9 of 8"* ]]
}

@test "partition, account, GPUs and container come from one file" {
    : >image.sif
    printf '%s\n' PARTITION=gpu ACCOUNT=me TIME=10 GPUS=2 MODULES=cuda IMAGE=image.sif 'EXTRA="--mem=0 --nice"' \
        >own.conf
    CLUSTER=own.conf run -0 tools/submit --dry-run 4 mine one
    [[ "$output" == *" --partition=gpu --account=me --time=10 --gres=gpu:2 --mem=0 --nice "* ]]
    grep -q "^apptainer exec --nv --bind $PWD --pwd $PWD image.sif /tilelab/build/tilelab run " \
        data/local/parts/jobs/part.sh
    grep -qx 'module load cuda' data/local/parts/jobs/part.sh
}

@test "a wrong call and a lack are told" {
    run -2 tools/submit 0 mine one
    run -2 tools/submit 4 local one
    run tools/submit 4 mine none
    [[ "$status" -eq 2 && "$output" == *experiments/none.yaml* ]]
    CLUSTER=nowhere run tools/submit 4 mine one
    [[ "$status" -eq 2 && "$output" == *nowhere* ]]
    command -v sbatch && return
    run tools/submit 4 mine one
    [[ "$status" -eq 2 && "$output" == *"sbatch is missing"*"by hand"* ]]
}

@test "a file system whose locks hold on one node alone is refused" {
    local mount
    for mount in 'nfs4 rw,local_lock=all' 'nfs rw,nolock,vers=3' 'nfs4 rw,local_lock=flock,soft' \
        'lustre rw,localflock'; do
        stand_in findmnt <<<"echo '$mount'"
        run tools/submit --dry-run 4 mine one
        [ "$status" -eq 2 ] || { echo "$mount: $output"; return 1; }
        [[ "$output" == *"hold on one node alone"* ]]
    done
    for mount in 'nfs4 rw,local_lock=none' 'lustre rw,flock' 'ext4 rw'; do
        stand_in findmnt <<<"echo '$mount'"
        run tools/submit --dry-run 4 mine one
        [ "$status" -eq 0 ] || { echo "$mount: $output"; return 1; }
    done
    stand_in flock <<<'exit 71'
    run tools/submit --dry-run 4 mine one
    [[ "$status" -eq 2 && "$output" == *"without locks"* ]]
}

@test "a task that reaches its limit is queued again, and one whose cells failed is none that failed" {
    tools/submit --dry-run 2 mine one
    stand_in scontrol <<<'echo "$@" >>scontrol.calls'
    # A job of a shell without job control ignores INT, and so would the shell's trap.
    printf '#!/bin/bash\nexec env --default-signal=INT bash -c '"'"'trap "exit 130" INT; : >began
        while :; do sleep 0.05; done'"'"'\n' >build/tilelab
    SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_JOB_ID=7 SLURM_JOB_ID=9 env --default-signal=INT \
        timeout 60 bash data/local/parts/jobs/part.sh 3>&- &
    local job=$!
    until [ -e began ]; do sleep 0.02; done
    kill -INT $job
    wait $job && return 1
    grep -qx 'requeue 7_2' scontrol.calls
    printf '#!/bin/sh\nexit 1\n' >build/tilelab
    SLURM_ARRAY_TASK_ID=2 SLURM_JOB_ID=9 bash data/local/parts/jobs/part.sh
}

#!/bin/bash
# Measures a grid in 8 parts under a real Slurm, with three simulated nodes on this host. One task is killed, one slurmd
# is killed, and two parts are submitted again. The joined CSV files are those of a run on one machine, byte by byte.
#   TILELAB=build/tilelab tests/slurm.sh
# It needs root, slurm-wlm and munge. Without them it prints one skipped line. KEEP=1 keeps its folder. Two of its three
# minutes are the time that Slurm lets pass before it starts a task of a dead node again.
# SPDX-License-Identifier: MIT
set -u
cd "$(dirname "$0")/.." || exit 1
root=$PWD
TILELAB=${TILELAB:-$root/build/tilelab}
PARTS=8 NODES=3 LIMIT_S=240
for program in slurmctld slurmd sbatch munged setpriv; do
    PATH=$PATH:/usr/sbin command -v $program >/dev/null ||
        { echo "ok 1 - slurm # skip $program is missing; slurm-wlm and munge bring it"; exit 0; }
done
PATH=$PATH:/usr/sbin
[ "$(id -u)" -eq 0 ] || { echo 'ok 1 - slurm # skip slurmd needs root'; exit 0; }
[ ! -e /run/slurmctld.pid ] || { echo 'ok 1 - slurm # skip a Slurm runs here'; exit 0; }

scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-slurm.XXXXXX")
daemons=() slurmd=()
finish() {
    [ ${#daemons[@]} -eq 0 ] || kill "${daemons[@]}" 2>/dev/null
    wait 2>/dev/null
    [ -n "${KEEP:-}" ] || rm -rf "$scratch"
}
trap finish EXIT
count=0
# tell STATUS NAME: one TAP line.
tell() {
    count=$((count + 1))
    [ "$1" -eq 0 ] && { echo "ok $count - $2"; return; }
    echo "not ok $count - $2"
    tail -n 12 "$scratch"/tree/data/local/parts/jobs/*.log "$scratch"/log/slurmctld.log 2>/dev/null | sed 's/^/# /'
    echo "1..$count"
    exit 1
}
# until_true COMMAND...: repeats it until it succeeds.
until_true() {
    local end=$((SECONDS + LIMIT_S))
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.1
    done
}

# Start munge and Slurm.
mkdir -p "$scratch/state" "$scratch/log" /run/munge
chown munge: /run/munge
chmod 755 /run/munge "$scratch"
port=$((20000 + $$ % 20000))
cat >"$scratch/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
SlurmctldPort=$port
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool.%n
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.%n.pid
SlurmctldLogFile=$scratch/log/slurmctld.log
SlurmdLogFile=$scratch/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1
SwitchType=switch/none
ReturnToService=2
SlurmctldTimeout=30
SlurmdTimeout=5
KillWait=5
MinJobAge=600
MailProg=/bin/true
NodeName=DEFAULT CPUs=$(nproc) RealMemory=500 State=UNKNOWN
NodeName=n[1-$NODES] NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + NODES))]
PartitionName=test Nodes=ALL Default=YES MaxTime=60 State=UP
CONF
export SLURM_CONF=$scratch/slurm.conf
if ! munge -n >/dev/null 2>&1; then
    setpriv --reuid munge --regid munge --clear-groups munged --foreground --socket=/run/munge/munge.socket.2 \
        --pid-file=/run/munge/test.pid --log-file=/var/log/munge/munged.log >"$scratch/log/munged" 2>&1 &
    daemons+=($!)
    until_true munge -n || tell 1 'munge starts'
fi
slurmctld -D -f "$SLURM_CONF" >"$scratch/log/ctld" 2>&1 &
daemons+=($!)
start_node() {
    slurmd -D -N "n$1" -f "$SLURM_CONF" >"$scratch/log/d$1" 2>&1 &
    slurmd[$1]=$!
    daemons+=($!)
}
for ((n = 1; n <= NODES; n++)); do start_node $n; done
all_idle() { [ "$(sinfo -h -o %D%T)" = "${NODES}idle" ]; }
until_true all_idle
tell $? "$NODES nodes are up"

# A tree with the program and one study of 16 points.
mkdir -p "$scratch/tree/build" "$scratch/tree/experiments" "$scratch/tree/tools"
cp "$root/tools/submit" "$scratch/tree/tools/"
cp "$TILELAB" "$scratch/tree/build/tilelab"
cd "$scratch/tree" || exit 1
cat >experiments/grids.yaml <<'YAML'
schema: 1
title: {en: "On several machines"}
source: tilelab
problem: [matmul, lu, jacobi]
precision: f64
grid:
  n: [24, 28, 32, 36, 40, 48]
  variant: [matmul/seq-ikj, matmul/omp-ikj, lu/seq-naive, jacobi/seq]
YAML
printf 'TIME=00:30:00\nEXTRA="--mem=100"\n' >cluster.conf
# SAVE_S: every round is kept at once, so that a killed task has something to go on from.
export TILELAB_FAKE_TIMER=1 TILELAB_SAVE_S=0
build/tilelab run experiments/grids.yaml --data whole >whole.log 2>&1
tell $? 'a run on one machine'

submit() { REPORT=none tools/submit $PARTS cluster grids >>submit.log 2>&1; }
submit
tell $? "$PARTS parts are submitted"
array=$(squeue -h -o %F -n tilelab-part | head -n 1)

# Kill the runner of a task, and the slurmd of another one. Slurm queues the task of the dead node again.
runner_of() { pgrep -f -- "--part $1/$PARTS" | head -n 1; }
has_lines() { [ "$(grep -c '' "data/local/parts/$1-of-$PARTS/.journal/grids.journal" 2>/dev/null)" -ge 2 ]; }
until_true has_lines 1
victim=$(runner_of 1)
[ -z "$victim" ] || kill -9 "$victim"
tell $? 'the runner of a task is killed'
# The runner of the dead slurmd stands still, and holds its folder.
has_runner() { [ -n "$(runner_of "$1")" ] && has_lines "$1"; }
held=
for ((task = 2; task <= PARTS && ${#held} == 0; task++)); do
    node=$(squeue -h -o '%K %N' -t R -j "$array" | awk -v task=$task '$1 == task { print $2 }')
    [ -n "$node" ] && until_true has_runner $task && held=$task
done
runner=$(runner_of "${held:-none}")
[ -z "$runner" ] || kill -STOP "$runner"
kill -9 "${slurmd[${node#n}]}"
tell $? "the slurmd of $node is killed while part $held runs"
is_waiting() { grep -q 'waiting for another run' "data/local/parts/jobs/part-$held.log"; }
until_true is_waiting
tell $? 'the task is queued again, and waits for its first run'
kill -CONT "$runner"
start_node "${node#n}"
is_done() { [ -z "$(squeue -h)" ]; }
until_true is_done
tell $? 'all jobs end'
grep -q 'part 1 of 8 .*has ended early\|lack.* rounds' data/local/parts/jobs/merge-*.log
tell $? 'the join names the part that was killed'
build/tilelab status | grep -q 'ended early\|not begun'
tell $? 'the state of the parts tells it too'

# Submit two parts again: the one that was killed, and one that is finished.
TASKS=1,3 submit && until_true is_done
tell $? 'two parts are submitted again'
for file in whole/*.csv; do cmp "$file" "data/cluster/${file#whole/}" || break; done &&
    [ "$(cd whole && ls -- *.csv)" = "$(cd data/cluster && ls -- *.csv)" ]
tell $? 'the joined files are those of a run on one machine'
grep -q "part 3 of $PARTS on" data/local/parts/jobs/part-3.log && build/tilelab status | grep -q '^0 of '
tell $? 'no cell is left'

# Inside a job, srun starts the ranks of a team.
if [ -e "${TILELAB%/*}/tilelab-scalapack.so" ]; then
    printf 'schema: 1\ntitle: {en: "Ranks"}\nsource: tilelab\nproblem: [matmul, lu]\nprecision: f64\n' >ranks.yaml
    printf 'grid: {n: 60, variant: "*/scalapack", ranks: 2, tile: 16}\n' >>ranks.yaml
    TILELAB_BACKENDS=${TILELAB%/*} sbatch --wait -N 1 -n 2 --mem=200 -o ranks.log \
        --wrap 'build/tilelab run ranks.yaml --data ranks' >/dev/null &&
        [ "$(cut -d, -f3 ranks/ranks.results.csv | sort -u)" = $'lu\nmatmul\nproblem' ] &&
        [ "$(grep -c ',ok,' ranks/ranks.results.csv)" -eq 2 ]
    tell $? 'srun starts the ranks of a team'
fi
echo "1..$count"

/* The backend of MPI ranks: variants that call ScaLAPACK in several processes, which mpirun or srun starts.
 * SPDX-License-Identifier: MIT */
#include "team.h"
#include "backend/cpu/cpu.h"
#include "backend/object.h"
#include "base/diagnosis.h"
#include "base/process.h"
#include "base/tool.h"
#include "machine/host.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char REMEDY[] = "make setup-mpi, then make";

/* The program that starts the ranks: srun inside a job of Slurm, else mpirun. Inside a job, mpirun works as well where
 * srun is missing. */
static bool find_starter(char *path, size_t size, bool *slurm)
{
    *slurm = getenv("SLURM_JOB_ID") && tool_find("srun", false, path, size);
    return *slurm || tool_find("mpirun", false, path, size);
}

/* How many ranks may run: one a core, or a task of the job. */
static int64_t slots(void)
{
    const char *tasks = getenv("SLURM_JOB_ID") ? getenv("SLURM_NTASKS") : NULL;
    return tasks && atoi(tasks) > 0 ? atoi(tasks) : host_get()->cores;
}

static bool shares_cores(void)
{
    return getenv("TILELAB_OVERSUBSCRIBE") != NULL;
}

/* Runs in a child: the libraries of MPI start threads and keep memory where they are loaded. */
static int try_object(const void *path)
{
    const bool loads = dlopen(path, RTLD_LAZY | RTLD_LOCAL) != NULL;
    if (!loads)
        fputs(dlerror(), stdout);
    fflush(stdout);
    _exit(loads ? 0 : 1); /* nor are they unloaded in order */
}

/* Why the object with the ranks cannot be loaded, as on a machine that has other libraries than the one that built it;
 * "": it can. */
static const char *unloadable(const char *path)
{
    enum { LIMIT_S = 20 };
    static char why[160];
    static bool known;
    struct process child;
    if (!known) {
        const bool loads = process_start(&child, PROCESS_OUTPUT | PROCESS_QUIET, try_object, path) == 0 &&
                           process_collect(&child, why, sizeof why, LIMIT_S) && child.status == 0;
        if (!loads && !why[0])
            snprintf(why, sizeof why, "a process that loads it crashes, or does not end");
        known = true;
    }
    return why;
}

static const char *missing(const struct cell *cell)
{
    char path[PATH_MAX];
    bool slurm;
    if (!team_object(cell, path, sizeof path))
        return cell_reason("built without MPI: mpicc or ScaLAPACK was not found when tilelab was built (%s)", REMEDY);
    if (*unloadable(path))
        return cell_reason("ScaLAPACK cannot be loaded: %.120s (%s)", unloadable(path), REMEDY);
    if (!find_starter(path, sizeof path, &slurm))
        return cell_reason("mpirun was not found (%s)", REMEDY);
    if (cell->ranks > slots() && !shares_cores())
        return cell_reason("%lld ranks, but this process may use %lld cores (set TILELAB_OVERSUBSCRIBE=1 to check, "
                           "not to measure)",
                           (long long)cell->ranks, (long long)slots());
    return NULL;
}

/* Each rank has one core, so libraries must not make threads. srun lets a team wait for the cores of another one unless
 * told that both may have them. mpirun looks for a remote shell unless told that there is one host. Outside of Slurm
 * all ranks share the memory of this host; OpenMPI 5 complains where TCP does not lead back to it. A rank that waits
 * lets others run where cores are shared. */
static void set_environment(const struct backend_setup *setup)
{
    char shell[PATH_MAX];
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("SLURM_OVERLAP", "1", 0); /* teams of one job share its cores; they compute in turn */
    if (!tool_find("ssh", false, shell, sizeof shell) && !tool_find("rsh", false, shell, sizeof shell))
        setenv("OMPI_MCA_plm", "isolated", 0);
    if (!getenv("SLURM_JOB_ID"))
        setenv("OMPI_MCA_btl", "^tcp", 0);
    if (setup->team_size > host_get()->cores)
        setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
}

static int open_team(const struct backend_setup *setup, bool known, char *why, size_t size)
{
    enum { ARGUMENTS = 16 };
    char path[PATH_MAX], self[PATH_MAX], ranks[16];
    const char *arguments[ARGUMENTS];
    bool slurm;
    int count = 0;
    (void)known;
    const ssize_t got = readlink(PROCESS_SELF, self, sizeof self - 1);
    if (got <= 0 || !find_starter(path, sizeof path, &slurm)) {
        snprintf(why, size, "mpirun was not found (%s)", REMEDY);
        return -1;
    }
    self[got] = '\0';
    set_environment(setup);
    snprintf(ranks, sizeof ranks, "%d", setup->team_size);
    arguments[count++] = slurm ? "srun" : "mpirun";
    if (slurm) {
        arguments[count++] = "--mpi=pmix";
        arguments[count++] = "--input=0";
        arguments[count++] = "--unbuffered"; /* else srun keeps an answer back until a line is whole */
    } else {
        if (geteuid() == 0)
            arguments[count++] = "--allow-run-as-root";
        if (shares_cores())
            arguments[count++] = "--oversubscribe";
        arguments[count++] = "--bind-to";
        arguments[count++] = "none";
    }
    arguments[count++] = "-n";
    arguments[count++] = ranks;
    arguments[count++] = self;
    arguments[count++] = "rank";
    arguments[count++] = "--library";
    arguments[count++] = setup->library;
    arguments[count++] = "--ranks";
    arguments[count++] = ranks;
    arguments[count] = NULL;
    return team_open(arguments, path, why, size);
}

static void doctor(FILE *out)
{
    char path[PATH_MAX], version[64];
    bool slurm;
    diagnosis_section(out, "MPI and ScaLAPACK");
    if (find_starter(path, sizeof path, &slurm)) {
        tool_version(path, version, sizeof version);
        diagnosis_line(out, "found", slurm ? "srun" : "mpirun", "%s %s", path, version);
    } else {
        diagnosis_missing(out, "mpirun", "not found", "the cells of ScaLAPACK are skipped", REMEDY);
    }
    if (object_path("tilelab-scalapack.so", path, sizeof path))
        diagnosis_line(out, "found", "ScaLAPACK", "%s", path);
    else
        diagnosis_missing(out, "ScaLAPACK", "mpicc or ScaLAPACK was not found when tilelab was built",
                          "the cells of ScaLAPACK are skipped", REMEDY);
}

static const struct backend_worker worker = {
    .open = open_team,
    .prepare = team_prepare,
    .run = team_run,
    .finish = team_finish,
    .team = &team_operands,
    .poisoned = team_poisoned,
};

const struct backend backend_ranks = {
    .warm_s = CPU_WARM_S,
    .missing = missing,
    .memory_bytes = cpu_memory_bytes,
    .device = cpu_device,
    .doctor = doctor,
    .identity = team_identity,
    .worker = &worker,
};

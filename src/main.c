/* tilelab: reproducible performance experiments for dense kernels.
 * SPDX-License-Identifier: MIT */
#include "build_info.h"
#include "registry.h"
#include "backend/backend.h"
#include "base/process.h"
#include "base/suggest.h"
#include "base/typed.h"
#include "command/commands.h"
#include "counters/count_launch.h"
#include "own/own.h"
#include "team/rank.h"
#include "verify/parallel.h"
#include "worker/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const struct subcommand {
    const char *name;
    int (*main)(int argc, char **argv);
    const char *help; /* NULL: the program calls this subcommand itself */
} subcommands[] = {
#define COMMAND(name, help) {#name, name##_main, help},
#include "command/commands.def"
#undef COMMAND
    {"worker", worker_main, NULL},
    {"rank", rank_main, NULL},
    {"count-launch", count_launch_main, NULL},
};

/* What follows "describe-" is the name of a backend. A child process of the program has such a subcommand. */
static int (*describer(const char *subcommand))(int, char **)
{
    static const char prefix[] = "describe-";
    if (strncmp(subcommand, prefix, sizeof prefix - 1) != 0)
        return NULL;
    for (int id = 0; id < BACKENDS; id++)
        if (strcmp(subcommand + sizeof prefix - 1, registry_backends[id].name) == 0)
            return backend_get((enum backend_id)id)->describe;
    return NULL;
}

static void usage(FILE *out)
{
    fputs("tilelab " TILELAB_VERSION ": reproducible performance experiments for dense kernels\n\n"
          "Usage: tilelab SUBCOMMAND [ARGUMENT...]\n"
          "       tilelab SUBCOMMAND -h      more about a subcommand; man tilelab, man tilelab-experiment: everything\n"
          "       tilelab -V           the version\n\n",
          out);
    for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++)
        if (subcommands[i].help)
            fprintf(out, "  %-9s %s\n", subcommands[i].name, subcommands[i].help);
}

/* Opens standard input, output and error if the caller has closed them. A file that is opened later, as the journal,
 * would otherwise take the place of one of them, and receive what is printed. */
static void open_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) != fd) {
            dprintf(STDERR_FILENO, "tilelab: /dev/null cannot take the place of a closed file: %s\n", strerror(errno));
            _exit(EXIT_OUTPUT);
        }
}

/* A reader that closes its end of a pipe, and a limit on the size of files, are errors of a call and no end of the
 * program. The end of a child is to be seen, whatever the caller ignores. */
static void set_signals(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
}

/* What the subcommands and the libraries under them need to say what they lack, instead of ending by SIGSEGV. */
static const struct room {
    int limit;
    const char *what, *option;
    rlim_t least;
} rooms[] = {{RLIMIT_STACK, "the stack is", "-s", 1 << 20}, {RLIMIT_DATA, "data are", "-d", 16 << 20}};

/* Whether the limits leave room. A limit that may be raised is raised; the program then starts anew, as the threads of
 * its libraries have taken the size of their stacks from the old limit. */
static bool has_room(char **argv)
{
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        const struct room *room = &rooms[i];
        struct rlimit now;
        if (getrlimit((__rlimit_resource_t)room->limit, &now) != 0 || now.rlim_cur >= room->least)
            continue;
        const unsigned long long had = now.rlim_cur >> 10, least = room->least >> 10;
        now.rlim_cur = room->least;
        if (now.rlim_max >= room->least && setrlimit((__rlimit_resource_t)room->limit, &now) == 0)
            execv(PROCESS_SELF, argv);
        fprintf(stderr,
                "tilelab: %s limited to %llu kB, and at least %llu kB are needed; raise the limit: ulimit %s %llu\n",
                room->what, had, least, room->option, least);
        return false;
    }
    return true;
}

static pid_t started_as;

/* The exit code of a subcommand, or EXIT_OUTPUT if the subcommand was fine but not all that it printed could be
 * written. */
static int end_output(int code)
{
    const bool failed_before = ferror(stdout) != 0;
    static bool told;
    errno = 0;
    if (told)
        return code;
    if (fflush(stdout) == 0 && !failed_before)
        return code;
    told = true;
    /* A reader that has seen enough is told nothing, also where an earlier call met the end of its pipe. */
    struct pollfd out = {.fd = STDOUT_FILENO};
    if (errno != EPIPE && !(poll(&out, 1, 0) > 0 && out.revents & POLLERR))
        fprintf(stderr, "tilelab: standard output could not be written%s%s\n", errno ? ": " : "",
                errno ? strerror(errno) : "");
    return code == EXIT_OK ? EXIT_OUTPUT : code;
}

/* argp ends the program itself after --help and --version. What was printed counts there too. */
static void end_early(void)
{
    if (getpid() == started_as && end_output(EXIT_OK) != EXIT_OK)
        _exit(EXIT_OUTPUT);
}

static int run_subcommand(int argc, char **argv)
{
    if (argc < 2) {
        usage(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        usage(stdout);
        return EXIT_OK;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        puts("tilelab " TILELAB_VERSION " " TILELAB_COMMIT);
        return EXIT_OK;
    }
    parallel_init();
    typed_note(argc, argv);
    int (*const describe)(int, char **) = describer(argv[1]);
    if (describe)
        return describe(argc - 1, argv + 1);
    const char *names[sizeof subcommands / sizeof *subcommands];
    size_t shown = 0;
    for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++) {
        if (strcmp(argv[1], subcommands[i].name) == 0) {
            /* Usage lines then name the program and the subcommand. */
            static char name[48];
            own_inherit(subcommands[i].help == NULL);
            snprintf(name, sizeof name, "tilelab %s", subcommands[i].name);
            argv[1] = name;
            return subcommands[i].main(argc - 1, argv + 1);
        }
        if (subcommands[i].help)
            names[shown++] = subcommands[i].name;
    }
    const char *near = suggest_name(argv[1], names, shown);
    fprintf(stderr, "tilelab: there is no subcommand '%s'%s\n", argv[1], suggest_words(near));
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    open_standard_files();
    if (!has_room(argv))
        return EXIT_USAGE;
    set_signals();
    started_as = getpid();
    atexit(end_early);
    const int code = run_subcommand(argc, argv);
    return end_output(code == EXIT_OK && own_any_left_out() ? EXIT_CELLS : code);
}

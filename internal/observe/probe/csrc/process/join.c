// How the agent of another host than the supervisor's is started: by the first rank there that finds no session. The
// others wait for it.
//
// Runs: at the end of MPI_Init, on hosts without a session directory; at the end of MPI_Finalize.
//
// Never: forks, as MPI libraries may not bear that (posix_spawn starts a process without a copy of this one); waits
// longer than the agent may take to join, or for an agent that could not. It leaves no file behind: who has the turn,
// and that it was in vain, is said by abstract names of sockets (unix(7)), which belong to this host's network and go
// with the process. Any user of the host can take such a name, so it depends on what only the job knows, and nobody
// waits without limit for whoever has it.
#define _GNU_SOURCE
#include "process/process.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

// A number that nobody knows outside the job, made of its key (FNV-1a). The key cannot be had from it: it has four
// times as many bits.
static uint64_t of_job(void)
{
    uint64_t h = 0xcbf29ce484222325;
    for (const char *c = getenv(UK_ENV_LINK); c && *c; c++)
        h = (h ^ (unsigned char)*c) * 0x100000001b3;
    return h;
}

// Takes a name that one process of the host can have at a time: a socket, or -1 with EADDRINUSE if another one has it.
static int take_name(const char *what, const char *session)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    const char *base = strrchr(session, '/');
    int n = snprintf(at.sun_path + 1, sizeof at.sun_path - 1, "unknot-%s%s.%016llx", what, base ? base : session,
                     (unsigned long long)of_job());
    if (n < 0 || (size_t)n >= sizeof at.sun_path - 1) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s >= 0 &&
        bind(s, (struct sockaddr *)&at, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n)) != 0) {
        int cause = errno;
        close(s);
        errno = cause;
        return -1;
    }
    return s;
}

// A directory of that name that another user has made is no session.
static bool there(const char *session)
{
    char name[sizeof uk_process.session + sizeof UK_CONTROL_NAME + 1];
    struct stat dir;
    snprintf(name, sizeof name, "%s/%s", session, UK_CONTROL_NAME);
    return lstat(session, &dir) == 0 && S_ISDIR(dir.st_mode) && dir.st_uid == geteuid() && access(name, F_OK) == 0;
}

// Starts the agent and waits until it watches, or has said why it does not.
static void start(const char *agent, const char *session)
{
    char path[4096], at[sizeof uk_process.session];
    if (strlen(agent) >= sizeof path || strlen(session) >= sizeof at)
        return;
    strcpy(path, agent);
    strcpy(at, session);
    char verb[] = "agent", join[] = "--join", *argv[] = {path, verb, join, at, NULL};
    posix_spawnattr_t how;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    if (posix_spawnattr_init(&how) != 0)
        return;
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &all);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    pid_t pid;
    int rc = posix_spawn(&pid, path, NULL, &how, argv, environ);
    posix_spawnattr_destroy(&how);
    if (rc != 0) {
        fprintf(stderr,
                "unknot: cannot start %s: %s; this host's ranks are not watched; hint: install unknot at the same path "
                "on all hosts, or use --stage\n",
                path, strerror(rc));
        return;
    }
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) // the program may have collected it: it has ended all the same
        continue;
}

enum { PATIENCE = 60 * 1000 / 5 }; // how often a rank looks for the session, every 5 ms

bool uk_join(const char *session)
{
    const char *agent = getenv(UK_ENV_AGENT);
    const struct timespec soon = {.tv_nsec = 5 * 1000 * 1000};
    if (!agent || !*agent)
        return false;
    for (int n = 0; n < PATIENCE; n++) {
        if (there(session))
            return true;
        int turn = take_name("joining", session);
        if (turn < 0 && errno != EADDRINUSE)
            return false;
        if (turn >= 0) {
            int failed = take_name("unjoined", session);
            if (failed >= 0) {
                if (!there(session))
                    start(agent, session);
                if (there(session))
                    close(failed);
                // Else the name says as long as this process lives that there is no use in trying again.
            }
            close(turn);
            return there(session);
        }
        nanosleep(&soon, NULL);
    }
    fprintf(stderr,
            "unknot: no agent has joined on this host within a minute, while another process had the turn to start it; "
            "this process is not watched\n");
    return false;
}

// Slurm kills what is left of a step on a host when its last rank there has ended, and the agent with it: the rank
// waits until the agent has said everything, which that does when all ranks of the job have come here, and a little
// longer than the agent may take for it.
static void wait_for_agent(const struct uk_control *control)
{
    const struct timespec soon = {.tv_nsec = 5 * 1000 * 1000};
    for (int n = 0; n < 2000 && !uk_agent_gone(control); n++)
        nanosleep(&soon, NULL);
}

// Other ranks keep what they have mapped. Nobody opens anything there any more.
static void clear(const char *session, int at)
{
    DIR *all = fdopendir(at);
    if (!all) {
        close(at);
        return;
    }
    for (struct dirent *e; (e = readdir(all));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            unlinkat(at, e->d_name, 0);
    closedir(all);
    rmdir(session);
}

void uk_join_end(const char *session, const struct uk_control *control)
{
    int at = open(session, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat dir;
    if (at >= 0 && (fstat(at, &dir) != 0 || dir.st_uid != geteuid() || faccessat(at, UK_JOINED_NAME, F_OK, 0) != 0)) {
        close(at);
        at = -1;
    }
    if (at >= 0 && uk_agent_gone(control)) {
        clear(session, at);
        return;
    }
    if (at < 0)
        return;
    close(at);
    if (getenv("SLURM_JOB_ID"))
        wait_for_agent(control);
}

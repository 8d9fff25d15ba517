// Whether a launcher that started several processes is one whose job this process's MPI library knows nothing of: then
// each process is rank 0 of 1.
//
// Runs: once, at the end of MPI_Init of a process that is alone in its world, and where a process of another MPI
// library is found.
//
// Never: decides anything. Programs of MPI may be started alone by processes of a job, so the supervisor looks at what
// all said.
#define _GNU_SOURCE
#include "process/process.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int number(const char *name)
{
    const char *value = getenv(name);
    return value ? atoi(value) : 0;
}

static pid_t parent_of(pid_t pid)
{
    char name[64], text[512];
    snprintf(name, sizeof name, "/proc/%d/stat", (int)pid);
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *at = strrchr(text, ')'); // the name before it may hold anything (proc(5))
    int parent = 0;
    return at && sscanf(at + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

// The file of the nearest process above that is a launcher or a daemon of one.
static void find_launcher(char *path, size_t size, bool open_mpi)
{
    static const char *const ofOpenMPI[] = {"orte",    "orted",  "orterun", "prte", "prted",
                                            "prterun", "mpirun", "mpiexec", NULL};
    static const char *const ofHydra[] = {"hydra_", "mpiexec.hydra", "mpirun", "mpiexec", NULL};
    const char *const *names = open_mpi ? ofOpenMPI : ofHydra;
    pid_t pid = getppid();
    for (int up = 0; up < 32 && pid > 1; up++, pid = parent_of(pid)) {
        char name[64];
        snprintf(name, sizeof name, "/proc/%d/exe", (int)pid);
        ssize_t n = readlink(name, path, size - 1);
        path[n > 0 ? n : 0] = '\0';
        const char *file = strrchr(path, '/');
        for (int i = 0; file && names[i]; i++)
            if (strncmp(file + 1, names[i], strlen(names[i])) == 0)
                return;
    }
    *path = '\0';
}

void uk_alone(struct uk_control *c, const char *library, uint32_t evidence)
{
    // Open MPI's launchers set the first one, those with Hydra the second one. Where one job was started within
    // another, nothing is known.
    int orte = number("OMPI_COMM_WORLD_SIZE"), hydra = getenv("PMI_FD") || getenv("PMI_PORT") ? number("PMI_SIZE") : 0;
    if ((orte > 1) == (hydra > 1))
        return;
    // It may serve Open MPI's way to start, too.
    if (hydra > 1 && evidence != UK_ALONE_COUNTED && getenv("PMIX_NAMESPACE"))
        return;
    uint32_t nobody = 0;
    if (__atomic_compare_exchange_n(&c->alone_size, &nobody, (uint32_t)(orte > 1 ? orte : hydra), false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        c->alone_by = orte > 1 ? UK_ALONE_BY_OPEN_MPI : UK_ALONE_BY_HYDRA;
        c->alone_evidence = evidence;
        strncpy((char *)c->alone_library, library, sizeof c->alone_library - 1);
        if (readlink("/proc/self/exe", (char *)c->alone_program, sizeof c->alone_program - 1) < 0)
            c->alone_program[0] = '\0';
        find_launcher((char *)c->alone_launcher, sizeof c->alone_launcher, orte > 1);
    }
    __atomic_add_fetch(&c->alone, 1, __ATOMIC_RELEASE);
}

// Programs of another MPI library than the probe was made for.
//
// Runs: check_library as a constructor, before the program and perhaps before other constructors; uk_misfit in
// MPI_Init, in calls outside of MPI's life and in those of functions that the library does not have.
//
// Never: calls MPI in the constructor, as the library may not have been initialised; changes the environment of a
// program that the probe fits. It starts the program again while nothing of it has run, so that this cannot be seen.
#define _GNU_SOURCE
#include "process/process.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

// Handles, constants and structures differ between MPI libraries, so in a program of another one than the probe was
// made for nothing of that is looked at, and all calls pass. The first process that finds this says so, with the
// library's path.
static bool misfit(bool loaded)
{
    static bool known;
    const char *session = getenv(UK_ENV_SESSION), *path;
    if (__atomic_load_n(&known, __ATOMIC_ACQUIRE))
        return true;
    if (!session || uk_library_fits(loaded, &path))
        return false;
    __atomic_store_n(&known, true, __ATOMIC_RELEASE);
    uk_process.state = UK_ASIDE;
    uk_process.life = UK_ALIVE; // no call is reported to be at the wrong time
    struct uk_control *control = strlen(session) < sizeof uk_process.session ? uk_map_control(session) : NULL;
    uint32_t nobody = 0;
    if (control && __atomic_compare_exchange_n(&control->wrong, &nobody, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        strncpy((char *)control->loaded, path, sizeof control->loaded - 1);
    if (control)
        uk_alone(control, path, loaded ? UK_ALONE_INITIALISED : UK_ALONE_LOADED);
    if (control)
        munmap(control, UK_HEADER_SIZE);
    return true;
}

bool uk_misfit(void)
{
    return misfit(true);
}

// A program that was linked with another MPI library is started again without the probe, before any of it has run. (If
// the dynamic linker was started as a program, it would have to be given the name of this one; then the calls pass.)
__attribute__((constructor)) static void check_library(int argc, char **argv)
{
    (void)argc;
    const char *preload = getenv("LD_PRELOAD");
    Dl_info self;
    if (!preload || !uk_library() || !misfit(false) || getauxval(AT_BASE) == 0 || !dladdr(uk_reals, &self))
        return;
    char *rest = calloc(1, strlen(preload) + 1), *list = strdup(preload), *state = NULL;
    if (!rest || !list)
        return;
    for (char *p = strtok_r(list, " :", &state); p; p = strtok_r(NULL, " :", &state))
        if (strcmp(p, self.dli_fname) != 0) {
            if (*rest)
                strcat(rest, ":");
            strcat(rest, p);
        }
    if (strlen(rest) == strlen(preload))
        return;
    setenv("LD_PRELOAD", rest, 1);
    execve("/proc/self/exe", argv, environ);
}

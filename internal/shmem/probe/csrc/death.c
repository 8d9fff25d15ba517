/*
 * How a PE ends otherwise than by shmem_finalize. The probe of MPI, which is preloaded with this one, has the handlers
 * of signals, and _exit (process/death.c).
 *
 * Runs: on_exit's function after those of the program, and before the library's, which finalises it and may wait for
 * other PEs.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

#include <shmem.h>

#include "sh.h"

static void leaves(int status, void *unused)
{
    (void)unused;
    sh_died(0, status, 0, NULL);
}

/* The program's own way to end the job is not the death of a PE. */
__attribute__((visibility("default"))) void shmem_global_exit(int status)
{
    static void (*real)(int);
    if (!real)
        real = sh_real("shmem_global_exit");
    sh_died(0, 0, 0, NULL);
    real(status);
}

void sh_death_init(void)
{
    typedef void note(int sig, int code, int sender, void *pc);
    void (*also)(note *) = (void (*)(note *))dlsym(RTLD_DEFAULT, "uk_deaths_also");
    if (also)
        also(sh_died);
    on_exit(leaves, NULL);
}

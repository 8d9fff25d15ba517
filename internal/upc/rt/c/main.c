/*
 * The life of a thread: MPI, set-up, the program's main, the barriers at both ends of it. A thread ends by returning
 * from main or by exit, which mean the same (UPC 1.3, 6.2): it waits for the others at its end.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rt.h"

static int own_pid;

static void thread_ends(int status, void *nothing)
{
    (void)status;
    (void)nothing;
    if (getpid() != own_pid) /* a child that the program made by fork */
        return;
    /* A launcher may end the job as soon as one thread has an exit status other than 0. */
    fflush(NULL);
    upcr_record_end();
    upcr_barrier_end();
    upcr_take_down();
    MPI_Finalize();
}

int main(int argc, char **argv, char **envp)
{
    MPI_Init(&argc, &argv);
    upcr_set_up();
    own_pid = getpid();
    on_exit(thread_ends, NULL); /* upc-check has the linker follow the program's calls of atexit */
    upcr_barrier_inner();
    exit(upcr_main(argc, argv, envp));
}

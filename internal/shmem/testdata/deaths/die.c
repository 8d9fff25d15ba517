// PE 1 ends before shmem_finalize, in the way that is named, or all do.
#include <shmem.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile int *nowhere;
static void fault(void) { *nowhere = 1; }
int main(int argc, char **argv)
{
    const char *how = argv[argc - 1];
    if (strcmp(how, "ending") == 0)
        unsetenv("OMPI_MCA_memory"); // Open MPI 4.1 crashes in shmem_finalize then
    shmem_init();
    if (strcmp(how, "early") == 0)
        _exit(shmem_my_pe() + 3);
    shmem_barrier_all();
    if (shmem_my_pe() == 1) {
        if (strcmp(how, "fault") == 0)
            fault();
        if (strcmp(how, "abort") == 0)
            abort();
        if (strcmp(how, "kill") == 0)
            raise(SIGKILL);
        if (strcmp(how, "exit") == 0)
            exit(3);
        if (strcmp(how, "_exit") == 0)
            _exit(3);
        if (strcmp(how, "global") == 0)
            shmem_global_exit(4);
    }
    if (strcmp(how, "return") == 0)
        return 0;
    shmem_barrier_all();
    shmem_finalize();
    return strcmp(how, "after") == 0 ? 5 : 0;
}

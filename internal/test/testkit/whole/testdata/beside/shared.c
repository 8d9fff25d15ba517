/* Memory of both. */
/* WANT: ; rank \d looks at the file unknot-shared-\d+ by mmap \(shared.c:18\), which rank \d changes by (mmap|ftruncate) \(shared.c:\d+\) */
#include "acts.h"
#include <fcntl.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
    char name[64];
    begin(&argc, &argv);
    int parent = getpid();
    MPI_Bcast(&parent, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(name, sizeof name, "/unknot-shared-%d", parent);
    const int f = shm_open(name, O_CREAT | O_RDWR, 0600);
    if (f < 0 || ftruncate(f, 4096) != 0)
        return 1;

    volatile int *word = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
    if (rank == 1)
        *word = 1;
    act(0, *word);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        shm_unlink(name);
    end();
    return 0;
}

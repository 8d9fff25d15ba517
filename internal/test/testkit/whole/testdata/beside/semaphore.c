/* A semaphore with a name. */
/* WANT: ; rank \d looks at the file sem.unknot-\d+ by sem_open( \(semaphore.c:14\))?, which rank \d changes by sem_open */
#include "acts.h"
#include <fcntl.h>
#include <semaphore.h>

int main(int argc, char **argv)
{
    char name[64];
    begin(&argc, &argv);
    int parent = getpid();
    MPI_Bcast(&parent, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(name, sizeof name, "/unknot-%d", parent);
    sem_t *s = sem_open(name, O_CREAT, 0600, 1);
    if (s == SEM_FAILED)
        return 1;
    act(0, sem_trywait(s) == 0);
    if (rank == 1)
        sem_trywait(s);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        sem_unlink(name);
    end();
    return 0;
}

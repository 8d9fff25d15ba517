/* A segment of System V. */
/* WANT: ; rank \d may hear of other processes by shmat \(segment.c:14\) */
#include "acts.h"
#include <sys/ipc.h>
#include <sys/shm.h>

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int id = rank == 0 ? shmget(IPC_PRIVATE, 4096, 0600) : 0;
    MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);


    volatile int *word = shmat(id, NULL, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        shmctl(id, IPC_RMID, NULL);
    if (rank == 1)
        *word = 1;
    act(0, *word);
    end();
    return 0;
}

/* A rank is told by a signal. */
/* WANT: ; rank 1 signals another process by kill \(signal.c:19\) */
#include "acts.h"
#include <signal.h>

static volatile sig_atomic_t told;

static void tell(int number) { told = number; }

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    signal(SIGUSR1, tell);
    int pid = getpid();
    MPI_Bcast(&pid, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {

        kill(pid, SIGUSR1);
    }
    act(0, told != 0);
    MPI_Barrier(MPI_COMM_WORLD);
    end();
    return 0;
}

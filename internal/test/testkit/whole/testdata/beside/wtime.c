/* Rank 0 goes on until a moment, and tells the others after each step whether it will. */
/* WANT: with other clocks and random numbers, rank \d made a different call after the same results */
#include "acts.h"
#include <time.h>

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    const double until = MPI_Wtime() + 0.3;
    for (int on = 1; on;) {
        nanosleep(&(struct timespec){0, 4000000}, NULL);
        on = MPI_Wtime() < until;
        MPI_Bcast(&on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    end();
    return 0;
}

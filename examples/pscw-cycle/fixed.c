/* Fixed: both ranks do their own accesses before they wait for the other's. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, other, mine, *memory;
    MPI_Group all, partner;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    mine = rank;

    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &other, &partner);

    MPI_Win_post(partner, 0, window);
    MPI_Win_start(partner, 0, window);
    MPI_Put(&mine, 1, MPI_INT, other, 0, 1, MPI_INT, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);

    MPI_Group_free(&partner);
    MPI_Group_free(&all);
    MPI_Win_free(&window);

    MPI_Finalize();
    return 0;
}

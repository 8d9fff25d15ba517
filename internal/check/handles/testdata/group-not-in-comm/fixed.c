/* The group is made from the communicator's own. */
/* run: -n 4 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, one;
    MPI_Comm half, single;
    MPI_Group own, me;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Comm_group(half, &own);
    MPI_Group_rank(own, &one);
    MPI_Group_incl(own, 1, &one, &me);
    MPI_Comm_create(half, me, &single);
    MPI_Comm_free(&single);
    MPI_Comm_create_group(half, me, 3, &single);
    MPI_Comm_free(&single);
    MPI_Group_free(&me);
    MPI_Group_free(&own);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}

/* The group has a rank of MPI_COMM_WORLD that is not in the communicator. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, pair[2];
    MPI_Comm half, mixed;
    MPI_Group all, two;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    pair[0] = rank;
    pair[1] = (rank + 2) % 4;
    MPI_Group_incl(all, 2, pair, &two);
    MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN);
    MPI_Comm_create(half, two, &mixed); /* want: MPI_Comm_create with group (`two`) a group that has rank */
    MPI_Abort(MPI_COMM_WORLD, 1);
    /* run: -n 4 */
    /* also: group-invalid call-failed collective-mismatch rank-died */
    MPI_Finalize();
    return 0;
}

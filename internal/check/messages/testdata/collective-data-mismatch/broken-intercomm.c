/* run: -n 4 */
/* also: call-failed message-truncated */
/* Between two groups: the root gives three integers where one of the others expects four; a member gives one where the root expects two. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[16] = {0};
    MPI_Comm group, across;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 0, &across);
    MPI_Comm_set_errhandler(across, MPI_ERRORS_RETURN);
    int root = rank == 1 ? MPI_ROOT : rank == 0 ? MPI_PROC_NULL : 1;
    MPI_Bcast(data, rank < 3 ? 3 : 4, MPI_INT, root, across); /* want: In MPI_Bcast rank 1 sends rank 3 3 × MPI_INT, but rank 3 expects 4 × MPI_INT from it */
    MPI_Gatherv(data, 1, MPI_INT, data + 8, (int[]){1, 2}, (int[]){0, 2}, MPI_INT, root, across); /* want: In MPI_Gatherv rank 3 sends rank 1 1 × MPI_INT, but rank 1 expects 2 × MPI_INT from it */
    MPI_Comm_free(&across);
    MPI_Comm_free(&group);
    MPI_Finalize();
    return 0;
}

/* Only MPI_Put takes a struct of several types. Open MPI refuses it, MPICH ends the job. */
/* also: call-failed rank-died */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, mixed;
    MPI_Aint at[2] = {0, 8};
    int one[2] = {1, 1};
    char data[16] = {0};
    double *base;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(2, one, at, types, &mixed);
    MPI_Type_commit(&mixed);
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Accumulate(data, 1, mixed, 1, 0, 1, mixed, MPI_REPLACE, win); /* want: MPI_Accumulate with target_datatype (`mixed`) a derived type of several predefined datatypes; an accumulate accepts only one */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Type_free(&mixed);
    MPI_Finalize();
    return 0;
}

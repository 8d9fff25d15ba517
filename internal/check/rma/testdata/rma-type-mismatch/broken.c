/* The origin has a struct, and the target is described in another order. */
/* also: call-failed */
#include <mpi.h>
#include <stddef.h>

struct particle {
    int id;
    double x[2];
};

int main(int argc, char **argv)
{
    int rank, lengths[2] = {1, 2}, reversed[2] = {2, 1};
    long longs[2] = {1, 2};
    double real = 1;
    MPI_Aint at[2] = {offsetof(struct particle, id), offsetof(struct particle, x)}, back[2] = {0, 16};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, swapped[2] = {MPI_DOUBLE, MPI_INT}, particle, wrong;
    struct particle mine = {1, {2, 3}}, *base;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(2, lengths, at, types, &particle);
    MPI_Type_commit(&particle);
    MPI_Type_create_struct(2, reversed, back, swapped, &wrong);
    MPI_Type_commit(&wrong);
    MPI_Win_allocate(8 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&mine, 1, particle, 1, 0, 1, wrong, win); /* want: MPI_Put with origin_datatype (`particle`) and target_datatype (`wrong`), which do not match: the origin has MPI_INT where the target has MPI_DOUBLE, at element 1 of the data */
        /* note: that is block 1 of the origin, and block 1, element 1 of the target */
        MPI_Win_flush(1, win);
        MPI_Get(&real, 1, MPI_DOUBLE, 1, 1, 2, MPI_INT, win); /* want: MPI_Get with target_datatype and origin_datatype, which do not match: the target has MPI_INT where the origin has MPI_DOUBLE, at element 1 */
        MPI_Win_flush(1, win);
        MPI_Put(longs, 2, MPI_LONG, 1, 2, 2, MPI_INT64_T, win); /* want: the origin has MPI_LONG where the target has MPI_INT64_T */
        MPI_Win_flush(1, win);
        MPI_Put(longs, 16, MPI_BYTE, 1, 3, 2, MPI_LONG, win); /* want: the origin has MPI_BYTE where the target has MPI_LONG */
        MPI_Win_flush(1, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Type_free(&particle);
    MPI_Type_free(&wrong);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

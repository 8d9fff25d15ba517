/* The same basic types on both sides, in types that are made in different ways, and less than there is room for. */
#include <mpi.h>
#include <stddef.h>

struct particle {
    int id;
    double x[2];
};

int main(int argc, char **argv)
{
    int rank, lengths[2] = {1, 2}, numbers[8] = {0}, old[8], one = 1;
    double real = 1, seen;
    struct { double value; int index; } pair = {1, 2};
    MPI_Aint at[2] = {offsetof(struct particle, id), offsetof(struct particle, x)};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, particle, packed, row, every;
    struct particle mine = {1, {2, 3}}, *base;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(2, lengths, at, types, &particle);
    MPI_Type_commit(&particle);
    at[1] = sizeof(int);
    MPI_Type_create_struct(2, lengths, at, types, &packed);
    MPI_Type_commit(&packed);
    MPI_Type_contiguous(4, MPI_INT, &row);
    MPI_Type_commit(&row);
    MPI_Type_vector(4, 1, 2, MPI_INT, &every);
    MPI_Type_commit(&every);
    MPI_Win_allocate(16 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&mine, 1, particle, 1, 0, 1, packed, win);
        MPI_Get(numbers, 4, MPI_INT, 1, 1, 1, row, win);
        MPI_Put(&one, 1, MPI_INT, 1, 2, 4, MPI_INT, win);
        MPI_Put(&one, 0, MPI_DOUBLE, 1, 3, 0, MPI_INT, win);
        MPI_Put(&one, 9, MPI_DOUBLE, MPI_PROC_NULL, 3, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Accumulate(numbers, 4, MPI_INT, 1, 4, 1, every, MPI_SUM, win);
        MPI_Get_accumulate(NULL, 0, MPI_DOUBLE, old, 8, MPI_INT, 1, 6, 2, row, MPI_NO_OP, win);
        MPI_Accumulate(&pair, 1, MPI_DOUBLE_INT, 1, 8, 1, MPI_DOUBLE_INT, MPI_MAXLOC, win);
        MPI_Fetch_and_op(&real, &seen, MPI_DOUBLE, 1, 9, MPI_SUM, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Type_free(&particle);
    MPI_Type_free(&packed);
    MPI_Type_free(&row);
    MPI_Type_free(&every);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

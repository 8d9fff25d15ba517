/* ranks: 3 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Each rank attaches a block to a dynamic window and tells its address; the next one writes there. */
int main(int argc, char **argv)
{
    int rank, size, mine;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Aint *at = malloc(size * sizeof *at), here;
    int *block = calloc(8, sizeof *block);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, block, 8 * sizeof *block);
    MPI_Get_address(block, &here);
    MPI_Allgather(&here, 1, MPI_AINT, at, 1, MPI_AINT, MPI_COMM_WORLD);
    mine = rank + 1;
    MPI_Win_lock_all(0, win);
    for (int to = 0; to < size; to++)
        MPI_Put(&mine, 1, MPI_INT, to, MPI_Aint_add(at[to], rank * (MPI_Aint)sizeof(int)), 1, MPI_INT, win);
    MPI_Win_flush_all(win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        if (block[i] != i + 1)
            printf("rank %d has %d from rank %d\n", rank, block[i], i);
    MPI_Win_detach(win, block);
    MPI_Win_free(&win);
    free(block);
    free(at);
    MPI_Finalize();
    return 0;
}

/* run: -n 2 --check-memory */
/* Whole variables and blocks, parts of them, pieces of a struct, and ranks without memory. */
#include <mpi.h>
#include <stdlib.h>

static double table[100];
static struct {
    int head, data[7];
} record;

int main(int argc, char **argv)
{
    int rank, *block, here[4] = {0};
    MPI_Win w[6];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    block = malloc(40);
    MPI_Win_create(rank == 0 ? table : NULL, rank == 0 ? sizeof table : 0, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &w[0]);
    MPI_Win_create(&record.data[2], 5 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &w[1]);
    MPI_Win_create(here, sizeof here, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w[2]);
    MPI_Win_create(block + 1, 36, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w[3]);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &w[4]);
    MPI_Win_attach(w[4], block, 4);
    MPI_Win_create(table + 100, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w[5]);
    MPI_Win_detach(w[4], block);
    for (int i = 0; i < 6; i++)
        MPI_Win_free(&w[i]);
    free(block);
    MPI_Finalize();
    return 0;
}

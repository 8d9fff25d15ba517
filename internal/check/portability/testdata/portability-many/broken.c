/* run: -n 1 */
/* only: openmpi */
/* A communicator for each of three fields of each cell: each call has fewer than resource-growth asks for. MPICH ends such a program. */
#include <mpi.h>

#define CELLS 680

int main(int argc, char **argv)
{
    static MPI_Comm fields[CELLS][3];

    MPI_Init(&argc, &argv);
    for (int i = 0; i < CELLS; i++) {
        MPI_Comm_dup(MPI_COMM_SELF, &fields[i][0]); /* want: MPICH and libraries that are based on it allow about 2000 */
        MPI_Comm_dup(MPI_COMM_SELF, &fields[i][1]);
        MPI_Comm_dup(MPI_COMM_SELF, &fields[i][2]);
    }
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k < 3; k++)
            MPI_Comm_free(&fields[i][k]);
    MPI_Finalize();
    return 0;
}

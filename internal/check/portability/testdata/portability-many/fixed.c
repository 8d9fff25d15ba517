/* run: -n 1 */
/* As many communicators, but not at a time. */
#include <mpi.h>

#define CELLS 680

int main(int argc, char **argv)
{
    static MPI_Comm fields[CELLS][3];

    MPI_Init(&argc, &argv);
    for (int half = 0; half < 2; half++) {
        for (int i = half; i < CELLS; i += 2) {
            MPI_Comm_dup(MPI_COMM_SELF, &fields[i][0]);
            MPI_Comm_dup(MPI_COMM_SELF, &fields[i][1]);
            MPI_Comm_dup(MPI_COMM_SELF, &fields[i][2]);
        }
        for (int i = half; i < CELLS; i += 2)
            for (int k = 0; k < 3; k++)
                MPI_Comm_free(&fields[i][k]);
    }
    MPI_Finalize();
    return 0;
}

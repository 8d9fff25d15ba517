// reported: parthenon-hpc-lab/parthenon PR 841, ornladios/ADIOS2 PR 2002, QMCPACK/qmcpack PR 1447: a copied object frees the communicator that the original still uses
#include <mpi.h>
#include <vector>

struct Reduction {
    MPI_Comm comm;
    double value = 1;
    Reduction() { MPI_Comm_dup(MPI_COMM_WORLD, &comm); }
    ~Reduction()
    {
        if (comm != MPI_COMM_NULL)
            MPI_Comm_free(&comm);
    }
    double total() const
    {
        double sum = 0;
        MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, comm); // want: comm-invalid: freed
        // hint: copy
        return sum;
    }
};

static double twice(Reduction r) { return 2 * r.value; }

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    {
        Reduction mass;
        twice(mass);
        mass.total();
    }
    MPI_Finalize();
    return 0;
}
// also: rank-died call-failed

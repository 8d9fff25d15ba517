#include <mpi.h>
#include <vector>

struct Reduction {
    MPI_Comm comm;
    double value = 1;
    Reduction() { MPI_Comm_dup(MPI_COMM_WORLD, &comm); }
    Reduction(const Reduction &) = delete;
    ~Reduction()
    {
        if (comm != MPI_COMM_NULL)
            MPI_Comm_free(&comm);
    }
    double total() const
    {
        double sum = 0;
        MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
        return sum;
    }
};

static double twice(const Reduction &r) { return 2 * r.value; }

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

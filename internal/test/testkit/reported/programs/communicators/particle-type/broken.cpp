// reported: IAS-Astrophysics/athenak PR 767, FEniCS/dolfinx PR 3031, HDFGroup/hdf5 PR 1637, NOAA-GFDL/FMS 821: a datatype of each exchange is not freed
#include <mpi.h>

static void count_sends(int (&all)[6])
{
    MPI_Datatype triple;
    int mine[3] = {1, 2, 3};
    MPI_Type_contiguous(3, MPI_INT, &triple); // want: leak-type: 200 datatypes
    // hint: MPI_Type_free
    MPI_Type_commit(&triple);
    MPI_Allgather(mine, 1, triple, all, 1, triple, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int all[6];
    MPI_Init(&argc, &argv);
    for (int stage = 0; stage < 200; stage++)
        count_sends(all);
    MPI_Finalize();
    return 0;
}

/* reported: openPMD/openPMD-api PR 1041, ComputationalRadiationPhysics/libSplash 211: only one rank creates an object of the file, which all must do */
/* only: openmpi */
/* needs: libhdf5-openmpi-dev */
/* flags: -Wl,--no-as-needed -I/usr/include/hdf5/openmpi -L/usr/lib/x86_64-linux-gnu/hdf5/openmpi -lhdf5 */
#include <hdf5.h>
#include <mpi.h>

static void write_step(hid_t file, int step)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(file, "step", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_INT, &step);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Fflush(file, H5F_SCOPE_GLOBAL); /* want: deadlock: H5Fflush */
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate("steps.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (rank == 0)
        write_step(file, 7);
    H5Fclose(file);
    H5Pclose(access);
    MPI_Finalize();
    return 0;
}
/* also: collective-mismatch */

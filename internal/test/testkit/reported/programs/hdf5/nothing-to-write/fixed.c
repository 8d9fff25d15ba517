/* run: -n 3 */
/* only: openmpi */
/* needs: libhdf5-openmpi-dev */
/* flags: -Wl,--no-as-needed -I/usr/include/hdf5/openmpi -L/usr/lib/x86_64-linux-gnu/hdf5/openmpi -lhdf5 */
#include <hdf5.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    hsize_t extent[1] = {6}, start[1], count[1] = {3};
    double part[3] = {1, 2, 3};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate("field.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hid_t space = H5Screate_simple(1, extent, NULL);
    hid_t data = H5Dcreate2(file, "field", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
    hid_t memory = H5Screate_simple(1, count, NULL);
    if (rank < 2) {
        start[0] = 3 * rank;
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    } else {
        H5Sselect_none(space);
        H5Sselect_none(memory);
    }
    H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, transfer, part);
    H5Sclose(memory);
    H5Pclose(transfer);
    H5Dclose(data);
    H5Sclose(space);
    H5Fclose(file);
    H5Pclose(access);
    MPI_Finalize();
    return 0;
}

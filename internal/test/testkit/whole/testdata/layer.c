// A Fortran layer of its own, as a library: it calls the C functions of MPI, with -DPROFILING by the names of the profiling interface. Compiled by the
// ABI of the MPI standard it is what that wants of Fortran's library (MPI-5.0, 20.4.2), for the functions that the tests' programs call.
#include <mpi.h>
#include <stddef.h>

#ifdef PROFILING
#define REAL(name) P##name
#else
#define REAL(name) name
#endif

#if defined MPI_ABI_VERSION && !defined MPICH_VERSION && !defined OPEN_MPI
#define COMM(f) MPI_Comm_fromint(f)
#define TYPE(f) MPI_Type_fromint(f)
#define FROM_COMM(c) MPI_Comm_toint(c)
#define FROM_TYPE(c) MPI_Type_toint(c)
#else
#define COMM(f) MPI_Comm_f2c(f)
#define TYPE(f) MPI_Type_f2c(f)
#define FROM_COMM(c) MPI_Comm_c2f(c)
#define FROM_TYPE(c) MPI_Type_c2f(c)
#endif

int layer_world_(void) { return FROM_COMM(MPI_COMM_WORLD); }
int layer_int_(void) { return FROM_TYPE(MPI_INT); }

void mpi_init_(int *ierror) { *ierror = REAL(MPI_Init)(NULL, NULL); }
void mpi_finalize_(int *ierror) { *ierror = REAL(MPI_Finalize)(); }
void mpi_comm_rank_(int *comm, int *rank, int *ierror) { *ierror = REAL(MPI_Comm_rank)(COMM(*comm), rank); }

void mpi_recv_(void *buf, int *count, int *type, int *source, int *tag, int *comm, int *status, int *ierror)
{
    (void)status;
    *ierror = REAL(MPI_Recv)(buf, *count, TYPE(*type), *source, *tag, COMM(*comm), MPI_STATUS_IGNORE);
}

void mpi_send_(void *buf, int *count, int *type, int *dest, int *tag, int *comm, int *ierror)
{
    *ierror = REAL(MPI_Send)(buf, *count, TYPE(*type), *dest, *tag, COMM(*comm));
}

// The envelope of a datatype: how it was made, and from how many numbers and datatypes.
//
// Runs: in calls of MPI that are about a datatype.
//
// Never: calls the program's error handler because a datatype was made with large counts.
#include "objects/objects.h"
#include <limits.h>

int uk_envelope(MPI_Datatype type, int *integers, int *addresses, int *datatypes, int *combiner)
{
    typedef int envelope(MPI_Datatype, int *, int *, int *, int *);
    typedef int large_envelope(MPI_Datatype, MPI_Count *, MPI_Count *, MPI_Count *, MPI_Count *, int *);
    static void *large;
    static bool asked;
    if (!__atomic_load_n(&asked, __ATOMIC_ACQUIRE)) {
        __atomic_store_n(&large, uk_sym("PMPI_Type_get_envelope_c"), __ATOMIC_RELAXED);
        __atomic_store_n(&asked, true, __ATOMIC_RELEASE);
    }
    void *function = __atomic_load_n(&large, __ATOMIC_RELAXED);
    if (!function)
        return ASK(MPI_Type_get_envelope, envelope, type, integers, addresses, datatypes, combiner);
    MPI_Count n[3] = {0}, counts = 0;
    int error = ((large_envelope *)function)(type, &n[0], &n[1], &counts, &n[2], combiner);
    if (error == MPI_SUCCESS && (counts > 0 || n[0] > INT_MAX || n[1] > INT_MAX || n[2] > INT_MAX))
        error = MPI_ERR_TYPE;
    if (error != MPI_SUCCESS)
        return error;
    *integers = (int)n[0];
    *addresses = (int)n[1];
    *datatypes = (int)n[2];
    return MPI_SUCCESS;
}

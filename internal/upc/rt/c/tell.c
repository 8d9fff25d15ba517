/*
 * A word from thread 0 to all, for collective functions whose result must be the same everywhere.
 */
#include "rt.h"

static unsigned times;

uint64_t upcr_tell(uint64_t word)
{
    if (!upcr_one_node) {
        MPI_Request request;
        upcr_in_mpi++;
        MPI_Ibcast(&word, 1, MPI_UINT64_T, 0, upcr_comm, &request);
        upcr_in_mpi--;
        upcr_complete_by_all(&request, UPCR_AT_EXCHANGE);
        return word;
    }
    /* The word of the time before last has been read: all have been in the barrier since. */
    uint64_t *sent = &upcr_leader->sent[times++ % 2];
    if (upcr_thread == 0)
        *sent = word;
    upcr_barrier_inner();
    return *sent;
}

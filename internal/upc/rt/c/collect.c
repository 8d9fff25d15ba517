/*
 * What collective functions have in common: synchronisation as their flags say, and the exchange of small values.
 *
 * A thread always moves the data of its own: what it is to get, or where that is at one place, what it has to give. So
 * a thread that has returned is done with its part, and a barrier gives more than MYSYNC asks for.
 */
#include <string.h>

#include "rt.h"
#include "upc_types.h"

/* A barrier, which the program may count on if it has asked for ALLSYNC. */
static void meet(int asked)
{
    if (asked)
        upcr_record_notify();
    upcr_barrier_inner();
    if (asked)
        upcr_record_wait();
}

void upcr_enter(int flags)
{
    if (!(flags & UPC_IN_NOSYNC))
        meet(!(flags & UPC_IN_MYSYNC));
    upcr_record_enter((flags & UPC_IN_NOSYNC) != 0, (flags & UPC_IN_MYSYNC) != 0, (flags & UPC_OUT_NOSYNC) != 0);
}

void upcr_leave(int flags)
{
    upcr_record_leave();
    if (!(flags & UPC_OUT_NOSYNC))
        meet(!(flags & UPC_OUT_MYSYNC));
}

static void far_parts(const struct upcr_part *mine, struct upcr_part *all)
{
    MPI_Request request;
    upcr_in_mpi++;
    MPI_Iallgather(mine, sizeof *mine, MPI_BYTE, all, sizeof *mine, MPI_BYTE, upcr_comm, &request);
    upcr_in_mpi--;
    upcr_complete_by_all(&request, UPCR_AT_EXCHANGE);
}

/* Two sets take turns: a thread that is two exchanges ahead has seen all others leave the first. */
void upcr_parts(const struct upcr_part *mine, struct upcr_part *all)
{
    static unsigned times;
    unsigned turn = times++ % 2;
    if (!upcr_one_node) {
        far_parts(mine, all);
        return;
    }
    upcr_self->part[turn] = *mine;
    upcr_barrier_inner();
    for (int t = 0; t < upcr_threads; t++)
        all[t] = upcr_control_of(t)->part[turn];
}

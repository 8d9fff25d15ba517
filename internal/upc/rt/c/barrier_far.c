/*
 * Barriers of several nodes: a reduction that the threads start at notify and complete at wait. Only barrier.c calls
 * this.
 */
#include <limits.h>
#include <string.h>

#include "rt.h"

/*
 * Each is a maximum: of the values and of the negative values that were given, of "at the end" and of "not at the end".
 */
enum { HIGHEST, LOWEST, ENDED, WAITING, WORDS };

static long out[WORDS], in[WORDS];
static struct upcr_arrival given;
static MPI_Request request;

void upcr_far_notify(const struct upcr_arrival *mine)
{
    given = *mine;
    out[HIGHEST] = mine->has ? mine->value : LONG_MIN;
    out[LOWEST] = mine->has ? -(long)mine->value : LONG_MIN;
    out[ENDED] = mine->end;
    out[WAITING] = !mine->end;
    upcr_in_mpi++;
    MPI_Iallreduce(out, in, WORDS, MPI_LONG, MPI_MAX, upcr_comm, &request);
    upcr_in_mpi--;
}

/* Not all is well, and all threads know it: one says what. */
static void tell_difference(void)
{
    static struct upcr_arrival all[UPCR_MAX_THREADS];
    MPI_Gather(&given, sizeof given, MPI_BYTE, all, sizeof given, MPI_BYTE, 0, upcr_comm);
    if (upcr_thread != 0)
        return;
    int ended = 0, first = -1;
    for (int t = 0; t < upcr_threads; t++)
        ended += all[t].end;
    if (ended)
        upcr_some_have_ended(ended, upcr_threads - ended);
    for (int t = 0; t < upcr_threads; t++) {
        if (!all[t].has)
            continue;
        if (first < 0)
            first = t;
        else if (all[t].value != all[first].value)
            upcr_values_differ(first, &all[first], t, &all[t]);
    }
}

/* Some have ended and others wait for them, which is reported when all have arrived here. */
static _Noreturn void wait_for_ever(void)
{
    const struct upcr_wait what = {given.end ? UPCR_AT_END : UPCR_AT_BARRIER, -1, 0};
    for (unsigned step = 0;;)
        upcr_pause_for(&step, &what);
}

void upcr_far_wait(void)
{
    upcr_complete_by_all(&request, given.end ? UPCR_AT_END : UPCR_AT_BARRIER);
    if (in[ENDED] && in[WAITING] && upcr_watched)
        wait_for_ever();
    if ((in[ENDED] && in[WAITING]) || (in[HIGHEST] != LONG_MIN && in[HIGHEST] != -in[LOWEST])) {
        tell_difference();
        MPI_Barrier(upcr_comm); /* until thread 0 ends the job */
    }
}

int upcr_far_consensus(int *value)
{
    *value = (int)in[HIGHEST];
    return in[HIGHEST] != LONG_MIN;
}

// Two ranks are made to meet at two calls, in a run that is to confirm what was found in another one
// (observe/rendezvous).
//
// Runs: at the beginning of each call of MPI, in such runs only.
//
// Never: holds a rank for longer than the bounds of meet.h, or after the rank has begun the call.
#define _GNU_SOURCE
#include "process/process.h"
#include "process/meet.h"
#include <errno.h>

void uk_meet_init(const char *session, int rank)
{
    uk_meet_open(session, rank);
    uk_process.meeting = uk_meet != NULL;
}

void uk_meet_call(void *ra)
{
    int keep = errno;
    uk_meet_at((uint64_t)(uintptr_t)ra);
    errno = keep;
}

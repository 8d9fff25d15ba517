/*
 * What instrumented upc_foralls (UPC 1.3, 6.6.2) tell of their affinity, and jumps out of them and into them that only
 * show while the program runs.
 */
#include <upc.h>

#include "upck_args.h"

unsigned long upck_forall_integer(const struct upck_site *site, unsigned long hash, long affinity);
void upck_forall_negative(const struct upck_site *site, long affinity);
unsigned long upck_forall_pointer(const struct upck_site *site, unsigned long hash, shared const void *affinity);
void upck_forall_enters(const struct upck_site *site);
void upck_forall_setjmp(const void *buffer);
void upck_forall_longjmp(const struct upck_site *site, const void *buffer);
int upck_quit(const struct upck_site *site, int status);

static const unsigned long prime = 1099511628211UL; /* of the FNV-1a hash */

/* Within the body of another controlling upc_forall the affinity has no meaning. */
static int counts(void)
{
    return upck_forall_depth() <= 1;
}

unsigned long upck_forall_integer(const struct upck_site *site, unsigned long hash, long affinity)
{
    if (affinity < 0)
        upck_forall_negative(site, affinity);
    return (hash ^ (unsigned long)affinity) * prime;
}

void upck_forall_negative(const struct upck_site *site, long affinity)
{
    if (counts() && MYTHREAD == 0) /* the affinity is the same for all threads, and one warning is enough */
        upck_wrong(
            site, "FORA-04", UPCK_WARNING, -1,
            "its affinity is %ld in some iteration: what counts is the remainder of its division by THREADS, which "
            "is seldom meant for negative numbers",
            affinity);
}

unsigned long upck_forall_pointer(const struct upck_site *site, unsigned long hash, shared const void *affinity)
{
    if (affinity == 0 && counts())
        upck_wrong(site, "FORA-05", UPCK_ERROR, -1, "its affinity is a null pointer-to-shared in some iteration");
    /* No argument of the place, so what the source tells does not matter. */
    else if (counts() && upck_dead(site, site->nargs, affinity))
        upck_wrong(site, "FORA-06", UPCK_ERROR, -1, "its affinity %s, in some iteration", upck_reason());
    hash = (hash ^ upc_threadof((shared void *)affinity)) * prime;
    return (hash ^ upc_addrfield((shared void *)affinity)) * prime;
}

/* A label of a switch within the body: who has come through the upc_forall is in it already. */
void upck_forall_enters(const struct upck_site *site)
{
    if (upck_forall_depth() == 0)
        upck_wrong(site, "FORA-14", UPCK_ERROR, -1, "it enters the body of a upc_forall by a case label");
}

/* The buffers of setjmp that were filled last, and how many bodies were around. Of others nothing is known. */
enum { BUFFERS = 64 };
static struct {
    const void *buffer;
    int depth;
} filled[BUFFERS];
static unsigned next_filled;

void upck_forall_setjmp(const void *buffer)
{
    unsigned i = 0;
    while (i < BUFFERS && filled[i].buffer != buffer)
        i++;
    if (i == BUFFERS)
        i = next_filled++ % BUFFERS;
    filled[i].buffer = buffer;
    filled[i].depth = upck_forall_depth();
}

void upck_forall_longjmp(const struct upck_site *site, const void *buffer)
{
    for (unsigned i = 0; i < BUFFERS; i++) {
        if (filled[i].buffer != buffer)
            continue;
        if (filled[i].depth < upck_forall_depth())
            upck_wrong(site, "FORA-15", UPCK_ERROR, -1, "it leaves the body of a upc_forall");
        upck_forall_left(filled[i].depth);
    }
}

/* Before _exit and its like. */
int upck_quit(const struct upck_site *site, int status)
{
    upck_leave(site);
    upck_end();
    return upck_status(status);
}

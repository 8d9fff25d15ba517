/* What the files of cases have in common. */
#include <shmem.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static int me, n;

/* Between the two calls of a case, where a barrier of all PEs is what its corrected variant has more, and where a fence or a quiet is. */
#ifdef FIXED
#define BARRIER shmem_barrier_all()
#define FENCE shmem_fence()
#define QUIET shmem_quiet()
#define OR(wrong, right) (right)
#else
#define BARRIER (void)0
#define FENCE (void)0
#define QUIET (void)0
#define OR(wrong, right) (wrong)
#endif

#define PSYNC(name) static long name[SHMEM_SYNC_SIZE] = {[0 ... SHMEM_SYNC_SIZE - 1] = SHMEM_SYNC_VALUE}
#define PWRK(name) static long name[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 8]

static void start(void)
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
}

/* A macro, so that each case is behind a call of its own. */
#define run(a_case) (shmem_barrier_all(), a_case(), shmem_barrier_all())

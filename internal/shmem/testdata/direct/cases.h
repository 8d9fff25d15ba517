/* Memory of other PEs by shmem_ptr. */
#include "../races/cases.h"
#include <stdlib.h>

/* The address of a PE's memory, or the end of the program. */
static inline void *at_pe(const volatile void *mine, int pe)
{
    void *there = shmem_ptr((const void *)mine, pe);
    if (!there)
        abort();
    return there;
}

/* Memory that is zero on all PEs: Open MPI's shmem_calloc fills it when others may have gone on. */
#define ZEROED(n, size) ({ void *zeroed = shmem_calloc(n, size); shmem_barrier_all(); zeroed; })

#define AT(mine, pe) ((__typeof__(&*(mine)))at_pe(mine, pe))

/* Functions of shmem.fh, as a library has them that comes with them. */
#include <shmem.h>

void shmem_init_(void) { shmem_init(); }
void shmem_barrier_all_(void) { shmem_barrier_all(); }
void shmem_finalize_(void) { shmem_finalize(); }

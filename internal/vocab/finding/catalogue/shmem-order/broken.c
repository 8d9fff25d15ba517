/* The context is used after it was destroyed. */
#include <shmem.h>

static long count;

int main(void)
{
    shmem_ctx_t ctx;

    shmem_init();
    if (shmem_ctx_create(0, &ctx) == 0) {
        shmem_ctx_long_atomic_inc(ctx, &count, 0);
        shmem_ctx_destroy(ctx);
        shmem_ctx_quiet(ctx);
    }
    shmem_finalize();
    return 0;
}

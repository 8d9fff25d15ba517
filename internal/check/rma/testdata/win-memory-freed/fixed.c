/* run: -n 2 --check-memory */
/* Windows go before their memory does, in functions, on the heap, and where the stack is used again. */
#include <mpi.h>
#include <stdlib.h>

static void share(void)
{
    int value[4] = {1, 2, 3, 4};
    MPI_Win win;

    MPI_Win_create(value, sizeof value, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static int deep(int n)
{
    int room[100] = {n};

    if (n > 0)
        return deep(n - 1) + room[0];
    share();
    return 0;
}

int main(int argc, char **argv)
{
    int *p, value = 0, *q;
    MPI_Win win, outer, dynamic, own;

    MPI_Init(&argc, &argv);
    MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &outer);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
    for (int i = 0; i < 20; i++) {
        deep(i % 5);
        p = malloc(100);
        MPI_Win_create(p, 100, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        q = malloc(1000);
        MPI_Win_attach(dynamic, q, 1000);
        MPI_Win_fence(0, win);
        MPI_Win_detach(dynamic, q);
        free(q);
        MPI_Win_free(&win);
        free(p);
        MPI_Alloc_mem(64, MPI_INFO_NULL, &p);
        MPI_Win_create(p, 64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        MPI_Win_free(&win);
        MPI_Free_mem(p);
        MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &p, &own);
        MPI_Win_free(&own);
    }
    MPI_Win_free(&dynamic);
    MPI_Win_free(&outer);
    MPI_Finalize();
    return 0;
}

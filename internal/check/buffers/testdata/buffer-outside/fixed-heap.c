/* Buffers up to the end of their memory; types that join variables; memory that grows, is asked for its size, or is not known. */
#include <malloc.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int first, second[3], more[8];

static void *churn(void *unused)
{
    for (int i = 0; i < 20000; i++) {
        char *p = malloc(i % 3000 + 1), *q = calloc(3, i % 50 + 1);
        p = realloc(p, i % 5000 + 1);
        p[0] = q[0];
        free(q);
        free(p);
    }
    return unused;
}

int main(int argc, char **argv)
{
    int rank, *a = malloc(10 * sizeof *a), *mapped, counts[] = {1, 3};
    MPI_Aint places[2];
    MPI_Datatype both, absolute, row;
    pthread_t threads[3];

    MPI_Init(&argc, &argv); /* run: -n 2 --check-memory */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, churn, NULL);
    if (fork() == 0) {
        churn(NULL);
        _exit(0);
    }
    for (int i = 0; i < 1000; i++) {
        a = realloc(a, (10 + i) * sizeof *a);
        MPI_Bcast(a, 10 + i, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Bcast(a, malloc_usable_size(a), MPI_CHAR, 0, MPI_COMM_WORLD);
    free(a);
    a = strdup("a block by another function");
    MPI_Bcast(a, strlen((char *)a) + 1, MPI_CHAR, 0, MPI_COMM_WORLD);
    free(a);
    mapped = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MPI_Bcast(mapped, 1 << 14, MPI_INT, 0, MPI_COMM_WORLD);
    munmap(mapped, 1 << 16);
    MPI_Alloc_mem(4096, MPI_INFO_NULL, &a);
    MPI_Bcast(a, 1024, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Free_mem(a);

    /* Addresses relative to the first variable, which textbooks like. */
    MPI_Get_address(&first, &places[0]);
    MPI_Get_address(second, &places[1]);
    MPI_Type_create_hindexed(2, counts, places, MPI_INT, &absolute);
    places[1] -= places[0];
    places[0] = 0;
    MPI_Type_create_hindexed(2, counts, places, MPI_INT, &both);
    MPI_Type_commit(&absolute);
    MPI_Type_commit(&both);
    MPI_Bcast(&first, 1, both, 0, MPI_COMM_WORLD);
    MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, MPI_COMM_WORLD);
    MPI_Type_free(&both);
    MPI_Type_free(&absolute);
    MPI_Type_create_subarray(1, &(int){8}, &(int){3}, &(int){5}, MPI_ORDER_C, MPI_INT, &row);
    MPI_Type_commit(&row);
    MPI_Bcast(more, 1, row, 0, MPI_COMM_WORLD);
    MPI_Type_free(&row);
    MPI_Bcast(more + 8, 0, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    wait(NULL);
    MPI_Finalize();
    return 0;
}

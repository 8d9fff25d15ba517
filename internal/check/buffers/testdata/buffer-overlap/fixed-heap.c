/* run: -n 1 */
/* Threads get blocks of the heap that others have had, in their turn or after realloc, and the stacks of threads that have ended: it is other memory each time. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, TURNS = 100 };

static void exchange(int *memory, int n, int tag)
{
    MPI_Sendrecv_replace(memory, n, MPI_INT, 0, tag, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

static void *works(void *number)
{
    const int tag = *(int *)number;
    for (int i = 0; i < TURNS; i++) {
        const int n = 10 + i % 7 * 50;
        int *block = calloc((size_t)n, sizeof *block), *more;
        exchange(block, n, tag);
        more = realloc(block, 4 * (size_t)n * sizeof *block);
        exchange(more ? more : block, n, tag);
        free(more ? more : block);
    }
    return NULL;
}

static void *once(void *number)
{
    int local[64] = {0};
    exchange(local, 64, *(int *)number);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, i, k, numbers[THREADS];
    pthread_t threads[THREADS];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (k = 0; k < 4; k++) {
        for (i = 0; i < THREADS; i++) {
            numbers[i] = i;
            pthread_create(&threads[i], NULL, k == 0 ? works : once, &numbers[i]);
        }
        for (i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
    }
    MPI_Finalize();
    return 0;
}

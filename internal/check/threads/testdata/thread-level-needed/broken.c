/* run: -n 2 --check=thread-levels-needed */
/* The threads compute, and only the main thread calls MPI. */
#include <mpi.h>
#include <pthread.h>

static double parts[2];

static void *compute(void *part)
{
    *(double *)part += 1;
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, i;
    pthread_t threads[2];
    double sum;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, compute, &parts[i]);
    for (i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    parts[0] += parts[1];
    MPI_Allreduce(&parts[0], &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize(); /* want: requests MPI_THREAD_MULTIPLE, but in this run MPI_THREAD_FUNNELED was enough: only the thread that initialised MPI called it */
    return sum != 4;
}

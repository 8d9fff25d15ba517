/* Threads that compute, and a loop of OpenMP, with the time of each. */
/* FLAGS: -fopenmp */
#include "plain.h"
#include <omp.h>
#include <pthread.h>

static double parts[2];

static void *half(void *part)
{
    for (int i = 0; i < 1000; i++)
        *(double *)part += i;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[2];
    double sum = 0;
    begin(&argc, &argv);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, half, &parts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    const double start = omp_get_wtime();
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (int i = 0; i < 1000; i++)
        sum += i;
    printf("%g s\n", omp_get_wtime() - start);
    work(sum + parts[0] + parts[1]);
    MPI_Finalize();
    return 0;
}

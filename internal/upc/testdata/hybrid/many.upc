/* threads: 2 */
/* flags: -fopenmp */
/* Many OpenMP threads access shared memory at once, in rows, at random, and by strict accesses, and do not race. */
#include <omp.h>
#include <string.h>
#include <upc.h>

#define N 3000
#define ROUNDS 20

shared[N] int a[THREADS][N];
strict shared int done[THREADS];

int main(void)
{
    int *mine = (int *)a[MYTHREAD], next = (MYTHREAD + 1) % THREADS, wrong = 0;
    omp_set_num_threads(4);
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp parallel for schedule(dynamic, 7)
        for (int i = 0; i < N; i++)
            mine[(i * 7L) % N] += i % 3 + k;
        done[MYTHREAD] = k + 1;
        while (done[next] <= k)
            ;
#pragma omp parallel for reduction(+ : wrong)
        for (int i = 0; i < N; i++)
            wrong += a[next][i] < k;
        upc_barrier;
    }
    return wrong > N * ROUNDS;
}

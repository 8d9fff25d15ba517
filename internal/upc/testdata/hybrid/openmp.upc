/* threads: 2; manifest: the OpenMP threads of a UPC thread read what those of the other one write */
/* flags: -fopenmp */
/* race 1: a[0][0], of thread 0 */
#include <omp.h>
#include <upc.h>

#define N 400

shared[N] double a[THREADS][N];
shared double sums[THREADS];

int main(void)
{
    double *mine = (double *)a[MYTHREAD], sum = 0;
    omp_set_num_threads(3);
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        mine[i] = i + 1; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 1) {
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < N; i++)
            sum += a[0][i]; /* race 1 */
    }
    sums[MYTHREAD] = sum;
    upc_barrier;
    if (MYTHREAD == 0)
        return sums[0] + sums[1] > N * (N + 1.0) / 2;
    return 0;
}

/* threads: 3 */
/* Two buffers change places at a barrier in two parts, with the inner points between them. */
#include <upc.h>

#define N 12

shared [N] double u[2][THREADS][N];

int main(void)
{
    int left = (MYTHREAD + THREADS - 1) % THREADS, right = (MYTHREAD + 1) % THREADS;
    double *a = (double *)&u[0][MYTHREAD][0], *b = (double *)&u[1][MYTHREAD][0], sum = 0;
    for (int i = 0; i < N; i++)
        a[i] = MYTHREAD;
    upc_barrier;
    for (int k = 0; k < 4; k++) {
        double *t = a;
        b[0] = (u[k % 2][left][N - 1] + a[1]) / 2;
        b[N - 1] = (u[k % 2][right][0] + a[N - 2]) / 2;
        for (int i = 1; i < N - 1; i++)
            b[i] = (a[i - 1] + a[i + 1]) / 2;
        upc_notify;
        for (int i = 0; i < N; i++)
            sum += b[i];
        upc_wait;
        a = b;
        b = t;
    }
    return sum < 0;
}

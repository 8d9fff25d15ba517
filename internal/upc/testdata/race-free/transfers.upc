/* threads: 3 */
/* Non-blocking transfers that are completed before anybody looks, while the thread works on something else. */
#include <upc.h>
#include <upc_nb.h>

#define N 16

shared [N] int from[THREADS][N], to[THREADS][N];

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS, mine[N], other[N];
    for (int i = 0; i < N; i++)
        mine[i] = other[i] = i;
    upc_handle_t h = upc_memput_nb(&to[next][0], mine, sizeof mine);
    for (int i = 0; i < N; i++)
        from[MYTHREAD][i] = i;
    upc_sync(h);
    upc_barrier;
    upc_memget_nbi(other, &from[next][0], sizeof other);
    upc_memcpy_nbi(&to[MYTHREAD][N / 2], &from[MYTHREAD][0], N / 2 * sizeof(int));
    int sum = to[MYTHREAD][0] + from[next][1];
    upc_synci();
    sum += to[MYTHREAD][N / 2];
    return sum + other[0] < 0;
}

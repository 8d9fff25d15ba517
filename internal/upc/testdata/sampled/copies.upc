/* threads: 2; manifest: a function that copies a few bytes by memcpy is called for each point */
/* race 1: v[1][0], of thread 1 */
#include <string.h>
#include <upc.h>

#define POINTS 100000
#define NEXT 61 /* points are not gone through in rows */

typedef struct {
    double of[5];
} point;
shared[POINTS] point v[THREADS][POINTS];

static void save(point *to, const double *from)
{
    memcpy(to->of, from, sizeof to->of); /* race 1 */
}

int main(void)
{
    double mine[5] = {1, 2, 3, 4, 5};
    point *own = (point *)&v[MYTHREAD][0];
    for (long i = 0, at = 0; i < POINTS; i++, at = (at + NEXT) % POINTS)
        save(own + at, mine);
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 0) {
        point got;
        upc_memget(&got, &v[1][0], sizeof got); /* race 1 */
        return got.of[0] < 0;
    }
    return 0;
}

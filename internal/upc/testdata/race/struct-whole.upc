/* threads: 2; manifest: a struct is copied while a member is written */
/* race 1: pairs[0], of thread 0 */
#include <upc.h>

struct pair { int a, b; };

shared struct pair pairs[THREADS];

int main(void)
{
    struct pair mine;
    if (MYTHREAD == 0)
        pairs[0].b = 1; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 1) {
        mine = pairs[0]; /* race 1 */
        return mine.b > 1;
    }
    return 0;
}

/* threads: 3 */
/* Thread 0 hands over to thread 1, which hands over to thread 2: thread 2 may use what thread 0 has written. */
#include <upc.h>

strict shared int stage;
shared int a;
shared [] int *shared p;

int main(void)
{
    if (MYTHREAD == 0) {
        p = upc_alloc(8 * sizeof(int));
        a = 1;
        p[3] = 2;
        stage = 1;
    } else if (MYTHREAD == 1) {
        while (stage < 1)
            ;
        stage = 2;
    } else {
        while (stage < 2)
            ;
        a = a + p[3];
        p[3] = 5;
        upc_free(p);
        return a != 3;
    }
    return 0;
}

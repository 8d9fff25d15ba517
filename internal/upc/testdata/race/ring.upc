/* threads: 3; manifest: the token goes on before the data of the thread are there */
/* race 1: data[0], of thread 0 */
#include <upc.h>

strict shared int token[THREADS];
shared int data[THREADS];

int main(void)
{
    int before = (MYTHREAD + THREADS - 1) % THREADS, got = 0;
    if (MYTHREAD > 0) {
        while (!token[before])
            ;
        got = data[before]; /* race 1 */
    }
#ifndef FIXED
    token[MYTHREAD] = 1;
#endif
    data[MYTHREAD] = got + 1; /* race 1 */
#ifdef FIXED
    token[MYTHREAD] = 1;
#endif
    return 0;
}

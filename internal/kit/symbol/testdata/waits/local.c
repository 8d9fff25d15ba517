#include <pthread.h>
static void *set(void *flag)
{
    *(volatile int *)flag = 1;
    return 0;
}
int main(void)
{
    volatile int done = 0;
    pthread_t t;
    pthread_create(&t, 0, set, (void *)&done);
    while (!done)
        ;
    return pthread_join(t, 0);
}

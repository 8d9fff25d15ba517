#include <unistd.h>

void blocked(int a, void *b, long c, int d, unsigned e, short f, long g, void *h);
int later(int v);

void blocked(int a, void *b, long c, int d, unsigned e, short f, long g, void *h)
{
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    for (;;)
#ifdef SPIN
        ;
#else
        pause();
#endif
}

int later(int v)
{
    return v + 1;
}

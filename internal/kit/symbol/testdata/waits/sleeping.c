#include <stdatomic.h>
#include <unistd.h>
atomic_int full;
int main(void)
{
    while (!atomic_load(&full))
        usleep(100);
    return 0;
}

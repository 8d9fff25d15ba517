#include <stdatomic.h>
#include <unistd.h>
static atomic_int state;
static int ready(int want)
{
    return atomic_load(&state) >= want;
}
int main(int argc, char **argv)
{
    (void)argv;
    while (!ready(argc))
        usleep(10);
    return 0;
}

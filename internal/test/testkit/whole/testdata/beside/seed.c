/* The seed is the time. */
/* WANT: with other clocks and random numbers, rank 0 made a different call after the same results */
#include "acts.h"
#include <sys/time.h>

int main(int argc, char **argv)
{
    struct timeval t;
    gettimeofday(&t, NULL);
    srand((unsigned)(t.tv_sec * 1000 + t.tv_usec / 1000));
    begin(&argc, &argv);
    for (int i = 0; i < 40; i++)
        act(0, rand() / 7 % 2);
    end();
    return 0;
}

/* One number from the system decides. */
/* WANT: with other clocks and random numbers, rank 0 made a different call after the same results */
#include "acts.h"
#include <sys/random.h>

int main(int argc, char **argv)
{
    unsigned number = 0;
    begin(&argc, &argv);
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        return 1;
    act(0, number % 2);
    end();
    return 0;
}

/* With other clocks the hour is another one. */
/* WANT: with other clocks and random numbers, rank 0 made a different call after the same results \(MPI_S?[sS]end at acts.h:\d+, not MPI_S?[sS]end at acts.h:\d+\)$ */
#include "acts.h"
#include <time.h>

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    act(0, time(NULL) / 3600 % 2);
    end();
    return 0;
}

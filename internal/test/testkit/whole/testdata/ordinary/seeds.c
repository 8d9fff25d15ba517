/* Random numbers of a seed that is the rank's, and of the time, in what is computed. */
#include "plain.h"
#include <time.h>

int main(int argc, char **argv)
{
    double in = 0;
    srand((unsigned)time(NULL));
    begin(&argc, &argv);
    srandom((unsigned)rank + 1);
    for (int i = 0; i < 1000; i++)
        in += random() % 2 == 0 && rand() % 2 == 0;
    work(in);
    MPI_Finalize();
    return 0;
}

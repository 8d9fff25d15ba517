/* One rank makes a file, and the other one looks whether it is there. */
/* WANT: ; rank 0 looks (at|for) the file flag by access \(flag.c:11\), which rank 1 changes by (fopen|remove) \(flag.c:\d+\) */
#include "acts.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (rank == 1) {
        fclose(fopen("flag", "w"));
    }
    const int there = access("flag", F_OK) == 0;
    act(0, there);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        remove("flag");
    end();
    return 0;
}

/* In which order ranks add to a file depends on how long they sleep. */
/* WANT: ; rank \d looks at the file order by fread \(order.c:17\), which rank \d changes by (fopen|remove) \(order.c:\d+\) */
#include "acts.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    usleep(rank == 0 ? 1000 : 2000);
    FILE *f = fopen("order", "a+");
    fputc('0' + rank, f);
    fflush(f);
    MPI_Barrier(MPI_COMM_WORLD);
    rewind(f);


    char who[8] = "";
    if (fread(who, 1, 2, f) < 1)
        return 1;
    fclose(f);
    act(0, who[0] == '1');
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        remove("order");
    end();
    return 0;
}

/* One rank reads what the other one writes, from a file that both have had open before. */
/* WANT: ; rank 0 looks at the file content by (fgets|read|fopen) \(content.c:\d+\), which rank 1 changes by (fopen|write|remove|unlink) \(content.c:\d+\) */
#include "acts.h"

int main(int argc, char **argv)
{
    char line[16] = "";
    begin(&argc, &argv);
    if (rank == 1) {
        FILE *f = fopen("content", "w");
        fputs("one\n", f);
        fclose(f);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        FILE *f = fopen("content", "r");
        if (!fgets(line, sizeof line, f))
            return 1;
        fclose(f);
    }
    act(0, line[0] == 'o');
    end();
    return 0;
}

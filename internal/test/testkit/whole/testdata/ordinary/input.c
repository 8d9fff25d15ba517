/* All ranks read the same file, and look whether there is another one. */
#include "plain.h"
#include <sys/mman.h>
#include <sys/stat.h>
#include <fcntl.h>

int main(int argc, char **argv)
{
    char line[64] = "";
    struct stat s;
    begin(&argc, &argv);
    FILE *f = fopen("../input.txt", "r");
    if (!f || !fgets(line, sizeof line, f))
        return 1;
    fclose(f);
    const int d = open("../input.txt", O_RDONLY);
    const char *at = mmap(NULL, 4, PROT_READ, MAP_SHARED, d, 0);
    if (stat("options.txt", &s) == 0 || at == MAP_FAILED || access("../input.txt", R_OK) != 0)
        return 1;
    work(atof(line) + at[0]);
    MPI_Finalize();
    return 0;
}

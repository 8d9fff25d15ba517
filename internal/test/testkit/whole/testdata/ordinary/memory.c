/* Looks how much memory it takes, and what the processor is. */
#include "plain.h"

int main(int argc, char **argv)
{
    char line[256];
    long pages = 0, lines = 0;
    begin(&argc, &argv);
    const char *const files[] = {"/proc/self/status", "/proc/cpuinfo", "/proc/meminfo", "/etc/passwd", "/proc/loadavg", "/sys/devices/system/cpu/online"};
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *f = fopen(files[i], "r");
        while (f && fgets(line, sizeof line, f))
            lines++;
        if (f)
            fclose(f);
    }
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%ld", &pages) != 1 || lines == 0)
        return 1;
    fclose(f);
    work((double)pages);
    MPI_Finalize();
    return 0;
}

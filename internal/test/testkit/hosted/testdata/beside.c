/* Rank 0 receives from any source, and calls something else after each order. In all runs but the first it waits before that until it finds
 * another step of Slurm that is there too, unless the directory has a file that says that it is alone. */
#include <dirent.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *dir;

static const char *in(const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static int there(const char *name) { return access(in(name), F_OK) == 0; }

static void create(const char *name) { fclose(fopen(in(name), "w")); }

static int steps(void)
{
    DIR *all = opendir(dir);
    int n = 0;
    for (struct dirent *e; (e = readdir(all)) != NULL;)
        n += !strncmp(e->d_name, "step.", 5);
    closedir(all);
    return n;
}

static void meet(int stays)
{
    char name[64];
    snprintf(name, sizeof name, "step.%s", getenv("SLURM_STEP_ID"));
    create(name);
    for (int i = 0; i < 6000 && !there("together"); i++) {
        if (steps() > 1)
            create("together");
        usleep(10000);
    }
    while (stays)
        sleep(1);
    remove(in(name));
}

int main(int argc, char **argv)
{
    int rank, size, x = 0, order = 0;
    MPI_Status s;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    dir = argv[1];
    if (rank == 0) {
        if (there("first.over") && !there("alone"))
            meet(argc > 2);
        for (int i = 1; i < size; i++) {
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &s);
            order = 4 * order + s.MPI_SOURCE;
        }
        MPI_Sendrecv(&x, 1, MPI_INT, 0, order, &x, 1, MPI_INT, 0, order, MPI_COMM_WORLD, &s);
        create("first.over");
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

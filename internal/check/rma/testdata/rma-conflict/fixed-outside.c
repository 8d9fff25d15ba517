/* run: -n 3 */
/* Ranks 0 and 1 put into the same place, one after the other: rank 1 waits for word of rank 0, which MPI does not carry (12.7 of MPI-4.0 leaves it to the
   program how processes wait for each other). */
#include <fcntl.h>
#include <mpi.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { FILE_THERE, LINE, FIFO, MEMORY, SEMAPHORE, SOCKET, WAYS };

static char dir[40];

static void *shared(const char *name, size_t size)
{
    int f = open(name, O_RDWR | O_CREAT, 0600);
    if (f < 0 || ftruncate(f, (off_t)size) != 0)
        MPI_Abort(MPI_COMM_WORLD, 2);
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
    close(f);
    return at;
}

/* What has to be there before one tells and the other waits. */
static void *prepare(int way, int rank)
{
    char name[80];
    snprintf(name, sizeof name, "%s/%d", dir, way);
    if (way == FIFO && rank == 0)
        mkfifo(name, 0600);
    if (way == MEMORY)
        return shared(name, 4096);
    if (way == SEMAPHORE) {
        sem_t *s = shared(name, 4096);
        if (rank == 0)
            sem_init(s, 1, 0);
        return s;
    }
    if (way == SOCKET && rank == 1) {
        struct sockaddr_un a = {.sun_family = AF_UNIX};
        snprintf(a.sun_path, sizeof a.sun_path, "%s", name);
        static int s;
        s = socket(AF_UNIX, SOCK_DGRAM, 0);
        if (bind(s, (void *)&a, sizeof a) != 0)
            MPI_Abort(MPI_COMM_WORLD, 2);
        return &s;
    }
    return NULL;
}

static void tell(int way, void *with)
{
    char name[80];
    snprintf(name, sizeof name, "%s/%d", dir, way);
    if (way == FILE_THERE)
        close(open(name, O_WRONLY | O_CREAT, 0600));
    if (way == LINE || way == FIFO) {
        FILE *f = fopen(name, "w");
        fputs("done\n", f);
        fclose(f);
    }
    if (way == MEMORY)
        atomic_store((atomic_int *)with, 1);
    if (way == SEMAPHORE)
        sem_post(with);
    if (way == SOCKET) {
        struct sockaddr_un a = {.sun_family = AF_UNIX};
        snprintf(a.sun_path, sizeof a.sun_path, "%s", name);
        int s = socket(AF_UNIX, SOCK_DGRAM, 0);
        if (sendto(s, "x", 1, 0, (void *)&a, sizeof a) != 1)
            MPI_Abort(MPI_COMM_WORLD, 2);
        close(s);
    }
}

static void await(int way, void *with)
{
    char name[80], line[16] = "";
    snprintf(name, sizeof name, "%s/%d", dir, way);
    struct stat s;
    if (way == FILE_THERE)
        while (stat(name, &s) != 0)
            usleep(1000);
    if (way == LINE || way == FIFO)
        while (strcmp(line, "done\n") != 0) {
            FILE *f = fopen(name, "r");
            if (f && !fgets(line, sizeof line, f))
                line[0] = 0;
            if (f)
                fclose(f);
            usleep(1000);
        }
    if (way == MEMORY)
        while (!atomic_load((atomic_int *)with))
            usleep(1000);
    if (way == SEMAPHORE)
        sem_wait(with);
    if (way == SOCKET && recv(*(int *)with, line, 1, 0) != 1)
        MPI_Abort(MPI_COMM_WORLD, 2);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Win win;
    long mine[WAYS] = {0}, value;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        snprintf(dir, sizeof dir, "/tmp/unknot-outside-XXXXXX");
        if (!mkdtemp(dir))
            MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Bcast(dir, sizeof dir, MPI_CHAR, 0, MPI_COMM_WORLD);
    value = rank;
    MPI_Win_create(mine, sizeof mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int way = 0; way < WAYS; way++) {
        void *with = rank < 2 ? prepare(way, rank) : NULL;
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank < 2) { /* rank 2 is in the barrier, where it lets others have its memory */
            MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
            if (rank == 1)
                await(way, with);
            MPI_Put(&value, 1, MPI_LONG, 2, way, 1, MPI_LONG, win);
            MPI_Win_flush(2, win);
            if (rank == 0)
                tell(way, with);
            MPI_Win_unlock(2, win);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        char name[80];
        snprintf(name, sizeof name, "%s/%d", dir, way);
        if (rank == 0)
            unlink(name);
    }
    MPI_Win_free(&win);
    if (rank == 0)
        rmdir(dir);
    if (rank == 2)
        for (int way = 0; way < WAYS; way++)
            if (mine[way] != 1)
                MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Finalize();
    return 0;
}

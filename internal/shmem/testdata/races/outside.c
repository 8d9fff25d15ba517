/* PEs: 3. What a PE hears of another one by a file or in memory that they share may order what both do. */
#include "cases.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

static char name[64];

/* A file that one makes and the other waits for. */
static void case_file(void)
{
    static long data;
    struct stat s;
    if (me == 0) {
        shmem_long_p(&data, 1, 2); /* file a ? */
        shmem_quiet();
        close(open(name, O_CREAT | O_WRONLY, 0600));
    } else if (me == 1) {
        while (stat(name, &s) != 0)
            usleep(1000);
    }
    BARRIER;
    if (me == 1)
        shmem_long_p(&data, 2, 2); /* file b ? */
}

/* What was heard before all have waited for each other orders nothing behind that. */
static void case_before(void)
{
    static long data;
    struct stat s;
    (void)stat(name, &s);
    shmem_barrier_all();
    if (me == 0)
        shmem_long_p(&data, 1, 2); /* before a */
    BARRIER;
    if (me == 1)
        shmem_long_p(&data, 2, 2); /* before b */
}

/* From here on the PEs share memory that OpenSHMEM does not know, and may wait for each other there. */
static void case_shared(void)
{
    static long data;
    int f = open(name, O_RDWR);
    void *at = f < 0 || ftruncate(f, 4096) != 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
    if (at == MAP_FAILED)
        shmem_global_exit(2);
    close(f);
    shmem_barrier_all();
    if (me == 0)
        shmem_long_p(&data, 1, 2); /* shared a ? */
    BARRIER;
    if (me == 1)
        shmem_long_p(&data, 2, 2); /* shared b ? */
}

int main(void)
{
    start();
    if (me == 0) {
        snprintf(name, sizeof name, "/tmp/unknot-heard-XXXXXX");
        close(mkstemp(name));
        unlink(name);
    }
    shmem_barrier_all();
    if (me > 0)
        shmem_getmem(name, name, sizeof name, 0);
    run(case_file);
    run(case_before);
    run(case_shared);
    if (me == 0)
        unlink(name);
    shmem_finalize();
    return 0;
}

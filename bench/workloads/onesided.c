// What one-sided MPI is used for, with as much computing between the calls as applications have. Arguments: what (a stencil whose halos come by
// fence, post, lock, flush or request; shared, the same in shared memory; queue, of tasks behind a counter; swap, a lock made of
// compare-and-swap), and how often.
#include "workload.h"
#include <string.h>

enum { WIDTH = 512, ROWS = 256, TASK = 20000 };
static int rank, size, left, right;
static double *grid, *next;
static MPI_Win win;

static double *row_of(double *g, int i) { return g + (size_t)i * WIDTH; }

// A sweep over the strip, whose rows 0 and ROWS + 1 are the neighbours'.
static void sweep(void)
{
    for (int i = 1; i <= ROWS; i++) {
        const double *above = row_of(grid, i - 1), *at = row_of(grid, i), *below = row_of(grid, i + 1);
        double *to = row_of(next, i);
        for (int j = 1; j < WIDTH - 1; j++)
            to[j] = 0.2 * (at[j] + at[j - 1] + at[j + 1] + above[j] + below[j]);
        to[0] = at[0];
        to[WIDTH - 1] = at[WIDTH - 1];
    }
    memcpy(row_of(grid, 1), row_of(next, 1), sizeof(double) * WIDTH * ROWS);
}

static void put(int own, int target, int theirs)
{
    MPI_Put(row_of(grid, own), WIDTH, MPI_DOUBLE, target, (MPI_Aint)theirs * WIDTH, WIDTH, MPI_DOUBLE, win);
}

static void put_both(void)
{
    put(1, left, ROWS + 1);
    put(ROWS, right, 0);
}

static void by_fence(void)
{
    MPI_Win_fence(0, win);
    put_both();
    MPI_Win_fence(0, win);
}

static void by_post(MPI_Group neighbours)
{
    MPI_Win_post(neighbours, 0, win);
    MPI_Win_start(neighbours, 0, win);
    put_both();
    MPI_Win_complete(win);
    MPI_Win_wait(win);
}

static void by_lock(void)
{
    MPI_Win_lock(MPI_LOCK_SHARED, left, 0, win);
    put(1, left, ROWS + 1);
    MPI_Win_unlock(left, win);
    MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win);
    put(ROWS, right, 0);
    MPI_Win_unlock(right, win);
    MPI_Barrier(MPI_COMM_WORLD);
}

// What was put is complete, everybody's.
static void flush(void)
{
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
}

static void by_flush(void)
{
    put_both();
    flush();
}

static void by_request(void)
{
    MPI_Request r[2];
    MPI_Rput(row_of(grid, 1), WIDTH, MPI_DOUBLE, left, (MPI_Aint)(ROWS + 1) * WIDTH, WIDTH, MPI_DOUBLE, win, &r[0]);
    MPI_Rput(row_of(grid, ROWS), WIDTH, MPI_DOUBLE, right, 0, WIDTH, MPI_DOUBLE, win, &r[1]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    flush();
}

static double total(void)
{
    double mine = 0, all;
    for (int i = 1; i <= ROWS; i++)
        for (int j = 0; j < WIDTH; j++)
            mine += row_of(grid, i)[j];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all / ((double)size * ROWS * WIDTH);
}

static void stencil(const char *how, int rounds)
{
    MPI_Aint bytes = sizeof(double) * WIDTH * (ROWS + 2);
    double *of_left = NULL, *of_right = NULL;
    MPI_Group all, neighbours;
    int shared = strcmp(how, "shared") == 0, locked = shared || strcmp(how, "flush") == 0 || strcmp(how, "request") == 0;
    if (shared)
        MPI_Win_allocate_shared(bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &grid, &win);
    else
        MPI_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &grid, &win);
    if (shared) {
        MPI_Aint n;
        int unit;
        MPI_Win_shared_query(win, left, &n, &unit, &of_left);
        MPI_Win_shared_query(win, right, &n, &unit, &of_right);
    }
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, left == right ? 1 : 2, (int[]){left, right}, &neighbours);
    if (locked)
        MPI_Win_lock_all(shared ? MPI_MODE_NOCHECK : 0, win);
    next = workload_alloc((ROWS + 2) * WIDTH, sizeof *next);
    for (int i = 0; i < (ROWS + 2) * WIDTH; i++)
        grid[i] = 1;
    if (locked)
        MPI_Win_sync(win);
    double begin = workload_begin();
    for (int i = 0; i < rounds; i++) {
        if (strcmp(how, "fence") == 0)
            by_fence();
        else if (strcmp(how, "post") == 0)
            by_post(neighbours);
        else if (strcmp(how, "lock") == 0)
            by_lock();
        else if (strcmp(how, "flush") == 0)
            by_flush();
        else if (strcmp(how, "request") == 0)
            by_request();
        else {
            memcpy(row_of(grid, 0), row_of(of_left, ROWS), sizeof(double) * WIDTH);
            memcpy(row_of(grid, ROWS + 1), row_of(of_right, 1), sizeof(double) * WIDTH);
            MPI_Win_sync(win);
            MPI_Barrier(MPI_COMM_WORLD);
        }
        int own = strcmp(how, "lock") == 0;
        if (own)
            MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
        sweep();
        if (own)
            MPI_Win_unlock(rank, win);
        if (locked)
            MPI_Win_sync(win);
        if (locked || own)
            MPI_Barrier(MPI_COMM_WORLD); // nobody puts into rows that are still read
        if (locked)
            MPI_Win_sync(win);
    }
    workload_end(begin);
    if (locked)
        MPI_Win_unlock_all(win);
    double mean = total();
    workload_check(mean > 1 - 1e-9 && mean < 1 + 1e-9, "the mean has changed");
    MPI_Group_free(&all);
    MPI_Group_free(&neighbours);
}

// Something to compute.
static double task(long n)
{
    double x = 0;
    for (long i = 1; i <= TASK; i++)
        x += 1.0 / (double)(i * i + n);
    return x;
}

static void queue(long tasks)
{
    long *counters, one = 1, got, sum = 0, zero = 0;
    double x = 0;
    MPI_Win_allocate(rank == 0 ? 2 * sizeof *counters : 0, sizeof *counters, MPI_INFO_NULL, MPI_COMM_WORLD, &counters, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Accumulate(&zero, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_REPLACE, win);
        MPI_Accumulate(&zero, 1, MPI_LONG, 0, 1, 1, MPI_LONG, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
    }
    double begin = workload_begin();
    for (;;) {
        MPI_Fetch_and_op(&one, &got, MPI_LONG, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
        if (got >= tasks)
            break;
        x += task(got);
        MPI_Accumulate(&one, 1, MPI_LONG, 0, 1, 1, MPI_LONG, MPI_SUM, win);
        MPI_Win_flush_local(0, win);
    }
    MPI_Win_flush(0, win);
    workload_end(begin);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Fetch_and_op(NULL, &sum, MPI_LONG, 0, 1, MPI_NO_OP, win);
    MPI_Win_flush(0, win);
    MPI_Win_unlock_all(win);
    workload_check(sum == tasks && x >= 0, "tasks are missing");
}

static void swap(long rounds)
{
    enum { LOCK, VALUE };
    int *memory, value, taken, none = 0, mine = rank + 1;
    double x = 0;
    MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    memory[LOCK] = memory[VALUE] = 0;
    MPI_Win_sync(win);
    double begin = workload_begin();
    for (long i = 0; i < rounds; i++) {
        x += task(i);
        do {
            MPI_Compare_and_swap(&mine, &none, &taken, MPI_INT, 0, LOCK, win);
            MPI_Win_flush(0, win);
        } while (taken != 0);
        MPI_Get(&value, 1, MPI_INT, 0, VALUE, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        value++;
        MPI_Put(&value, 1, MPI_INT, 0, VALUE, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Compare_and_swap(&none, &mine, &taken, MPI_INT, 0, LOCK, win);
        MPI_Win_flush(0, win);
    }
    workload_end(begin);
    MPI_Win_sync(win);
    MPI_Win_unlock_all(win);
    workload_check(rank != 0 || (memory[VALUE] == size * rounds && x >= 0), "the value is wrong");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    const char *what = argc > 1 ? argv[1] : "fence";
    int times = argc > 2 ? atoi(argv[2]) : 10;
    if (strcmp(what, "queue") == 0)
        queue(times);
    else if (strcmp(what, "swap") == 0)
        swap(times);
    else
        stencil(what, times);
    MPI_Win_free(&win);
    MPI_Finalize();
}

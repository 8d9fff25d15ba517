// Four kernels, each timed by the processor time of its rank. With the argument "pending" an operation is pending all the time.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 1 << 20, SIDE = 512, ROWS = 1 << 16, EACH = 16, KEYS = 100000 };

static double *a, *b, *c;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *room(size_t n, size_t size)
{
    void *p = calloc(n, size);
    if (!p)
        abort();
    return p;
}

static void triad(int n, double s)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] + s * c[i];
}

static void stencil(double *restrict to, const double *restrict from)
{
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++)
            to[y * SIDE + x] = 0.25 * (from[y * SIDE + x - 1] + from[y * SIDE + x + 1] + from[(y - 1) * SIDE + x] + from[(y + 1) * SIDE + x]);
}

static void product(const int *row, const int *column, const double *value, const double *x, double *y)
{
    for (int i = 0; i < ROWS; i++) {
        double sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

struct node {
    struct node *less, *more;
    int key;
};

static void insert(struct node **at, struct node *n)
{
    while (*at)
        at = n->key < (*at)->key ? &(*at)->less : &(*at)->more;
    *at = n;
}

static void tree(struct node *nodes)
{
    struct node *root = NULL;
    memset(nodes, 0, KEYS * sizeof *nodes);
    for (int i = 0; i < KEYS; i++) {
        nodes[i].key = rand();
        insert(&root, &nodes[i]);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request r;
    int pending = argc > 1 && strcmp(argv[1], "pending") == 0, owned;
    a = room(N, sizeof *a), b = room(N, sizeof *b), c = room(N, sizeof *c);
    int *row = room(ROWS + 1, sizeof *row), *column = room((size_t)ROWS * EACH, sizeof *column);
    double *value = room((size_t)ROWS * EACH, sizeof *value);
    struct node *nodes = room(KEYS, sizeof *nodes);
    srand(1);
    for (int i = 0; i <= ROWS; i++)
        row[i] = i * EACH;
    for (int i = 0; i < ROWS * EACH; i++)
        column[i] = (i / EACH + rand() % 1000) % ROWS;
    if (pending)
        MPI_Irecv(&owned, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r);
    double begin = now();
    for (int i = 0; i < 3000; i++)
        triad(N / 16, 1.5);
    printf("triad %.6f\n", now() - begin);
    begin = now();
    for (int i = 0; i < 400; i++)
        stencil(a, b);
    printf("stencil %.6f\n", now() - begin);
    begin = now();
    for (int i = 0; i < 100; i++)
        product(row, column, value, b, c);
    printf("product %.6f\n", now() - begin);
    begin = now();
    for (int i = 0; i < 5; i++)
        tree(nodes);
    printf("tree %.6f\n", now() - begin);
    if (pending) {
        MPI_Cancel(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

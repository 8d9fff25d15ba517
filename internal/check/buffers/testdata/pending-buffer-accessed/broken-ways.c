/* Each way in which a program reads or writes memory, while a receive is pending there. */
#define _GNU_SOURCE
#include <complex.h>
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 64 };

/* run: -n 1 */
/* by: unknot -O2 */
struct particle {
    double x[3];
    int kind;
    short charge;
    char name[6];
    unsigned bits : 7, more : 9;
};

static MPI_Request request;
static int global[N], single;
static double grid[8][8];
static struct particle particles[4], other;
static volatile double sink;
static int *pointer;

static void finish(void)
{
    char data[40] = {0};
    MPI_Send(data, (int)sizeof data, MPI_BYTE, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* here: finish */
}

#define RECEIVE(at, bytes) MPI_Irecv(at, bytes, MPI_BYTE, 0, 0, MPI_COMM_SELF, &request)
#define LARGE (int)(N * sizeof(double))

static void load_local(void)
{
    double room[N] = {0};
    RECEIVE(room, LARGE); /* want: MPI_Irecv with buf (`at`) and reads that memory before the operation is completed */
    sink = room[5];       /* note: it is read at load_local (broken-ways.c:47) */
    finish();             /* note: it was completed by MPI_Wait at finish (broken-ways.c:37) */
}

static void store_local(void)
{
    double room[N];
    RECEIVE(room, LARGE); /* want: and writes to that memory before */
    room[7] = 1;          /* note: it is written to at store_local (broken-ways.c:55) */
    finish();
    sink = room[7];
}

static void load_char(void)
{
    char room[N * sizeof(double)];
    RECEIVE(room, LARGE); /* want: reads that memory */
    sink = room[N];       /* note: it is read at load_char (broken-ways.c:64) */
    finish();
}

static int *volatile elsewhere = global;

static void scalar_global(void)
{
    MPI_Irecv(&single, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request); /* want: reads that memory */
    single++;                                                     /* note: it is read at scalar_global (broken-ways.c:73) */
    int value = 3;
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void scalar_local(void)
{
    int flag = 1;
    MPI_Irecv(&flag, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request); /* want: reads that memory */
    int value = 3;
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    if (flag) /* note: it is read at scalar_local (broken-ways.c:85) */
        sink = 1;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void by_index(int i)
{
    MPI_Irecv(global, N, MPI_INT, 0, 1, MPI_COMM_SELF, &request); /* want: reads that memory */
    sink = global[i];                                             /* note: it is read at by_index (broken-ways.c:93) */
    int value[N] = {0};
    MPI_Send(value, N, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void second_dimension(void)
{
    RECEIVE(grid[3], (int)sizeof grid[3]); /* want: writes to that memory */
    for (int i = 0; i < 8; i++)
        grid[i][2] = i; /* note: it is written to at second_dimension (broken-ways.c:103) */
    finish();
}

static void loop_of_loads(double *room)
{
    RECEIVE(room, LARGE); /* want: reads that memory */
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += room[i]; /* note: it is read at loop_of_loads (broken-ways.c:112) */
    sink = sum;
    finish();
}

static void loop_of_stores(float *room)
{
    RECEIVE(room, LARGE); /* want: writes to that memory */
    for (int i = 0; i < N; i++)
        room[i] = (float)(2 * i); /* note: it is written to at loop_of_stores (broken-ways.c:121) */
    finish();
}

static void axpy(double *restrict y, const double *restrict x, double a)
{
    for (int i = 0; i < N; i++)
        y[i] += a * x[i]; /* here: axpy */
}

static void callee(double *room, double *result)
{
    RECEIVE(room, LARGE); /* want: reads that memory */
    axpy(result, room, 2);
    finish(); /* note: it is read at axpy (broken-ways.c:128) */
}

static void structure_out(void)
{
    RECEIVE(&particles[1], (int)sizeof particles[1]); /* want: reads that memory */
    other = particles[1];                             /* note: it is read at structure_out (broken-ways.c:141) */
    finish();
}

static void structure_in(void)
{
    RECEIVE(&particles[2], (int)sizeof particles[2]); /* want: writes to that memory */
    particles[2] = other;                             /* note: it is written to at structure_in (broken-ways.c:148) */
    finish();
}

static void member(struct particle *p)
{
    RECEIVE(p, (int)sizeof *p); /* want: writes to that memory */
    p->charge = -1;             /* note: it is written to at member (broken-ways.c:155) */
    finish();
}

static void bits(struct particle *p)
{
    RECEIVE(p, (int)sizeof *p); /* want: writes to that memory */
    p->more = 5;                /* note: at bits (broken-ways.c:162) */
    finish();
}

static void copied_from(void *room, void *to)
{
    RECEIVE(room, LARGE);  /* want: reads that memory */
    memcpy(to, room, 200); /* note: it is read at copied_from (broken-ways.c:169) */
    finish();
}

static void copied_to(char *room, const void *from, size_t n)
{
    RECEIVE(room, LARGE);      /* want: writes to that memory */
    memcpy(room + 8, from, n); /* note: it is written to at copied_to (broken-ways.c:176) */
    finish();
}

static void moved(char *room, size_t n)
{
    RECEIVE(room, LARGE);       /* want: reads that memory */
    memmove(room, room + 1, n); /* note: it is read at moved (broken-ways.c:183) */
    finish();
}

static void set(void *room, size_t n)
{
    RECEIVE(room, LARGE); /* want: writes to that memory */
    memset(room, 1, n);   /* note: it is written to at set (broken-ways.c:190) */
    finish();
}

static void compared(void *room, const void *with, size_t n)
{
    RECEIVE(room, LARGE);          /* want: reads that memory */
    sink = memcmp(room, with, n);  /* note: it is read at compared (broken-ways.c:197) */
    finish();
}

static void text(char *room)
{
    RECEIVE(room, LARGE);         /* want: writes to that memory */
    strcpy(room + 3, "received"); /* note: it is written to at text (broken-ways.c:204) */
    finish();
}

static void from_file(void *room, int fd)
{
    RECEIVE(room, LARGE);                     /* want: writes to that memory */
    sink = (double)read(fd, room, sizeof fd); /* note: it is written to at from_file (broken-ways.c:211) */
    finish();
}

static void to_file(void *room, FILE *f)
{
    RECEIVE(room, LARGE);                     /* want: reads that memory */
    sink = (double)fwrite(room, 1, 100, f);   /* note: it is read at to_file (broken-ways.c:218) */
    finish();
}

static void through_pointer(void)
{
    MPI_Irecv(global, N, MPI_INT, 0, 1, MPI_COMM_SELF, &request); /* want: writes to that memory */
    pointer[N - 1] = 9;                                           /* note: it is written to at through_pointer (broken-ways.c:225) */
    int value[N] = {0};
    MPI_Send(value, N, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void atomically(atomic_int *room)
{
    RECEIVE((void *)room, LARGE); /* want: memory before the operation */
    atomic_fetch_add(room, 1);    /* note: at atomically (broken-ways.c:234) */
    finish();
}

static void wide(long double *room)
{
    RECEIVE(room, LARGE);     /* want: reads that memory */
    sink = (double)room[3];   /* note: it is read at wide (broken-ways.c:241) */
    finish();
}

static void complex_number(double complex *room)
{
    RECEIVE(room, LARGE); /* want: writes to that memory */
    room[2] = 1 + 2 * I;  /* note: it is written to at complex_number (broken-ways.c:248) */
    finish();
}

static void mapped(void)
{
    char *room = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    RECEIVE(room, LARGE); /* want: reads that memory */
    sink = room[100];     /* note: it is read at mapped (broken-ways.c:256) */
    finish();
    munmap(room, 4096);
}

static void *reader(void *room)
{
    sink = ((double *)room)[N - 1]; /* here: reader */
    return NULL;
}

static void by_thread(double *room)
{
    pthread_t thread;
    RECEIVE(room, LARGE); /* want: reads that memory */
    pthread_create(&thread, NULL, reader, room);
    pthread_join(thread, NULL);
    finish(); /* note: it is read at reader (broken-ways.c:263) */
} /* note: by a thread that has not called MPI */

static void by_team(double *room)
{
    RECEIVE(room, LARGE); /* want: writes to that memory */
#pragma omp parallel for num_threads(3)
    for (int i = 0; i < N; i++)
        room[i] = i; /* note: it is written to at by_team (broken-ways.c:281) */
    finish();
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    double *room = aligned_alloc(64, LARGE), *result = calloc(N, sizeof *result);
    int zeros = open("/dev/zero", O_RDONLY);
    FILE *nowhere = fopen("/dev/null", "w");
    pointer = elsewhere;
    load_local();
    store_local();
    load_char();
    scalar_global();
    scalar_local();
    by_index(argc);
    second_dimension();
    loop_of_loads(room);
    loop_of_stores((float *)room);
    callee(room, result);
    structure_out();
    structure_in();
    member(&particles[0]);
    bits(&particles[3]);
    copied_from(room, result);
    copied_to((char *)room, result, 100);
    moved((char *)room, 100);
    set(room, 100);
    compared(room, result, 100);
    text((char *)room);
    from_file(room, zeros);
    to_file(room, nowhere);
    through_pointer();
    atomically((atomic_int *)room);
    wide((long double *)room);
    complex_number((double complex *)room);
    mapped();
    by_thread(room);
    by_team(room);
    free(room);
    free(result);
    fclose(nowhere);
    close(zeros);
    MPI_Finalize();
    return 0;
}

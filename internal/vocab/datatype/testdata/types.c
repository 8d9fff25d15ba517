/*
 * Makes datatypes from descriptions, one a line, and says what MPI makes of them. Run without mpirun.
 *
 * A description is a sequence of words in the order in which types are made: each constructor takes its old types from the
 * end of what was made so far. Numbers follow a word as in MPI's argument lists, arrays after their length.
 *
 * First comes a line for each predefined type: "basic NAME size extent alignment"; then "ready"; then for each description
 * "size lb extent true_lb true_extent : offsets", with the offset of each byte in packed order relative to the buffer. Of a
 * long double, the bytes behind the tenth are padding, which a library may copy or not.
 */
#include <mpi.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct basic {
    const char *name;
    MPI_Datatype type;
    size_t alignment;
};

struct double_int {
    double value;
    int index;
};

struct long_double_int {
    long double value;
    int index;
};

static struct basic basics[] = {
    {"MPI_CHAR", MPI_CHAR, alignof(char)},
    {"MPI_SHORT", MPI_SHORT, alignof(short)},
    {"MPI_INT", MPI_INT, alignof(int)},
    {"MPI_LONG", MPI_LONG, alignof(long)},
    {"MPI_FLOAT", MPI_FLOAT, alignof(float)},
    {"MPI_DOUBLE", MPI_DOUBLE, alignof(double)},
    {"MPI_LONG_DOUBLE", MPI_LONG_DOUBLE, alignof(long double)},
    {"MPI_BYTE", MPI_BYTE, 1},
    {"MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX, alignof(double)},
    {"MPI_FLOAT_INT", MPI_FLOAT_INT, alignof(int)},
    {"MPI_DOUBLE_INT", MPI_DOUBLE_INT, alignof(struct double_int)},
    {"MPI_SHORT_INT", MPI_SHORT_INT, alignof(int)},
    {"MPI_2INT", MPI_2INT, alignof(int)},
    {"MPI_LONG_DOUBLE_INT", MPI_LONG_DOUBLE_INT, alignof(struct long_double_int)},
};

enum { MOST = 64, LONGEST = 1 << 20 };

static MPI_Datatype made[MOST];
static int depth;

static void die(const char *what)
{
    fprintf(stderr, "types: %s\n", what);
    exit(1);
}

static const char *word(void)
{
    const char *w = strtok(NULL, " \n");
    if (!w)
        die("the description ends early");
    return w;
}

static long number(void) { return strtol(word(), NULL, 10); }

static int ints(int *a, int n)
{
    if (n > MOST)
        die("an array is too long");
    for (int i = 0; i < n; i++)
        a[i] = (int) number();
    return n;
}

static void addresses(MPI_Aint *a, int n)
{
    if (n > MOST)
        die("an array is too long");
    for (int i = 0; i < n; i++)
        a[i] = number();
}

static MPI_Datatype pop(void)
{
    if (depth == 0)
        die("an old type is missing");
    return made[--depth];
}

static void push(MPI_Datatype t)
{
    if (depth == MOST)
        die("too many types");
    made[depth++] = t;
}

static int order(void) { return *word() == 'F' ? MPI_ORDER_FORTRAN : MPI_ORDER_C; }

static int distribution(int d)
{
    return d == 0 ? MPI_DISTRIBUTE_NONE : d == 1 ? MPI_DISTRIBUTE_BLOCK : MPI_DISTRIBUTE_CYCLIC;
}

static MPI_Datatype darray(void)
{
    MPI_Datatype t;
    int g[MOST], d[MOST], a[MOST], p[MOST];
    int size = (int) number(), rank = (int) number(), n = (int) number();
    ints(g, n);
    ints(d, n);
    ints(a, n);
    ints(p, n);
    for (int i = 0; i < n; i++) {
        d[i] = distribution(d[i]);
        if (a[i] < 0)
            a[i] = MPI_DISTRIBUTE_DFLT_DARG;
    }
    int o = order();
    MPI_Type_create_darray(size, rank, n, g, d, a, p, o, pop(), &t);
    return t;
}

static MPI_Datatype make(const char *op)
{
    MPI_Datatype t = MPI_DATATYPE_NULL, olds[MOST];
    int a[MOST], b[MOST], c[MOST];
    MPI_Aint at[MOST];
    if (!strcmp(op, "contiguous")) {
        a[0] = (int) number();
        MPI_Type_contiguous(a[0], pop(), &t);
    } else if (!strcmp(op, "vector")) {
        ints(a, 3);
        MPI_Type_vector(a[0], a[1], a[2], pop(), &t);
    } else if (!strcmp(op, "hvector")) {
        ints(a, 2);
        at[0] = number();
        MPI_Type_create_hvector(a[0], a[1], at[0], pop(), &t);
    } else if (!strcmp(op, "indexed")) {
        int n = ints(a, (int) number());
        ints(b, n);
        MPI_Type_indexed(n, a, b, pop(), &t);
    } else if (!strcmp(op, "hindexed")) {
        int n = ints(a, (int) number());
        addresses(at, n);
        MPI_Type_create_hindexed(n, a, at, pop(), &t);
    } else if (!strcmp(op, "indexed_block")) {
        int length = (int) number(), n = ints(a, (int) number());
        MPI_Type_create_indexed_block(n, length, a, pop(), &t);
    } else if (!strcmp(op, "hindexed_block")) {
        int length = (int) number(), n = (int) number();
        addresses(at, n);
        MPI_Type_create_hindexed_block(n, length, at, pop(), &t);
    } else if (!strcmp(op, "struct")) {
        int n = ints(a, (int) number());
        addresses(at, n);
        for (int i = n - 1; i >= 0; i--)
            olds[i] = pop();
        MPI_Type_create_struct(n, a, at, olds, &t);
    } else if (!strcmp(op, "subarray")) {
        int n = ints(a, (int) number());
        ints(b, n);
        ints(c, n);
        int o = order();
        MPI_Type_create_subarray(n, a, b, c, o, pop(), &t);
    } else if (!strcmp(op, "darray")) {
        t = darray();
    } else if (!strcmp(op, "resized")) {
        at[0] = number();
        at[1] = number();
        MPI_Type_create_resized(pop(), at[0], at[1], &t);
    } else if (!strcmp(op, "dup")) {
        MPI_Type_dup(pop(), &t);
    } else {
        for (size_t i = 0; i < sizeof basics / sizeof basics[0]; i++)
            if (!strcmp(op, basics[i].name))
                return basics[i].type;
        die(op);
    }
    return t;
}

/* layout prints the offset of each packed byte: three times the bytes of the buffer say a third of where they are. */
static void layout(MPI_Datatype t, int size, MPI_Aint true_lb, MPI_Aint true_extent)
{
    if (size == 0)
        return;
    if (true_extent <= 0 || true_extent >= LONGEST)
        die("the type is too large");
    int room;
    MPI_Pack_size(1, t, MPI_COMM_SELF, &room);
    unsigned char *buffer = malloc((size_t) true_extent), *packed = malloc((size_t) room);
    long *offsets = calloc((size_t) size, sizeof *offsets);
    if (!buffer || !packed || !offsets)
        die("no memory");
    int position = 0;
    for (int pass = 0; pass < 3; pass++) {
        position = 0;
        for (MPI_Aint i = 0; i < true_extent; i++)
            buffer[i] = (unsigned char) (i >> 8 * pass);
        MPI_Pack((char *) ((uintptr_t) buffer - (uintptr_t) true_lb), 1, t, packed, room, &position, MPI_COMM_SELF);
        if (position != size) {
            printf(" MPI_Pack gives %d bytes", position);
            break;
        }
        for (int i = 0; i < size; i++)
            offsets[i] |= (long) packed[i] << 8 * pass;
    }
    for (int i = 0; i < size && i < position; i++)
        printf(" %ld", offsets[i] + (long) true_lb);
    free(buffer);
    free(packed);
    free(offsets);
}

int main(int argc, char **argv)
{
    static char line[1 << 16];
    MPI_Init(&argc, &argv);
    for (size_t i = 0; i < sizeof basics / sizeof basics[0]; i++) {
        int size;
        MPI_Aint lb, extent;
        MPI_Type_size(basics[i].type, &size);
        MPI_Type_get_extent(basics[i].type, &lb, &extent);
        printf("basic %s %d %ld %zu\n", basics[i].name, size, (long) extent, basics[i].alignment);
    }
    printf("ready\n");
    while (fgets(line, sizeof line, stdin)) {
        depth = 0;
        for (const char *w = strtok(line, " \n"); w; w = strtok(NULL, " \n"))
            push(make(w));
        MPI_Datatype t;
        MPI_Type_dup(pop(), &t); /* so that a predefined one may be committed, too */
        MPI_Type_commit(&t);
        int size;
        MPI_Aint lb, extent, true_lb, true_extent;
        MPI_Type_size(t, &size);
        MPI_Type_get_extent(t, &lb, &extent);
        MPI_Type_get_true_extent(t, &true_lb, &true_extent);
        printf("%d %ld %ld %ld %ld :", size, (long) lb, (long) extent, (long) true_lb, (long) true_extent);
        layout(t, size, true_lb, true_extent);
        printf("\n");
        MPI_Type_free(&t);
    }
    MPI_Finalize();
    return 0;
}

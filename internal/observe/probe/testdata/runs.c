// Holds objects/runs.c to the MPI library: the bytes of random datatypes are those that MPI_Unpack writes. Arguments: a seed, how many types,
// and whether arrays may be distributed in cycles (0 or 1).
#define _GNU_SOURCE
#include "objects/runs.h"
#include "objects/sent_data.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *uk_sym(const char *name) { return dlsym(RTLD_DEFAULT, name); }

// All types are taken apart.
size_t uk_data_dense(MPI_Datatype type)
{
    (void)type;
    return 0;
}

static uint64_t state;
static int any(int n) // below n
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (int)(state >> 33) % n;
}

static MPI_Aint extent_of(MPI_Datatype t)
{
    MPI_Aint lower, extent;
    MPI_Type_get_extent(t, &lower, &extent);
    return extent;
}

enum { DIMS = 3, MOST = 4 };
static bool cycles; // may be

static MPI_Datatype array(MPI_Datatype old, bool distributed)
{
    MPI_Datatype t;
    const int n = 1 + any(DIMS), order = any(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    int sizes[DIMS], parts[DIMS], starts[DIMS], how[DIMS], args[DIMS], grid[DIMS], processes = 1;
    for (int i = 0; i < n; i++) {
        sizes[i] = 1 + any(7);
        parts[i] = 1 + any(sizes[i]);
        starts[i] = any(sizes[i] - parts[i] + 1);
        how[i] = (int[]){MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}[any(cycles ? 3 : 2)];
        grid[i] = how[i] == MPI_DISTRIBUTE_NONE ? 1 : 1 + any(3);
        args[i] = MPI_DISTRIBUTE_DFLT_DARG;
        if (how[i] == MPI_DISTRIBUTE_CYCLIC && any(2))
            args[i] = 1 + any(3);
        if (how[i] == MPI_DISTRIBUTE_BLOCK && any(2))
            args[i] = (sizes[i] + grid[i] - 1) / grid[i] + any(2);
        processes *= grid[i];
    }
    if (distributed)
        MPI_Type_create_darray(processes, any(processes), n, sizes, how, args, grid, order, old, &t);
    else
        MPI_Type_create_subarray(n, sizes, parts, starts, order, old, &t);
    return t;
}

// Where a type in it was made by MPI_Type_create_resized, or is an array, that says alone how far the structure reaches (MPI-4.0, 5.1.7).
static MPI_Datatype structure(int n, const int *lengths, const MPI_Aint *at, const MPI_Datatype *types, MPI_Aint end)
{
    MPI_Datatype t, whole;
    MPI_Type_create_struct(n, lengths, at, types, &t);
    MPI_Type_create_resized(t, 0, end, &whole);
    MPI_Type_free(&t);
    return whole;
}

// A type of which no two elements overlap, and that begins at its address.
static MPI_Datatype made_of(MPI_Datatype old)
{
    MPI_Datatype t, types[MOST];
    MPI_Aint at[MOST], end = 0, step = extent_of(old);
    int displs[MOST], lengths[MOST], next = 0;
    const int n = 1 + any(MOST), length = 1 + any(3);
    for (int i = 0; i < n; i++) {
        lengths[i] = 1 + any(3);
        displs[i] = next + (i > 0 ? any(3) : 0);
        next = displs[i] + (lengths[i] > length ? lengths[i] : length);
        types[i] = any(2) ? old : any(2) ? MPI_SHORT_INT : MPI_CHAR;
        at[i] = end + (i > 0 ? any(9) : 0);
        end = at[i] + lengths[i] * extent_of(types[i]);
    }
    MPI_Aint bytes[MOST];
    for (int i = 0; i < n; i++)
        bytes[i] = displs[i] * step;
    switch (any(11)) {
    case 0: MPI_Type_contiguous(n, old, &t); break;
    case 1: MPI_Type_vector(n, length, length + any(3), old, &t); break;
    case 2: MPI_Type_create_hvector(n, length, length * step + any(9), old, &t); break;
    case 3: MPI_Type_indexed(n, lengths, displs, old, &t); break;
    case 4: MPI_Type_create_hindexed(n, lengths, bytes, old, &t); break;
    case 5: MPI_Type_create_indexed_block(n, length, displs, old, &t); break;
    case 6: MPI_Type_create_hindexed_block(n, length, bytes, old, &t); break;
    case 7: t = structure(n, lengths, at, types, end); break;
    case 8: MPI_Type_create_resized(old, 0, step + any(9), &t); break;
    case 9: t = array(old, false); break;
    default: t = array(old, true); break;
    }
    int size;
    MPI_Type_size(t, &size);
    if (size > 0)
        return t;
    MPI_Type_free(&t); // Open MPI 4.1 makes no array of a type without elements
    return made_of(old);
}

enum { SIZE = 1 << 22 };
static unsigned char ones[SIZE], written[SIZE], known[SIZE];

static bool same(MPI_Datatype type, int count)
{
    int size, at = 0;
    MPI_Type_size(type, &size);
    const MPI_Aint reach = (extent_of(type) + 64) * count;
    if (reach > SIZE || size * count > UK_RUNS_MOST)
        return true;
    memset(written, 0, (size_t)reach);
    memset(known, 0, (size_t)reach);
    if (size > 0)
        MPI_Unpack(ones, size * count, &at, written, count, type, MPI_COMM_SELF);
    struct uk_runs runs = {0};
    bool right = uk_runs_add(&runs, (uintptr_t)known, count, type, true);
    for (size_t i = 0; i < runs.n; i++)
        memset((void *)runs.at[i].low, 1, runs.at[i].high - runs.at[i].low);
    uk_runs_sort(&runs);
    for (size_t i = 1; i < runs.n; i++)
        right = right && runs.at[i - 1].high <= runs.at[i].low;
    free(runs.at);
    return right && memcmp(written, known, (size_t)reach) == 0;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    MPI_Init(&argc, &argv);
    state = strtoull(argv[1], NULL, 10);
    cycles = atoi(argv[3]) != 0;
    memset(ones, 1, SIZE);
    for (int n = atoi(argv[2]); n > 0; n--) {
        MPI_Datatype type = (MPI_Datatype[]){MPI_INT, MPI_CHAR, MPI_DOUBLE, MPI_SHORT_INT, MPI_DOUBLE_INT}[any(5)];
        bool predefined = true;
        for (int depth = any(4); depth >= 0; depth--) {
            MPI_Datatype outer = made_of(type);
            if (!predefined)
                MPI_Type_free(&type);
            type = outer;
            predefined = false;
        }
        MPI_Type_commit(&type);
        if (!same(type, 1 + any(3))) {
            printf("with %d to go, the bytes of a type are others\n", n);
            return 1;
        }
        MPI_Type_free(&type);
    }
    MPI_Finalize();
    return 0;
}

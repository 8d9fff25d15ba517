// What runs.h says. A datatype is taken apart with the functions by which MPI tells how it was made (MPI-4.0, 5.1.13).
//
// Runs: in recorded calls, with the lock of sent.c.
//
// Never: calls functions of the program's: what MPI_Type_get_contents gives are new handles without attributes, which
// are freed here. Without memory nothing is known of the type. It may change errno, which its callers keep.
#pragma GCC optimize("O2")
#include "objects/runs.h"
#include "objects/sent_data.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// One element of a type: its runs, relative to the element, and how far the next one is.
struct shape {
    struct piece {
        intptr_t low, high;
    } * at;
    size_t n, room;
    intptr_t lower, extent;
};

enum { DEEPEST = 16 };

static bool add(struct shape *s, intptr_t low, intptr_t high)
{
    if (low >= high)
        return true;
    if (s->n > 0 && s->at[s->n - 1].high == low) {
        s->at[s->n - 1].high = high;
        return true;
    }
    if (s->n == s->room) {
        size_t room = s->room ? 2 * s->room : 4;
        void *more = room > UK_RUNS_MOST ? NULL : realloc(s->at, room * sizeof *s->at);
        if (!more)
            return false;
        s->at = more;
        s->room = room;
    }
    s->at[s->n++] = (struct piece){low, high};
    return true;
}

// Adds so many elements one behind the other.
static bool repeat(struct shape *to, const struct shape *of, intptr_t at, MPI_Count count)
{
    if (of->n == 1 && of->at->high - of->at->low == of->extent)
        return count <= 0 || add(to, at + of->at->low, at + of->at->low + (intptr_t)count * of->extent);
    for (MPI_Count i = 0; i < count; i++)
        for (size_t k = 0; k < of->n; k++) {
            const intptr_t base = at + (intptr_t)i * of->extent;
            if (!add(to, base + of->at[k].low, base + of->at[k].high))
                return false;
        }
    return true;
}

// What a type was made of.
struct contents {
    int *ints, nints, naddresses, ntypes;
    MPI_Aint *addresses;
    MPI_Datatype *types;
};

static bool shape_of(struct shape *, MPI_Datatype, int depth);

// A predefined type. Those of pairs are structures in C (MPI-4.0, 6.9.4), most with a gap behind the int.
static bool predefined(struct shape *s, MPI_Datatype type)
{
    typedef int size_type(MPI_Datatype, int *);
    struct short_int {
        short value;
        int index;
    };
    int size = 0;
    if (ASK(MPI_Type_size, size_type, type, &size) != MPI_SUCCESS || s->lower != 0)
        return false;
    if (type == MPI_SHORT_INT)
        return add(s, 0, sizeof(short)) && add(s, offsetof(struct short_int, index), sizeof(struct short_int));
    if (size != s->extent && type != MPI_DOUBLE_INT && type != MPI_LONG_INT && type != MPI_LONG_DOUBLE_INT)
        return false;
    return add(s, 0, size);
}

static bool vector(struct shape *s, const struct shape *of, int count, int length, intptr_t stride)
{
    for (int i = 0; i < count; i++)
        if (!repeat(s, of, i * stride, length))
            return false;
    return true;
}

// The rows of a subarray, from the slowest dimension to the fastest.
static bool rows(struct shape *s, const struct shape *of, const int *ints, int dims, bool fortran, int at,
                 intptr_t base)
{
    const int *sizes = ints + 1, *lengths = sizes + dims, *starts = lengths + dims;
    const int dim = fortran ? dims - 1 - at : at;
    intptr_t step = of->extent;
    for (int d = at + 1; d < dims; d++)
        step *= sizes[fortran ? dims - 1 - d : d];
    if (at == dims - 1)
        return repeat(s, of, base + starts[dim] * step, lengths[dim]);
    for (int i = 0; i < lengths[dim]; i++)
        if (!rows(s, of, ints, dims, fortran, at + 1, base + (starts[dim] + i) * step))
            return false;
    return true;
}

// What a process of a distributed array has of one dimension: blocks of so many elements, one each so many.
struct share {
    intptr_t size, first, block, step;
};

// The shares of a process, whose number is that in a grid in row-major order (MPI-4.0, 5.1.4); false if there are too
// many dimensions.
static bool shares(struct share *of, const int *ints)
{
    const int dims = ints[2], *sizes = ints + 3, *how = sizes + dims, *args = how + dims, *grid = args + dims;
    if (dims < 1 || dims > DEEPEST)
        return false;
    int rank = ints[1];
    for (int d = dims - 1; d >= 0; d--) {
        const int at = rank % grid[d];
        rank /= grid[d];
        intptr_t block = args[d];
        if (how[d] == MPI_DISTRIBUTE_NONE)
            block = sizes[d];
        else if (args[d] == MPI_DISTRIBUTE_DFLT_DARG)
            block = how[d] == MPI_DISTRIBUTE_BLOCK ? (sizes[d] + grid[d] - 1) / grid[d] : 1;
        of[d] =
            (struct share){sizes[d], at * block, block, how[d] == MPI_DISTRIBUTE_CYCLIC ? block * grid[d] : sizes[d]};
    }
    return true;
}

// The elements of a process of a distributed array, from the slowest dimension to the fastest.
static bool spread(struct shape *s, const struct shape *of, const struct share *list, int dims, bool fortran, int at,
                   intptr_t base)
{
    const struct share *own = &list[fortran ? dims - 1 - at : at];
    intptr_t step = of->extent;
    for (int d = at + 1; d < dims; d++)
        step *= list[fortran ? dims - 1 - d : d].size;
    for (intptr_t from = own->first; from < own->size; from += own->step) {
        const intptr_t to = from + own->block < own->size ? from + own->block : own->size;
        if (at == dims - 1 && !repeat(s, of, base + from * step, to - from))
            return false;
        for (intptr_t i = from; at < dims - 1 && i < to; i++)
            if (!spread(s, of, list, dims, fortran, at + 1, base + i * step))
                return false;
    }
    return true;
}

static bool blocks(struct shape *s, const struct shape *of, const struct contents *c, int combiner)
{
    const int n = c->ints[0], *ints = c->ints + 1;
    for (int i = 0; i < n; i++) {
        int length = 0;
        intptr_t at = 0;
        switch (combiner) {
        case MPI_COMBINER_INDEXED:
            length = ints[i];
            at = ints[n + i] * of->extent;
            break;
        case MPI_COMBINER_HINDEXED:
            length = ints[i];
            at = c->addresses[i];
            break;
        case MPI_COMBINER_INDEXED_BLOCK:
            length = ints[0];
            at = ints[1 + i] * of->extent;
            break;
        case MPI_COMBINER_HINDEXED_BLOCK:
            length = ints[0];
            at = c->addresses[i];
            break;
        }
        if (!repeat(s, of, at, length))
            return false;
    }
    return true;
}

static bool structure(struct shape *s, const struct contents *c, int depth)
{
    for (int i = 0; i < c->ints[0]; i++) {
        struct shape of = {0};
        bool known = shape_of(&of, c->types[i], depth) && repeat(s, &of, c->addresses[i], c->ints[1 + i]);
        free(of.at);
        if (!known)
            return false;
    }
    return true;
}

static bool compose(struct shape *s, const struct contents *c, int combiner, int depth)
{
    if (combiner == MPI_COMBINER_STRUCT)
        return structure(s, c, depth);
    struct shape of = {0};
    bool known = c->ntypes == 1 && shape_of(&of, c->types[0], depth);
    const int *ints = c->ints;
    struct share list[DEEPEST];
    switch (known ? combiner : -1) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        known = repeat(s, &of, 0, 1);
        break;
    case MPI_COMBINER_CONTIGUOUS:
        known = repeat(s, &of, 0, ints[0]);
        break;
    case MPI_COMBINER_VECTOR:
        known = vector(s, &of, ints[0], ints[1], ints[2] * of.extent);
        break;
    case MPI_COMBINER_HVECTOR:
        known = vector(s, &of, ints[0], ints[1], c->addresses[0]);
        break;
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
        known = blocks(s, &of, c, combiner);
        break;
    case MPI_COMBINER_SUBARRAY:
        known = rows(s, &of, ints, ints[0], ints[1 + 3 * ints[0]] == MPI_ORDER_FORTRAN, 0, 0);
        break;
    case MPI_COMBINER_DARRAY:
        known = shares(list, ints) && spread(s, &of, list, ints[2], ints[3 + 4 * ints[2]] == MPI_ORDER_FORTRAN, 0, 0);
        break;
    default:
        known = false;
    }
    free(of.at);
    return known;
}

// Frees the handles that MPI_Type_get_contents has given: those of predefined types are no new ones.
static void release(struct contents *c, int got)
{
    typedef int free_type(MPI_Datatype *);
    for (int i = 0; i < got; i++) {
        int n, combiner = MPI_COMBINER_NAMED;
        if (uk_envelope(c->types[i], &n, &n, &n, &combiner) == MPI_SUCCESS && combiner != MPI_COMBINER_NAMED &&
            combiner != MPI_COMBINER_F90_INTEGER && combiner != MPI_COMBINER_F90_REAL &&
            combiner != MPI_COMBINER_F90_COMPLEX)
            ASK(MPI_Type_free, free_type, &c->types[i]);
    }
    free(c->ints);
    free(c->addresses);
    free(c->types);
}

static bool shape_of(struct shape *s, MPI_Datatype type, int depth)
{
    typedef int contents_type(MPI_Datatype, int, int, int, int *, MPI_Aint *, MPI_Datatype *);
    typedef int extent_type(MPI_Datatype, MPI_Aint *, MPI_Aint *);
    int combiner = MPI_COMBINER_NAMED;
    MPI_Aint lower = 0, extent = 0;
    struct contents c = {0};
    if (depth == DEEPEST || ASK(MPI_Type_get_extent, extent_type, type, &lower, &extent) != MPI_SUCCESS ||
        uk_envelope(type, &c.nints, &c.naddresses, &c.ntypes, &combiner) != MPI_SUCCESS)
        return false;
    s->lower = lower;
    s->extent = extent;
    if (combiner == MPI_COMBINER_NAMED)
        return predefined(s, type);
    c.ints = calloc((size_t)c.nints + 1, sizeof *c.ints);
    c.addresses = calloc((size_t)c.naddresses + 1, sizeof *c.addresses);
    c.types = calloc((size_t)c.ntypes + 1, sizeof *c.types);
    int got = 0;
    bool known = c.ints && c.addresses && c.types &&
                 ASK(MPI_Type_get_contents, contents_type, type, c.nints, c.naddresses, c.ntypes, c.ints, c.addresses,
                     c.types) == MPI_SUCCESS;
    if (known) {
        got = c.ntypes;
        known = compose(s, &c, combiner, depth + 1);
    }
    release(&c, got);
    return known;
}

static bool keep(struct uk_runs *r, uintptr_t low, uintptr_t high, bool writes)
{
    if (low >= high)
        return low == high;
    struct uk_run *last = r->n > 0 ? r->at + r->n - 1 : NULL;
    if (last && last->high == low && last->writes == writes) {
        last->high = high;
        return true;
    }
    if (r->n == r->room) {
        size_t room = r->room ? 2 * r->room : 2;
        void *more = room > UK_RUNS_MOST ? NULL : realloc(r->at, room * sizeof *r->at);
        if (!more)
            return false;
        r->at = more;
        r->room = room;
    }
    r->at[r->n++] = (struct uk_run){low, high, writes};
    return true;
}

bool uk_runs_add(struct uk_runs *r, uintptr_t at, MPI_Count count, MPI_Datatype type, bool writes)
{
    struct shape of = {0}, all = {0};
    if (count <= 0)
        return true;
    const size_t size = uk_data_dense(type);
    size_t bytes;
    if (size > 0)
        return !__builtin_mul_overflow(size, (size_t)count, &bytes) && keep(r, at, at + bytes, writes);
    bool known = shape_of(&of, type, 0) && repeat(&all, &of, 0, count);
    for (size_t i = 0; known && i < all.n; i++)
        known = keep(r, at + (uintptr_t)all.at[i].low, at + (uintptr_t)all.at[i].high, writes);
    free(of.at);
    free(all.at);
    return known;
}

static int by_address(const void *a, const void *b)
{
    const struct uk_run *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

void uk_runs_sort(struct uk_runs *r)
{
    for (size_t i = 1; i < r->n; i++)
        if (r->at[i].low < r->at[i - 1].low) {
            qsort(r->at, r->n, sizeof *r->at, by_address);
            return;
        }
}

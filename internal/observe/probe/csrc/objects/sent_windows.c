// What sent_windows.h says.
//
// Runs: in recorded calls, with the lock of sent.c.
//
// Never: allocates or locks; asks about a window but right after it was made, when it certainly lives, for attributes
// that MPI itself has put there.
#include "objects/sent_windows.h"
#include "objects/sent.h"

// Ranges of memory that are, or are attached to, windows which live. What is detached counts on until the window is
// freed. If there are too many, all memory counts.
enum { RANGES = 256 };
static struct {
    uint64_t win;
    uintptr_t low, high;
    struct uk_lent *lent;
} ranges[RANGES];
static struct uk_lent lent[RANGES];
static size_t nranges;
static bool full;

static void lend_no_more(size_t range)
{
    if (ranges[range].lent)
        uk_lent_off(ranges[range].lent);
    ranges[range].lent = NULL;
}

static void has(MPI_Win win, const void *base, MPI_Aint size)
{
    if (size <= 0)
        return;
    for (size_t i = 0; i < nranges; i++)
        if (ranges[i].win == UK_H(win) && (uintptr_t)base >= ranges[i].low &&
            (uintptr_t)base + (uintptr_t)size <= ranges[i].high)
            return;
    if (nranges == RANGES) {
        full = true;
        return;
    }
    struct uk_lent *l = lent;
    while (l->at != 0)
        l++;
    if (uk_sending & UK_SENT_LENT)
        uk_lent_on(l, base);
    ranges[nranges].lent = l;
    ranges[nranges].win = UK_H(win);
    ranges[nranges].low = (uintptr_t)base;
    ranges[nranges++].high = (uintptr_t)base + (uintptr_t)size;
}

// Other ranks may access it, so accesses of the program's own are noted, too.
static bool noted(MPI_Win win, const void *base, MPI_Aint size)
{
    has(win, base, size);
    return size > 0 && (uk_sending & UK_SENT_MARKS) &&
           uk_marks_window(UK_H(win), (uintptr_t)base, (uintptr_t)base + (uintptr_t)size);
}

// Of a window of shared memory, a process has the parts of all others too. Where they are is recorded if accesses are
// noted.
static void add_shared(MPI_Win win, MPI_Comm comm)
{
    typedef int size_type(MPI_Comm, int *);
    typedef int query_type(MPI_Win, int, MPI_Aint *, int *, void *);
    int n = 0;
    ASK(MPI_Comm_size, size_type, comm, &n);
    for (int r = 0; r < n; r++) {
        MPI_Aint size = 0;
        int unit;
        void *base = NULL;
        if (ASK(MPI_Win_shared_query, query_type, win, r, &size, &unit, &base) != MPI_SUCCESS ||
            !noted(win, base, size))
            continue;
        uint64_t *w = uk_begin(&uk_self, UK_DATA_SHARED, UK_DATA, 0, UK_DATA_SHARED_FIXED);
        w[UK_DATA_SHARED_WIN] = UK_H(win);
        w[UK_DATA_SHARED_MEMBER] = (uint64_t)r;
        w[UK_DATA_SHARED_AT] = (uint64_t)(uintptr_t)base;
        w[UK_DATA_SHARED_BYTES] = (uint64_t)size;
        uk_commit(&uk_self);
    }
}

void uk_window_attached(MPI_Win win, const void *base, MPI_Aint size)
{
    noted(win, base, size);
}

void uk_window_detached(MPI_Win win, const void *base)
{
    if (base)
        uk_marks_window_gone(UK_H(win), (uintptr_t)base);
    for (size_t i = 0; i < nranges; i++)
        if (ranges[i].win == UK_H(win) && ranges[i].low == (uintptr_t)base)
            lend_no_more(i);
}

// Of a window with memory of its own, base is what the call has given: the attribute of MPICH 4.0 is another address
// then, if that is not a multiple of 16.
void uk_window_made(MPI_Win win, MPI_Comm comm, const void *base)
{
    typedef int attribute_type(MPI_Win, int, void *, int *);
    MPI_Aint *size = NULL;
    int *flavor = NULL, found = 0;
    if (ASK(MPI_Win_get_attr, attribute_type, win, MPI_WIN_CREATE_FLAVOR, &flavor, &found) != MPI_SUCCESS || !found) {
        full = true;
        return;
    }
    if (*flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return;
    if (*flavor == MPI_WIN_FLAVOR_SHARED)
        add_shared(win, comm);
    else if ((base ||
              (ASK(MPI_Win_get_attr, attribute_type, win, MPI_WIN_BASE, &base, &found) == MPI_SUCCESS && found)) &&
             ASK(MPI_Win_get_attr, attribute_type, win, MPI_WIN_SIZE, &size, &found) == MPI_SUCCESS && found)
        noted(win, base, *size);
    else
        full = true;
}

void uk_window_freed(MPI_Win win)
{
    uk_marks_window_gone(UK_H(win), 0);
    size_t kept = 0;
    for (size_t i = 0; i < nranges; i++)
        if (ranges[i].win != UK_H(win))
            ranges[kept++] = ranges[i];
        else
            lend_no_more(i);
    nranges = kept;
}

bool uk_window_meets(uintptr_t low, uintptr_t high)
{
    for (size_t i = 0; i < nranges; i++)
        if (low < ranges[i].high && ranges[i].low < high)
            return true;
    return full;
}

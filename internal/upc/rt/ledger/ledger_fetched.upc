/*
 * Pointers-to-local in shared memory. Each thread notes what it stores where; whoever reads such a pointer there and
 * follows it must have stored it (UPC 1.3, 6.4.3). Only the last stores are known, and none of a part without checks:
 * what is unknown is not reported.
 */
#include <stdio.h>
#include <string.h>

#include "ledger_objects.h"

enum { UPCK_STORES = 64, UPCK_FETCHES = 64 };

struct upck_store {
    unsigned long address; /* of the place; all ones while the entry is changed */
    int thread, line;
    const void *value;
    char row[8], file[40];
};

static shared[UPCK_STORES] struct upck_store upck_stores[UPCK_STORES * THREADS];
static unsigned upck_store_count;

/* What this thread has read, and others have stored. */
static struct upck_fetch {
    struct upck_store store;
    int by;
} upck_fetches[UPCK_FETCHES];
static unsigned upck_fetch_count;

static int upck_is_at(const struct upck_store *s, shared const void *place)
{
    return s->address == upc_addrfield((shared void *)place) && s->thread == (int)upc_threadof((shared void *)place);
}

/* What another thread must not follow: where the pointer points to says more than the source. */
static const char *upck_row_of(const void *value, int origin)
{
    unsigned long thread, address;
    int known = upck_in_segment(value, &thread, &address);
    if (known == 0 || (known < 0 && origin != UPCK_FROM_CAST && origin != UPCK_FROM_UPC_CAST))
        return "LANG-24";
    return origin == UPCK_FROM_UPC_CAST || (known > 0 && thread != (unsigned long)MYTHREAD) ? "CAST-06" : "LANG-12";
}

static void upck_note_store(const struct upck_site *site, shared const void *place, const void *value, const char *row)
{
    struct upck_store *mine = (struct upck_store *)&upck_stores[MYTHREAD * UPCK_STORES], *s = 0;
    for (int i = 0; i < UPCK_STORES && !s; i++)
        if (upck_is_at(&mine[i], place))
            s = &mine[i];
    if (!s)
        s = &mine[upck_store_count++ % UPCK_STORES];
    const char *slash = strrchr(site->file, '/');
    s->address = ~0UL;
    upc_fence;
    s->thread = (int)upc_threadof((shared void *)place);
    s->line = site->line;
    s->value = value;
    strcpy(s->row, row);
    snprintf(s->file, sizeof s->file, "%s", slash ? slash + 1 : site->file);
    upc_fence;
    s->address = upc_addrfield((shared void *)place);
}

void upck_stored(const struct upck_site *site, shared const void *place, const void *value, int origin)
{
    unsigned long thread, address;
    upck_note_store(site, place, value, upck_row_of(value, origin));
    if (value && upck_suspicious() && upck_in_segment(value, &thread, &address) == 0)
        upck_wrong(
            site, "LANG-23", UPCK_WARNING, 0,
            "pointer is the address of private memory, and is stored in shared memory, where only thread %d can use it",
            MYTHREAD);
}

/* The store of a value at a place by a thread. */
static int upck_find_store(int by, shared const void *place, const void *value, struct upck_store *found)
{
    for (int i = 0; i < UPCK_STORES; i++) {
        shared[UPCK_STORES] struct upck_store *s = &upck_stores[(long)by * UPCK_STORES + i];
        if (s->address != upc_addrfield((shared void *)place))
            continue;
        upc_memget(found, s, sizeof *found);
        upc_fence;
        if (upck_is_at(found, place) && found->value == value && s->address == found->address)
            return 1;
    }
    return 0;
}

int upck_fetched(shared const void *place, const void *value)
{
    struct upck_store found;
    if (!value || upck_unchecked() || upck_find_store(MYTHREAD, place, value, &found))
        return 0;
    for (int t = 0; t < THREADS; t++)
        if (t != MYTHREAD && upck_find_store(t, place, value, &found)) {
            unsigned at = upck_fetch_count++ % UPCK_FETCHES;
            upck_fetches[at] = (struct upck_fetch){found, t};
            return (int)at + 1;
        }
    return 0;
}

void upck_follows(const struct upck_site *site, int known)
{
    if (!known)
        return;
    const struct upck_fetch *f = &upck_fetches[known - 1];
    upck_wrong(site, f->store.row, UPCK_ERROR, 0,
               "pointer is one of thread %d, which stored it in shared memory at %s:%d: only that thread can follow it",
               f->by, f->store.file, f->store.line);
}

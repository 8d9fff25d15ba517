/*
 * The ledgers of non-blocking transfers (upc_nb.h) of this thread: handles that it has, and those that it gave back;
 * transfers without handles; and whether shared objects of either are freed meanwhile.
 */
#include "ledger_transfers.h"

#include <stdlib.h>
#include <string.h>

#ifdef __UPC_NB__

struct upck_transfer {
    struct upck_transfer *next;
    upc_handle_t handle;
    const struct upck_site *site, *done;
    shared const void *dst, *src;
    size_t bytes;
    int pending;
};

static struct upck_transfer *upck_transfers; /* with handles */
static struct upck_transfer *upck_implicit;
static const struct upck_site *upck_first_implicit;

/* Handles are of any type: a program can only assign them and compare them with UPC_COMPLETE_HANDLE. */
static int upck_same(upc_handle_t a, upc_handle_t b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

int upck_complete(upc_handle_t handle)
{
    return upck_same(handle, UPC_COMPLETE_HANDLE);
}

static struct upck_transfer *upck_transfer(upc_handle_t handle)
{
    struct upck_transfer *t = upck_transfers;
    while (t && !upck_same(t->handle, handle))
        t = t->next;
    return t;
}

void upck_transfer_begun(upc_handle_t handle, shared const void *dst, shared const void *src, size_t n,
                         const struct upck_site *site)
{
    if (upck_complete(handle))
        return;
    struct upck_transfer *t = upck_transfer(handle);
    if (!t) {
        t = calloc(1, sizeof *t);
        if (!t)
            return;
        t->next = upck_transfers;
        upck_transfers = t;
    }
    struct upck_transfer *next = t->next;
    *t = (struct upck_transfer){
        .next = next, .handle = handle, .site = site, .dst = dst, .src = src, .bytes = n, .pending = 1};
}

void upck_implicit_begun(shared const void *dst, shared const void *src, size_t n, const struct upck_site *site)
{
    struct upck_transfer *t = malloc(sizeof *t);
    if (!upck_first_implicit)
        upck_first_implicit = site;
    if (!t)
        return;
    *t = (struct upck_transfer){.next = upck_implicit, .site = site, .dst = dst, .src = src, .bytes = n, .pending = 1};
    upck_implicit = t;
}

int upck_bad_handle(upc_handle_t handle)
{
    struct upck_transfer *t = upck_transfer(handle);
    if (upck_complete(handle) || (t && t->pending))
        return UPCK_FINE;
    if (t) {
        upck_because("was synchronized already at %s (transfer begun at %s)", upck_spot(t->done), upck_spot(t->site));
        return UPCK_FREED_HERE;
    }
    upck_because("is no handle that this thread was given");
    return upck_unchecked() ? UPCK_FINE : UPCK_NEVER;
}

void upck_transfer_ended(upc_handle_t handle, const struct upck_site *site)
{
    struct upck_transfer *t = upck_complete(handle) ? 0 : upck_transfer(handle);
    if (t) {
        t->pending = 0;
        t->done = site;
    }
}

int upck_implicit_pending(void)
{
    return upck_first_implicit != 0;
}

void upck_implicit_ended(void)
{
    while (upck_implicit) {
        struct upck_transfer *t = upck_implicit;
        upck_implicit = t->next;
        free(t);
    }
    upck_first_implicit = 0;
}

static const struct upck_site *upck_using(const struct upck_transfer *t, shared const void *ptr)
{
    for (; t; t = t->next)
        if (t->pending && (upck_same_object(ptr, t->dst) || upck_same_object(ptr, t->src)))
            return t->site;
    return 0;
}

const struct upck_site *upck_in_flight(shared const void *ptr)
{
    const struct upck_site *site = ptr ? upck_using(upck_transfers, ptr) : 0;
    return site || !ptr ? site : upck_using(upck_implicit, ptr);
}

static void upck_transfers_end(void)
{
    for (struct upck_transfer *t = upck_transfers; t; t = t->next)
        if (t->pending)
            upck_wrong(t->site, "ENDT-05", UPCK_WARNING, -1,
                       "the transfer that begins here is never synchronized: its handle is not given to upc_sync");
    if (upck_first_implicit)
        upck_wrong(upck_first_implicit, "ENDT-06", UPCK_WARNING, -1,
                   "the transfer that begins here is never synchronized: upc_synci is not called");
}

#else

const struct upck_site *upck_in_flight(shared const void *ptr)
{
    (void)ptr;
    return 0;
}

static void upck_transfers_end(void)
{
}

#endif

int upck_freed_in_flight(shared const void *ptr)
{
    const struct upck_site *site = upck_in_flight(ptr), *file = ptr && !site ? upck_file_using(ptr) : 0;
    if (site)
        upck_because("points to an object that the transfer begun at %s still uses", upck_spot(site));
    if (file)
        upck_because("points to an object that the file operation begun at %s still uses", upck_spot(file));
    return site || file;
}

void upck_ledger_end(const struct upck_site *site)
{
    (void)site;
    upck_transfers_end();
    upck_files_end();
}

/*
 * The parts of files that this thread reads and writes, as far as they are certain: where the file pointer is known, or
 * the places are named. Only threads with weak consistency need a upc_all_fsync between. With the common file pointer
 * threads move parts that the library chooses. A source without checks may have called upc_all_fsync.
 */
#include "ledger_files.h"
#ifdef __UPC_IO__

#include <limits.h>
#include <string.h>

/* Notes that the file is read or written, and says whether it is certain what that means. */
static int upck_is_compared(struct upck_file *f, int writing)
{
    if (!f || !f->open)
        return 0;
    if (!f->turn || f->writing != writing)
        f->turn = upck_number();
    f->writing = writing;
    return f->regular && !f->strong && !(f->flags & (writing ? UPC_RDONLY : UPC_WRONLY)) && !upck_unchecked();
}

static int upck_range_of(struct upck_range *r, long long from, size_t bytes)
{
    if (from < 0 || bytes == 0 || UPCK_HUGE(bytes) ||
        (unsigned long long)bytes > (unsigned long long)(LLONG_MAX - from))
        return 0;
    *r = (struct upck_range){from, from + (long long)bytes};
    return 1;
}

static void upck_touch_all(const struct upck_site *site, const struct upck_file *f, const struct upck_range *ranges,
                           int n)
{
    const char *last = strrchr(f->path, '/');
    const struct upck_touch touch = {
        .file = last ? last + 1 : f->path, .phase = f->phase, .turn = f->turn, .writing = f->writing};
    upck_touches(site, &touch, ranges, n);
}

void upck_touch_here(const struct upck_site *site, struct upck_file *f, int writing, size_t bytes)
{
    struct upck_range range;
    if (upck_is_compared(f, writing) && !f->common && upck_range_of(&range, f->position, bytes))
        upck_touch_all(site, f, &range, 1);
}

void upck_touch_places(const struct upck_site *site, struct upck_file *f, int writing, size_t n,
                       const struct upc_filevec *v)
{
    struct upck_range ranges[UPCK_RANGES], range;
    int used = 0;
    if (!upck_is_compared(f, writing) || !v || upck_vector_unreadable(v, n, sizeof *v))
        return;
    for (size_t i = 0; i < n; i++) {
        if (!upck_range_of(&range, v[i].offset, v[i].len))
            continue;
        if (used && ranges[used - 1].end == range.from)
            ranges[used - 1].end = range.end;
        else if (used < UPCK_RANGES)
            ranges[used++] = range;
        else
            break;
    }
    upck_touch_all(site, f, ranges, used);
}

void upck_synced(upc_file_t *fd)
{
    struct upck_file *f = upck_file(fd);
    if (!f)
        return;
    upck_untouched(f->phase);
    f->phase = upck_number();
    f->turn = 0;
}

#endif

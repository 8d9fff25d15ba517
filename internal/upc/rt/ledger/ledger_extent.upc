/*
 * Where transfers go: whether the bytes that a function reads or writes are in the object that the argument points
 * into, and whether two such ranges meet. What an object is, a declaration in the source tells (upck_shape), or the
 * ledgers (ledger_objects.upc).
 */
#include "ledger_objects.h"

/* The object that a source tells of, as far as it does, or 0. It is the same in all checks of an argument. */
static const struct upck_entry *upck_declared(const struct upck_shape *shape)
{
    static struct upck_entry declared;
    static const struct upck_shape *of;
    if (!upck_symmetric() || upc_threadof((shared void *)shape->object) != 0)
        return 0;
    /*
	 * The size of its blocks is the argument's only if no cast stands between. All of it on thread 0 is the most that
	 * thread 0 can have.
	 */
    if (shape->object_block < 0)
        return 0;
    if (shape != of) {
        of = shape;
        declared = (struct upck_entry){.base = upc_addrfield((shared void *)shape->object),
                                       .bytes = shape->bytes * (shape->times ? THREADS : 1),
                                       .block = (unsigned long)shape->object_block,
                                       .state = UPCK_LIVE};
        declared.home = declared.block ? -1 : 0;
    }
    return &declared;
}

/* What is known of the object that an argument points into, from the source or from the ledgers. */
static const struct upck_entry *upck_object_of(const struct upck_site *site, int arg, shared const void *p)
{
    const struct upck_shape *shape = upck_shape(site, arg);
    if (!p || upc_threadof((shared void *)p) >= (size_t)THREADS)
        return 0;
    if (shape && shape->bytes)
        return upck_declared(shape);
    const struct upck_entry *e = upck_known(p);
    return e && e->home < 0 && !upck_symmetric() ? 0 : e;
}

int upck_points_into(const struct upck_site *site, int arg, shared const void *p, struct upck_entry *to)
{
    const struct upck_entry *e = upck_object_of(site, arg, p);
    if (!e || e->state != UPCK_LIVE || e->how >= UPCK_LOCK)
        return 0;
    unsigned long address = upc_addrfield((shared void *)p);
    if (address < e->base || address - e->base >= upck_part(e, upc_threadof((shared void *)p)) ||
        (e->file && !upck_confirm(p, e)))
        return 0;
    *to = *e;
    return 1;
}

int upck_inside(const struct upck_site *site, int arg, shared const void *p)
{
    struct upck_entry e;
    if (upck_object_of(site, arg, p))
        return upck_points_into(site, arg, p, &e);
    return p && upc_threadof((shared void *)p) < (size_t)THREADS && upck_alive(p);
}

int upck_dead(const struct upck_site *site, int arg, shared const void *p)
{
    if (!p)
        return 0;
    if (upc_threadof((shared void *)p) >= (size_t)THREADS) {
        upck_because("points to thread %zu of %d", upc_threadof((shared void *)p), THREADS);
        return 1;
    }
    const struct upck_entry *e = upck_object_of(site, arg, p);
    if (!e || e->state == UPCK_LIVE || !upck_confirm(p, e))
        return 0;
    upck_because("points to memory that was freed at %s (allocated at %s)", upck_at(e->freed_file, e->freed_line),
                 upck_at(e->file, e->line));
    return 1;
}

int upck_opaque(const struct upck_site *site, int arg, shared const void *p)
{
    const struct upck_entry *e = upck_object_of(site, arg, p);
    if (!e || e->state != UPCK_LIVE || e->how < UPCK_LOCK || !upck_confirm(p, e))
        return 0;
    upck_because("points to %s, allocated at %s",
                 e->how == UPCK_LOCK   ? "a lock"
                 : e->how == UPCK_FILE ? "a file handle"
                                       : "an atomicity domain",
                 upck_at(e->file, e->line));
    return 1;
}

/* Says that an object ends too early on a thread, if that is so for sure. */
static int upck_short(shared const void *p, const struct upck_entry *e, unsigned long thread, unsigned long from,
                      unsigned long n)
{
    unsigned long part = upck_part(e, thread);
    if (from <= part && n <= part - from)
        return 0;
    if (e->file && !upck_confirm(p, e))
        return 0;
    upck_because("needs %lu bytes from byte %lu on of its object's part on thread %lu, and the part has %lu", n, from,
                 thread, part);
    if (e->file)
        upck_because("%s (allocated at %s)", upck_reason(), upck_at(e->file, e->line));
    return 1;
}

/* The object whose limits matter, or 0, and how far into it p points. */
static const struct upck_entry *upck_limits(const struct upck_site *site, int arg, shared const void *p,
                                            unsigned long *from)
{
    const struct upck_entry *e = upck_object_of(site, arg, p);
    if (!e || e->state != UPCK_LIVE || e->how >= UPCK_LOCK)
        return 0;
    unsigned long address = upc_addrfield((shared void *)p);
    *from = address - e->base;
    /* Before the start: otherwise reported as the largest number. */
    return address < e->base ? 0 : e;
}

int upck_leaves_one(const struct upck_site *site, int arg, shared const void *p, size_t n)
{
    unsigned long from;
    const struct upck_entry *e = n && !UPCK_HUGE(n) ? upck_limits(site, arg, p, &from) : 0;
    return e && upck_short(p, e, upc_threadof((shared void *)p), from, n);
}

int upck_leaves_each(const struct upck_site *site, int arg, shared const void *p, size_t n)
{
    unsigned long from;
    const struct upck_entry *e = n && !UPCK_HUGE(n) ? upck_limits(site, arg, p, &from) : 0;
    if (!e)
        return 0;
    unsigned long last = (unsigned long)THREADS - 1; /* has the least */
    if (e->home >= 0 && THREADS > 1)
        last = e->home == (int)last ? 0 : last;
    return upck_short(p, e, last, from, n);
}

int upck_leaves(const struct upck_site *site, int arg, shared const void *p, size_t n, size_t block, size_t size,
                size_t phase)
{
    unsigned long from;
    if (n == 0 || size == 0 || UPCK_OVERFLOWS(n, size) || UPCK_HUGE(n * size))
        return 0;
    if (block == 0)
        return upck_leaves_one(site, arg, p, n * size);
    const struct upck_entry *e = upck_limits(site, arg, p, &from);
    if (!e || phase >= block || from < phase * size || UPCK_OVERFLOWS(block, size))
        return 0;
    /* Elements of the block of p's first element, and the last element's block, thread, and row of blocks. */
    unsigned long threads = (unsigned long)THREADS, first = upc_threadof((shared void *)p), last = phase + n - 1;
    unsigned long blocks = first + last / block, thread = blocks % threads, row = blocks / threads;
    from -= phase * size;
    if (upck_short(p, e, thread, from + row * block * size, (last % block + 1) * size))
        return 1;
    /* Of the threads before it in its row, and of those after it in the row before, the last ones have the least. */
    if (last / block >= 1 && thread > 0 && upck_short(p, e, thread - 1, from + row * block * size, block * size))
        return 1;
    return last / block >= threads && upck_short(p, e, threads - 1, from + (row - 1) * block * size, block * size);
}

/* The number of an element of size bytes of an object, counted from its start, to which a pointer points; before the
   start it is negative. The pointer has blocks of block elements; 0: all are on its thread. */
static int upck_element_number(const struct upck_entry *e, shared const void *p, unsigned long block,
                               unsigned long size, long *number)
{
    long offset = (long)(upc_addrfield((shared void *)p) - e->base), row = (long)(block * size);
    if (block > 0)
        offset -= (long)(upc_phaseof((shared void *)p) * size);
    else
        row = (long)size;
    if (offset % row != 0)
        return 0;
    *number = offset / row;
    if (block > 0)
        *number = (*number * THREADS + (long)upc_threadof((shared void *)p)) * (long)block +
                  (long)upc_phaseof((shared void *)p);
    return 1;
}

/* How many elements an object has for such a pointer, which points into it; -1 if it was made for others. */
static long upck_count(const struct upck_entry *e, shared const void *p, unsigned long block, unsigned long size)
{
    unsigned long row = block * size, all = row * (unsigned long)THREADS;
    if (block == 0)
        return (long)(upck_part(e, upc_threadof((shared void *)p)) / size);
    if (e->home >= 0 || row == 0 || (e->block != row && e->bytes % all != 0))
        return -1;
    /* Blocks of another size make no difference where all threads have as much. */
    return e->block == row || e->bytes % (e->block * (unsigned long)THREADS) == 0 ? (long)(e->bytes / size) : -1;
}

int upck_walks_out(const struct upck_site *site, int arg, shared const void *before, shared const void *after,
                   unsigned long block, unsigned long size)
{
    long from, to;
    const struct upck_entry *e = upck_object_of(site, arg, before);
    if (!e || e->state != UPCK_LIVE || e->how >= UPCK_LOCK)
        return 0;
    unsigned long address = upc_addrfield((shared void *)before),
                  part = upck_part(e, upc_threadof((shared void *)before));
    long count = upck_count(e, before, block, size);
    if (address < e->base || address - e->base >= part || count < 0 ||
        !upck_element_number(e, before, block, size, &from) || !upck_element_number(e, after, block, size, &to) ||
        from < 0 || from >= count || (to >= 0 && to <= count) || (e->file && !upck_confirm(before, e)))
        return 0;
    upck_because("is element %ld of an object that has %ld", to, count);
    if (e->file)
        upck_because("%s (allocated at %s)", upck_reason(), upck_at(e->file, e->line));
    return to < 0 ? UPCK_BEFORE : UPCK_BEYOND;
}

int upck_private_leaves(const struct upck_site *site, int arg, const void *ptr, size_t n)
{
    const struct upck_shape *shape = upck_shape(site, arg);
    if (!ptr || !shape || shape->room < 0 || UPCK_HUGE(n) || n <= (size_t)shape->room)
        return 0;
    upck_because("has %ld bytes up to the end of its object, and %zu are needed", shape->room, n);
    return 1;
}

int upck_unset(const struct upck_site *site, int arg)
{
    const struct upck_shape *shape = upck_shape(site, arg);
    return shape && shape->unset;
}

int upck_no_memory(const void *ptr, size_t n, int written)
{
    if (!ptr || n == 0 || UPCK_HUGE(n) || (written ? upck_writable((void *)(uintptr_t)ptr, n) : upck_readable(ptr, n)))
        return 0;
    upck_because("has not %zu bytes of memory behind it that can be %s", n, written ? "written" : "read");
    return 1;
}

int upck_same_object(shared const void *a, shared const void *b)
{
    const struct upck_entry *e = a && b ? upck_known(a) : 0;
    return e && upck_known(b) == e;
}

long upck_object_block(shared const void *p)
{
    const struct upck_entry *e = p && upc_threadof((shared void *)p) < (size_t)THREADS ? upck_known(p) : 0;
    return !e || e->state != UPCK_LIVE ? -1 : e->home < 0 ? (long)e->block : 0;
}

/* ---- Overlap. ---- */

static int upck_meet(unsigned long a, unsigned long na, unsigned long b, unsigned long nb)
{
    return na && nb && (a < b ? b - a < na : a - b < nb);
}

int upck_overlap(shared const void *a, size_t na, shared const void *b, size_t nb)
{
    return a && b && upc_threadof((shared void *)a) == upc_threadof((shared void *)b) &&
           upck_meet(upc_addrfield((shared void *)a), na, upc_addrfield((shared void *)b), nb);
}

int upck_overlap_each(shared const void *a, size_t na, shared const void *b, size_t nb)
{
    return a && b && upck_symmetric() &&
           upck_meet(upc_addrfield((shared void *)a), na, upc_addrfield((shared void *)b), nb);
}

int upck_overlap_elements(shared const void *dst, size_t nd, shared const void *src, size_t ns, size_t block,
                          size_t size)
{
    if (!dst || !src || UPCK_OVERFLOWS(ns, size) || UPCK_HUGE(ns * size))
        return 0;
    if (nd > size) /* both have the same layout, and begin at the same thread and phase */
        return upc_threadof((shared void *)dst) == upc_threadof((shared void *)src) &&
               upck_overlap(dst, size, src, size);
    if (block == 0)
        return upck_overlap(dst, nd, src, ns * size);
    size_t phase = upc_phaseof((shared void *)src), threads = (size_t)THREADS;
    unsigned long d = upc_addrfield((shared void *)dst), s = upc_addrfield((shared void *)src) - phase * size;
    if (phase >= block || d < s || !upck_symmetric())
        return 0;
    /* The element of src's numbering that dst would be. */
    size_t local = (d - s) / size,
           turn = (upc_threadof((shared void *)dst) + threads - upc_threadof((shared void *)src)) % threads;
    size_t wrapped = upc_threadof((shared void *)dst) < upc_threadof((shared void *)src);
    size_t row = local / block;
    if (row < wrapped)
        return 0;
    size_t index = ((row - wrapped) * threads + turn) * block + local % block;
    return index >= phase && index - phase < ns;
}

int upck_overlap_private(const void *a, shared const void *b, size_t n)
{
    if (!a || !b || upc_threadof((shared void *)b) != (size_t)MYTHREAD)
        return 0;
    return upck_meet((uintptr_t)a, n, (uintptr_t)(void *)(shared[] char *)b, n);
}

int upck_misaligned(shared const void *ptr, size_t alignment)
{
    return ptr && upc_addrfield((shared void *)ptr) % alignment != 0;
}

/* ---- What the source tells of types. ---- */

int upck_other_type(const struct upck_site *site, int arg, int kind, size_t size)
{
    const struct upck_shape *shape = upck_shape(site, arg);
    if (!shape || !shape->kind || !shape->element)
        return 0;
    int real = shape->kind >= UPCK_F, wanted = kind >= UPCK_F;
    if (shape->element == size && real == wanted)
        return 0; /* signed for unsigned and the like is meant */
    upck_because("points to elements of %lu bytes (%s), and not of %zu (%s)", shape->element,
                 real ? "floating" : "integer", size, wanted ? "floating" : "integer");
    return 1;
}

int upck_other_block_bytes(const struct upck_site *site, int arg, size_t bytes)
{
    const struct upck_shape *shape = upck_shape(site, arg);
    if (!shape || shape->block < 0 || !shape->element || (unsigned long)shape->block * shape->element == bytes)
        return 0;
    upck_because("is declared with blocks of %lu bytes, and taken for one with blocks of %zu",
                 (unsigned long)shape->block * shape->element, bytes);
    return 1;
}

int upck_other_block(const struct upck_site *site, int arg, size_t block)
{
    const struct upck_shape *shape = upck_shape(site, arg);
    if (!shape || shape->block < 0 || (size_t)shape->block == block)
        return 0;
    upck_because("is declared with blocks of %ld elements, and blk_size is %zu", shape->block, block);
    return 1;
}

int upck_beyond_block(const struct upck_site *site, int arg, shared const void *ptr, size_t n)
{
    const struct upck_shape *shape = upck_shape(site, arg);
    if (!ptr || !shape || shape->block <= 0 || !shape->element)
        return 0;
    size_t phase = upc_phaseof((shared void *)ptr);
    if (phase >= (size_t)shape->block || n <= ((size_t)shape->block - phase) * shape->element)
        return 0;
    upck_because("points to a block with %zu bytes left, and %zu are needed: they go on in this thread's next block",
                 ((size_t)shape->block - phase) * shape->element, n);
    return 1;
}

/* What the result becomes comes after the arguments. */
int upck_other_layout(const struct upck_site *site, size_t nblocks, size_t nbytes)
{
    const struct upck_shape *shape = site->shapes ? &site->shapes[site->nargs] : 0;
    if (!shape || shape->block < 0 || !shape->element || THREADS == 1 || nblocks == 0 || nbytes == 0 ||
        UPCK_HUGE(nbytes))
        return 0;
    unsigned long bytes = (unsigned long)shape->block * shape->element;
    if (bytes == 0 ? nblocks == 1 : nblocks == 1 ? bytes >= nbytes : bytes == nbytes)
        return 0;
    if (bytes)
        upck_because("is assigned to a pointer to blocks of %lu bytes, and the object has %zu of %zu", bytes, nblocks,
                     nbytes);
    else
        upck_because("is assigned to a pointer without blocks, and the object has %zu blocks on different threads",
                     nblocks);
    return 1;
}

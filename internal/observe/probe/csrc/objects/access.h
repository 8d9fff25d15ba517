// What the runtime in a program that `unknot mpicc` has compiled shares with the probe: where the shadow is, and a page
// that both know.
//
// One byte of the shadow stands for eight bytes of memory. Its highest bit says that the probe wants to know of stores
// there, the next one that it wants to know of loads: MPI owns some of the bytes, and may write to them, or other ranks
// may access them, as they are in a window. The other bits are the probe's own. Compiled code tests the byte before it
// loads or stores, and calls the runtime if its bit is set. As the runtime of each program and shared library is its
// own, they meet at a fixed address.
//
// Runs: in the runtime, wherever the program accesses memory, and in marks.c: only what is inline.
//
// Never: reads memory of the program's.
#ifndef UK_ACCESS_H
#define UK_ACCESS_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

// The compiler's option -fasan-shadow-offset has the same number (access.go). Addresses of programs are below
// UK_ACCESS_TOP.
#if defined __x86_64__
#define UK_SHADOW_OFFSET UINT64_C(0x7fff8000)
#define UK_ACCESS_TOP (UINT64_C(1) << 47)
#else
#define UK_SHADOW_OFFSET (UINT64_C(1) << 36)
#define UK_ACCESS_TOP (UINT64_C(1) << 48)
#endif
#define UK_SHADOW_END (UK_SHADOW_OFFSET + (UK_ACCESS_TOP >> 3))

enum {
    UK_SHADOW_STORES = 0x80,
    UK_SHADOW_LOADS = 0x40,
    UK_SHADOW_WINDOW_STORES = 0x20, // these two are set because of a window
    UK_SHADOW_WINDOW_LOADS = 0x10,
    // Of operations that own some of the memory; once it is reached it stays until an access finds that there are none.
    UK_SHADOW_COUNT = 0x0f,
};

// How memory is accessed.
enum {
    UK_ACCESS_STORE = 1,
    UK_ACCESS_ORDERS = 2, // it is atomic or volatile: what others do may be ordered by it
    UK_ACCESS_VAGUE = 4,  // the compiler has not said whether it is
};

static inline unsigned char *uk_shadow(uintptr_t at)
{
    return (unsigned char *)((at >> 3) + UK_SHADOW_OFFSET);
}

// How far the shadow is there: not yet, as a whole, or in pieces, as there is no room for it as a whole.
enum { UK_SHADOW_NONE, UK_SHADOW_WHOLE, UK_SHADOW_PIECES };

#define UK_ACCESS_MAGIC UINT64_C(0x32737365636361) // "access2"
enum { UK_ACCESS_PAGE = 4096 };

// The page in front of the shadow. Who comes first makes it.
struct uk_access {
    uint64_t magic; // written last
    uint32_t shadow;
    uint32_t wanted; // operations that own memory of the program's, and windows: its loops ask whether there are any
    // The probe's: what it is called with for an access that it wants to know of, and when a part comes that tests its
    // accesses. There may be one for MPI and one for OpenSHMEM: the later one calls the function of the earlier one,
    // too.
    void (*touch)(uintptr_t at, size_t size, int how, uintptr_t site);
    void (*arrive)(void);
    // The runtime's: makes the shadow of the memory from low to high be there; 0 if it cannot be.
    int (*room)(uintptr_t low, uintptr_t high);
};

static inline struct uk_access *uk_access_page(void)
{
    return (struct uk_access *)(UK_SHADOW_OFFSET - UK_ACCESS_PAGE);
}

// Has so many things of one probe be wanted, which has said mine before.
static inline void uk_access_want(struct uk_access *p, uint32_t *mine, uint32_t now)
{
    __atomic_add_fetch(&p->wanted, now - *mine, __ATOMIC_RELAXED);
    *mine = now;
}

// Memory at an address where nothing is yet; NULL if something is, and then errno is EEXIST. An old kernel takes the
// address as a wish.
static inline void *uk_map_at(uintptr_t at, size_t size)
{
    void *got = mmap((void *)at, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == (void *)at)
        return got;
    if (got != MAP_FAILED) {
        munmap(got, size);
        errno = EEXIST;
    }
    return NULL;
}

// Makes the page, unless it is there; NULL if something else is.
static inline struct uk_access *uk_access_make(void)
{
    struct uk_access *const p = uk_access_page();
    if (uk_map_at((uintptr_t)p, UK_ACCESS_PAGE))
        p->magic = UK_ACCESS_MAGIC;
    else if (errno != EEXIST || p->magic != UK_ACCESS_MAGIC)
        return NULL;
    return p;
}

#endif

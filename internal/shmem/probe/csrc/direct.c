/*
 * Memory of other PEs that the program has got an address of (shmem_ptr; OpenSHMEM 1.4, 9.3): where it is in this
 * process, and what it is in the owner's. Known is the whole block, or the variables, of which the address is a part.
 */
#include "sh.h"

enum { MOST = 256 };

static struct piece {
    int pe;
    uint64_t from, to; /* here */
    uint64_t offset;   /* in the owner's memory */
} pieces[MOST];
static unsigned count;

/* Whether memory is known, as a part of a piece. */
int sh_direct_known(uint64_t from, uint64_t bytes, uint64_t offset)
{
    for (unsigned i = 0; i < count; i++)
        if (from >= pieces[i].from && from + bytes <= pieces[i].to &&
            offset - pieces[i].offset == from - pieces[i].from)
            return 1;
    return 0;
}

/* Notes a piece; 0 if there is no room. */
int sh_direct_add(int pe, uint64_t from, uint64_t bytes, uint64_t offset)
{
    if (count == MOST)
        return 0;
    pieces[count++] = (struct piece){pe, from, from + bytes, offset};
    return 1;
}

/* Forgets a piece that begins at an offset, of any PE, and says where it has begun here; 0 if there is none. */
uint64_t sh_direct_drop(uint64_t offset)
{
    for (unsigned i = 0; i < count; i++)
        if (pieces[i].offset == offset) {
            uint64_t from = pieces[i].from;
            pieces[i] = pieces[--count];
            return from;
        }
    return 0;
}

/*
 * Whose memory an address is in, -1 if nobody's that is known; where in that, and how many bytes there are from there
 * on.
 */
int sh_direct_place(uint64_t at, uint64_t *offset, uint64_t *left)
{
    for (unsigned i = 0; i < count; i++)
        if (at >= pieces[i].from && at < pieces[i].to) {
            *offset = pieces[i].offset + (at - pieces[i].from);
            *left = pieces[i].to - at;
            return pieces[i].pe;
        }
    return -1;
}

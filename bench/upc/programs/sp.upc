#include "sp.h"
#include "flow_upc.h"
#include "flow_rows.h"

/* Neighbours may still read the ghosts that are filled, so there is a barrier before, too. */
static void exchange(struct flow *f)
{
    upc_barrier;
    put_planes(f);
    upc_barrier;
}

int main(int argc, char **argv)
{
    return solve(argc, argv, "sp", sp_class, SP_WORK, sp_step);
}

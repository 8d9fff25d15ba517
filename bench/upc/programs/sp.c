#include "sp.h"
#include "flow_mpi.h"

int main(int argc, char **argv)
{
    return solve(argc, argv, "sp", sp_class, SP_WORK, sp_step);
}

#include "lu.h"
#include "flow_mpi.h"

int main(int argc, char **argv)
{
    return solve(argc, argv, "lu", lu_class, 0, lu_step);
}

#include "bt.h"
#include "flow_mpi.h"

int main(int argc, char **argv)
{
    return solve(argc, argv, "bt", bt_class, BT_WORK, bt_step);
}

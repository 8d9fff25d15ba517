# reported: chainer/chainermn PR 249, NVIDIA/Fuser 3092: an uncaught exception ends the script on one rank, which then waits in MPI_Finalize
# run: -n 3
from mpi4py import MPI


def func():
    if MPI.COMM_WORLD.Get_rank() == 0:
        raise ValueError("failure!")  # want: rank-died: ValueError
    MPI.COMM_WORLD.Barrier()


func()

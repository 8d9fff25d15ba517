# run: -n 3
from mpi4py import MPI


def func():
    failed = MPI.COMM_WORLD.Get_rank() == 0
    if not MPI.COMM_WORLD.allreduce(failed, MPI.LOR):
        MPI.COMM_WORLD.Barrier()


func()

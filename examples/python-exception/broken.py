# Wrong: rank 1 ends with an exception; mpi4py then takes it to MPI_Finalize, and rank 0 waits for ever.
from mpi4py import MPI


def solve(step):
    if step == 2:
        raise ValueError("the matrix is singular")
    return step


comm = MPI.COMM_WORLD
rank = comm.Get_rank()

for step in range(4):
    if rank == 0:
        result = comm.recv(source=1)  # rank 0 waits here
    else:
        comm.send(solve(step), dest=0)

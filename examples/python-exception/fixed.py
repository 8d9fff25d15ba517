# Fixed: rank 1 sends the exception on, so that rank 0 knows.
from mpi4py import MPI


def solve(step):
    if step == 2:
        raise ValueError("the matrix is singular")
    return step


def try_to_solve(step):
    try:
        return solve(step)
    except ValueError as error:
        return error


comm = MPI.COMM_WORLD
rank = comm.Get_rank()

for step in range(4):
    if rank == 0:
        result = comm.recv(source=1)
    else:
        comm.send(try_to_solve(step), dest=0)

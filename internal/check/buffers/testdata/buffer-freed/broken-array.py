# Small arrays that nothing keeps while they are sent and received: NumPy does not free their memory, and gives it to other arrays.
# also: leak-request buffer-overlap
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
peer = 1 - comm.rank


def start(step):
    comm.Isend(np.full(3, step, dtype="d"), dest=peer, tag=step)  # want: buf (`np.full(3, step, dtype="d")`), and that memory is freed before the operation is completed
    # note: it was freed at start (broken-array.py:11)


def expect():
    request = comm.Irecv(np.empty((2, 2)), source=peer, tag=7)  # want: keep the array, and the request, in variables
    del request


start(1)
comm.Recv(np.empty(3), source=peer, tag=1)
expect()
comm.Send(np.ones(4), dest=peer, tag=7)

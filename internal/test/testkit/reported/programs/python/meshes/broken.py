# reported: firedrakeproject/firedrake 2669, each mesh duplicates a communicator that nobody frees
from mpi4py import MPI


class Mesh:
    def __init__(self, comm):
        self.comm = comm.Dup()  # want: resource-growth: communicators


for _ in range(1200):
    Mesh(MPI.COMM_SELF)
# also: leak-comm

from mpi4py import MPI


class Mesh:
    def __init__(self, comm):
        self.comm = comm.Dup()

    def close(self):
        self.comm.Free()


for _ in range(1200):
    Mesh(MPI.COMM_SELF).close()

from mpi4py import MPI


class Space:
    def __init__(self):
        self.comm = MPI.COMM_WORLD.Dup()

    def close(self):
        self.comm.Free()


space = Space()
space.close()

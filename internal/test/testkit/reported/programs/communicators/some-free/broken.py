# reported: tlm-adjoint/tlm_adjoint PR 201, JuliaParallel/PETSc.jl 114: the garbage collector frees a communicator on some ranks only
import gc

from mpi4py import MPI


class Space:
    def __init__(self):
        self.comm = MPI.COMM_WORLD.Dup()  # want: leak-comm: not freed

    def __del__(self):
        if MPI.COMM_WORLD.rank == 0:
            self.comm.Free()


space = Space()
space.cycle = space
del space
gc.collect()

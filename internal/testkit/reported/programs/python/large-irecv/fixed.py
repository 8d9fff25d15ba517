import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
if comm.rank == 0:
    request = comm.isend(np.zeros(20000), dest=1)
    request.wait()
else:
    request = comm.irecv(bytearray(1 << 18), source=0)
    request.wait()

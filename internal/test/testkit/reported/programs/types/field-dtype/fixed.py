import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
halo = np.zeros(4, dtype=np.float32)

if comm.rank == 0:
    comm.Send([halo, 4, MPI.FLOAT], dest=1)
elif comm.rank == 1:
    comm.Recv([halo, 4, MPI.FLOAT], source=0)

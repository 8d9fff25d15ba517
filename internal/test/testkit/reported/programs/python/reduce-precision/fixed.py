import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
density = np.ones(5, dtype=np.float32)
total = np.zeros(5, dtype=np.float32)
comm.Reduce(density, total, op=MPI.SUM, root=0)

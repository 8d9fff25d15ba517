# reported: open-atmos/PyMPDATA 143, arrays of float32 are sent as the doubles that the program was written for
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
halo = np.zeros(4, dtype=np.float32)

if comm.rank == 0:
    comm.Send([halo, 2, MPI.DOUBLE], dest=1)  # want: type-variable: float32
elif comm.rank == 1:
    comm.Recv([halo, 2, MPI.DOUBLE], source=0)

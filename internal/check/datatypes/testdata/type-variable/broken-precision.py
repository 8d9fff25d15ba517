# Arrays in single precision, whose bytes are sent as numbers in double precision.
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
halo = np.zeros(4, dtype=np.float32)
comm.Bcast([halo, 2, MPI.DOUBLE])  # want: `halo` is float32 (4 bytes), MPI_DOUBLE is float64 (8 bytes)
if comm.rank == 0:
    comm.Send([halo, MPI.DOUBLE], dest=1)  # want: pass MPI.FLOAT for float32, or the array alone
elif comm.rank == 1:
    comm.Recv([halo, MPI.DOUBLE], source=0)

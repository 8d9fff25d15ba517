# Arrays in single precision, sent as such, as bytes, and in parts; and memory of bytes, sent as what it is used for.
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
halo = np.zeros(4, dtype=np.float32)
comm.Bcast([halo, 4, MPI.FLOAT])
comm.Bcast([halo, MPI.FLOAT])
comm.Bcast([halo, 16, MPI.BYTE])
comm.Bcast([halo[2:], 2, MPI.FLOAT])
comm.Bcast([halo.view("f8"), 2, MPI.DOUBLE])
raw = np.zeros(16, dtype=np.uint8)
comm.Bcast([raw, 2, MPI.DOUBLE])
pairs = np.zeros(2, dtype=np.complex64)
comm.Bcast([pairs, 4, MPI.FLOAT])
comm.Bcast([pairs, 2, MPI.COMPLEX])

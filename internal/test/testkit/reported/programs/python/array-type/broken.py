# reported: helmholtz-analytics/heat 497, mpi4py/mpi4py 575: an array of 16-bit numbers is passed as MPI.INT
# run: -n 2
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
types = {"int16": MPI.INT, "int32": MPI.INT, "float64": MPI.DOUBLE}


def message(a):
    return [a, a.size, types[a.dtype.name]]


image = np.zeros((8, 16), dtype="int16")
if comm.rank == 0:
    comm.Send(message(image), dest=1)  # want: buffer-outside: an int16 array of 256 bytes; the data extends 256 bytes
    # hint: int16 (2 bytes), MPI_INT is int32 (4 bytes)
elif comm.rank == 1:
    large = np.zeros(1024, dtype="int16")
    comm.Recv([large, 512, MPI.INT], source=0)

# Each type of NumPy has its datatype.
# run: -n 2
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
types = {"int16": MPI.SHORT, "int32": MPI.INT, "float64": MPI.DOUBLE}


def message(a):
    return [a, a.size, types[a.dtype.name]]


image = np.zeros((8, 16), dtype="int16")
if comm.rank == 0:
    comm.Send(message(image), dest=1)
elif comm.rank == 1:
    large = np.zeros(1024, dtype="int16")
    comm.Recv(large, source=0)

# Arrays of Python that are shorter than the datatype and the count say.
# also: type-mismatch-byte type-mismatch
from mpi4py import MPI
import array
import numpy as np

comm = MPI.COMM_WORLD
types = {"i2": MPI.INT, "f8": MPI.DOUBLE}
a = np.array([[4, 5], [6, 7]], dtype="i2")
m = np.zeros((4, 5))
large = np.zeros(100)
if comm.rank == 0:
    comm.Send([a, a.size, types[a.dtype.str[1:]]], dest=1)  # want: buf (`a`) in an int16 array of 8 bytes; the data extends 8 bytes beyond its end
    # note: the data is 4 × MPI_INT, spanning 16 bytes
    comm.Send([m[2], 12, MPI.DOUBLE], dest=1)  # want: buf (`m[2]`) in the memory of an array of 160 bytes from byte 80 on
    comm.Send([bytearray(10), 12, MPI.BYTE], dest=1)  # want: in an object of bytes of 10 bytes; the data extends 2 bytes
    comm.Send([array.array("i", range(6)), 6, MPI.DOUBLE], dest=1)  # want: in an int32 array of 24 bytes; the data extends 24 bytes
    comm.Send([memoryview(m)[1:], 20, MPI.DOUBLE], 1)  # want: in the memory of an array of 160 bytes from byte 40 on
else:
    b = np.zeros(4, dtype="i2")
    comm.Recv([b, b.size, types[b.dtype.str[1:]]], source=0)  # want: `b` is int16 (2 bytes), MPI_INT is int32 (4 bytes)
    for i in range(4):
        comm.Recv([large, large.nbytes, MPI.BYTE], source=0)

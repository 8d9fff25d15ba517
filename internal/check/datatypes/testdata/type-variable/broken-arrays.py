# Arrays of NumPy that are passed with datatypes of other elements.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
a = np.arange(20, dtype="f8")
b = np.zeros(20)


def share(data):
    comm.Bcast([data, data.size, MPI.FLOAT])  # want: buffer (`data`) and datatype that differ: `data` is float64 (8 bytes), MPI_FLOAT is float32 (4 bytes)
    # note: the call sends 60 of the 120 bytes of `data`


class Field:
    def __init__(self):
        self.values = np.ones((4, 5), order="F")

    def total(self):
        comm.Allreduce(MPI.IN_PLACE, [self.values, MPI.FLOAT])  # want: `self.values` is float64 (8 bytes), MPI_FLOAT is float32 (4 bytes)

    def share(self):
        for row in [self.values.T[i] for i in range(2)]:
            comm.Bcast(buf=(row, row.size, MPI.INT), root=0)  # want: `row` is float64 (8 bytes), MPI_INT is int32 (4 bytes)


comm.Allreduce([a, MPI.FLOAT], [b, MPI.FLOAT], op=MPI.MAX)  # want: pass MPI.DOUBLE for float64, or the array alone
share(a[5:])
Field().total()
Field().share()
comm.Bcast([a, a.size, MPI.LONG])  # want: `a` is float64 (8 bytes), MPI_LONG is int64 (8 bytes)
z = np.zeros(8, dtype="c16")
comm.Bcast([z, z.size, MPI.COMPLEX])  # want: `z` is complex128 (16 bytes), MPI_COMPLEX is complex64 (8 bytes)
place, most = np.array([comm.rank * 1.5, comm.rank]), np.empty(2)
comm.Allreduce([place, 1, MPI.DOUBLE_INT], [most, 1, MPI.DOUBLE_INT], op=MPI.MAXLOC)  # want: `place` is float64 (8 bytes), MPI_INT is int32 (4 bytes)
item = np.dtype([("id", "i4"), ("x", "f8")])
fields = MPI.Datatype.Create_struct([1, 1], [0, 4], [MPI.FLOAT, MPI.DOUBLE])
struct = fields.Create_resized(0, item.itemsize).Commit()
p = np.zeros(4, item)
comm.Bcast([p, 4, struct])  # want: `p['id']` is int32 (4 bytes), MPI_FLOAT is float32 (4 bytes)
struct.Free(), fields.Free()

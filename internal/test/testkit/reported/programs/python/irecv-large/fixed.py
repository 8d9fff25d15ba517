# The receive has a buffer for the object.
# run: -n 2
from mpi4py import MPI

comm = MPI.COMM_WORLD
table = {i: "row %d" % i for i in range(4000)}
if comm.rank == 0:
    comm.isend(table, dest=1, tag=5).wait()
elif comm.rank == 1:
    request = comm.irecv(bytearray(1 << 20), source=0, tag=5)
    try:
        table = request.wait()
    except MPI.Exception:
        table = None

# reported: mpi4py/mpi4py 389 and 591, inducer/meshmode PR 148: a large object is received by irecv without a buffer
# run: -n 2
from mpi4py import MPI

comm = MPI.COMM_WORLD
table = {i: "row %d" % i for i in range(4000)}
if comm.rank == 0:
    comm.isend(table, dest=1, tag=5).wait()
elif comm.rank == 1:
    request = comm.irecv(source=0, tag=5)  # want: message-truncated: whose receive has room for 32768
    # hint: irecv without a buffer has room for 32 KiB
    try:
        table = request.wait()
    except MPI.Exception:
        table = None

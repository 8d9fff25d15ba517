# reported: inducer/meshmode PR 148, irecv without a buffer receives a large mesh
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
if comm.rank == 0:
    request = comm.isend(np.zeros(20000), dest=1)
    request.wait()
else:
    request = comm.irecv(source=0)  # want: message-truncated: 32768
    # hint: buffer
    try:
        request.wait()
    except MPI.Exception:
        pass
# also: call-failed rank-died

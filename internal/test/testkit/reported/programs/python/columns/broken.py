# reported: ai2cm/fv3gfs-wrapper PR 60, numba-mpi/numba-mpi PR 25: the halo is a column of an array, which mpi4py refuses
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
field = np.zeros((4, 6))
other = 1 - comm.rank

try:
    if comm.rank == 0:
        comm.Send(field[:, 0], dest=other)  # want: deadlock: BufferError
    else:
        comm.Recv(np.zeros(4), source=other)  # want: deadlock: Recv
except (ValueError, BufferError) as e:
    print(e)

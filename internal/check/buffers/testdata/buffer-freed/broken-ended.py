# A script ends without having waited for what it sends. The interpreter frees the buffers before MPI is finalized.
# also: leak-request
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
peer = 1 - comm.rank
array = comm.Isend(np.zeros(20000), dest=peer, tag=8)  # want: MPI_Isend with buf (`np.zeros(20000)`), and the interpreter frees that memory before the operation is completed.
# hint: wait for the request before the script ends
pickled = comm.isend({"data": np.zeros(20000)}, dest=peer, tag=7)  # want: and the interpreter frees that memory before the operation is completed.
comm.Recv(np.zeros(20000), source=peer, tag=8)
comm.recv(source=peer, tag=7)
comm.Barrier()

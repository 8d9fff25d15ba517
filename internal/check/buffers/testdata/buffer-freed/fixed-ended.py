# A script waits for what it sends before it ends.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
peer = 1 - comm.rank
kept = [comm.Isend(np.zeros(20000), dest=peer, tag=8), comm.isend({"data": np.zeros(20000)}, dest=peer, tag=7)]
comm.Recv(np.zeros(20000), source=peer, tag=8)
comm.recv(source=peer, tag=7)
MPI.Request.waitall(kept)

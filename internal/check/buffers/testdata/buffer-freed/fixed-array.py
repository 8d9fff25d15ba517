# Arrays and requests are kept until all is complete; mpi4py keeps an array as long as its request.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
peer = 1 - comm.rank
requests = [comm.Isend(np.full(n, 1.0), dest=peer, tag=n) for n in (3, 200, 20000)]
arrays = [np.empty(n) for n in (3, 200, 20000)]
requests += [comm.Irecv(a, source=peer, tag=a.size) for a in arrays]
MPI.Request.Waitall(requests)
for step in range(3):
    request = comm.Isend(np.full(step + 1, 1.0), dest=peer)
    comm.Recv(np.empty(step + 1), source=peer)
    request.Wait()
persistent = comm.Send_init(np.ones(4), dest=peer, tag=1), comm.Recv_init(np.empty(4), source=peer, tag=1)
for step in range(2):
    MPI.Prequest.Startall(persistent)
    MPI.Request.Waitall(persistent)
for request in persistent:
    request.Free()
ones, sums = np.ones(2), np.empty(2)
comm.Ibcast(ones, root=0).Wait()
request = comm.Ireduce(ones, sums, root=0)
while not request.Test():
    pass

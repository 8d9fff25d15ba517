# One rank makes a file, and the other one looks whether it is there.
# WANT: ; rank 0 looks (at|for) the file exists by \w+, which rank 1 changes by \w+
import os
from mpi4py import MPI

comm = MPI.COMM_WORLD
word = bytearray(1)
if comm.rank == 1:
    open("exists", "w").close()
if comm.rank == 0 and os.path.exists("exists"):
    comm.Ssend(word, dest=1, tag=1)
elif comm.rank == 0:
    comm.Send(word, dest=1, tag=2)
elif comm.rank == 1:
    comm.Recv(word, source=0)
comm.Barrier()
if comm.rank == 1:
    os.remove("exists")

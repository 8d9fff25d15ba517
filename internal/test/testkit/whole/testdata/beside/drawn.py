# Python's random numbers, which begin anew in each run.
# WANT: with other clocks and random numbers, rank 0 made a different call after the same results \(MPI_S?[sS]end at drawn.py:\d+, not MPI_S?[sS]end at drawn.py:\d+\)
import random
from mpi4py import MPI

comm = MPI.COMM_WORLD
word = bytearray(1)
for i in range(40):
    if comm.rank == 0 and random.random() < 0.5:
        comm.Ssend(word, dest=1, tag=1)
    elif comm.rank == 0:
        comm.Send(word, dest=1, tag=2)
    elif comm.rank == 1:
        comm.Recv(word, source=0)

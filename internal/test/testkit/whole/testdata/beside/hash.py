# The order of a set of words differs from run to run.
# WANT: with other clocks and random numbers, rank 0 made a different call after the same results
from mpi4py import MPI

comm = MPI.COMM_WORLD
word = bytearray(1)
for text in {str(i) for i in range(40)}:
    if comm.rank == 0:
        comm.Send(word, dest=1, tag=int(text))
    elif comm.rank == 1:
        comm.Recv(word, source=0)

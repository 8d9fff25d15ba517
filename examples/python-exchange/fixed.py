# Fixed: Sendrecv sends and receives at once.
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()

other = 1 - rank
mine = array("i", [rank])
theirs = array("i", [0])

comm.Sendrecv([mine, MPI.INT], dest=other, sendtag=0, recvbuf=[theirs, MPI.INT], source=other, recvtag=0)

# Wrong: both ranks receive before they send, so neither message is ever sent.
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()

other = 1 - rank
mine = array("i", [rank])
theirs = array("i", [0])

comm.Recv([theirs, MPI.INT], source=other, tag=0)  # both ranks wait here
comm.Send([mine, MPI.INT], dest=other, tag=0)

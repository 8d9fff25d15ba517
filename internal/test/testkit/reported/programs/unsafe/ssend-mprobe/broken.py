# reported: mpi4py/mpi4py PR 128, a synchronous send before a matched probe on both sides
from mpi4py import MPI

comm = MPI.COMM_WORLD
other = 1 - comm.rank
comm.ssend("mine", dest=other)  # want: deadlock: before
message = comm.mprobe(source=other)
message.recv()

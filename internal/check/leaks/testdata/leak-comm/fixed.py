# What is made is freed; mpi4py's own objects are none of the program's.
from mpi4py import MPI

comm = MPI.COMM_WORLD.Dup()
comm.allreduce(comm.rank)
MPI.COMM_WORLD.bcast({"a": 1})
req = comm.isend(3, dest=1 - comm.rank)
comm.recv(source=1 - comm.rank)
req.wait()
grp = comm.Get_group()
grp.Free()
comm.Free()

# mpi4py's lower-case calls work on a duplicate of the communicator, which MPI_Comm_free frees in a function that mpi4py gave MPI.
from mpi4py import MPI

world = MPI.COMM_WORLD
half = world.Split(world.rank % 2, world.rank)
copy = world.Dup()
half.allreduce(world.rank)
copy.gather(str(world.rank), root=0)
half.exscan(1)
between = half.Create_intercomm(0, world, 1 - world.rank % 2)
between.allreduce(1)
between.allgather(world.rank)
half.Free()
between.Free()
again = world.Split(0, world.rank)  # may have the handle of one that is gone
again.bcast({"a": 1})
again.Free()
copy.Free()

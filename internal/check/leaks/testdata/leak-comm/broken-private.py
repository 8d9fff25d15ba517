# Of two communicators with lower-case calls one is not freed; mpi4py's own duplicate of it does not count.
from mpi4py import MPI

world = MPI.COMM_WORLD
half = world.Split(world.rank % 2, world.rank)
copy = world.Split(0, -world.rank)  # want: MPI_Finalize with 1 communicator of this MPI_Comm_split not freed
half.allreduce(world.rank)
copy.allreduce(world.rank)
half.Free()

# mpi4py sets the error handler of a communicator that MPI_Comm_idup has not finished creating.
from mpi4py import MPI

world = MPI.COMM_WORLD
copy, request = world.Idup()
request.Wait()
copy.Barrier()
copy.Free()

# The duplicate is never freed.
from mpi4py import MPI

comm = MPI.COMM_WORLD.Dup()  # want: MPI_Finalize with 1 communicator of this MPI_Comm_dup not freed
comm.Barrier()

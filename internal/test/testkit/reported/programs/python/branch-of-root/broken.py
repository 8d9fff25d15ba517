# reported: a variant of early-exit/quit-loop: only the root sums up, by mpi4py's method for any object
# run: -n 2
from mpi4py import MPI

comm = MPI.COMM_WORLD
local = {"rank": comm.rank, "energy": 0.5}
if comm.rank == 0:
    total = comm.allreduce(local["energy"])
every = comm.gather(local, root=0)  # want: collective-mismatch: MPI_Comm_dup (MPI_COMM_WORLD, in mpi4py's allreduce)

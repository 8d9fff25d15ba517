# All ranks sum up.
# run: -n 2
from mpi4py import MPI

comm = MPI.COMM_WORLD
local = {"rank": comm.rank, "energy": 0.5}
total = comm.allreduce(local["energy"])
every = comm.gather(local, root=0)

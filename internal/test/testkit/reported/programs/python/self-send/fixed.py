# run: -n 2
from mpi4py import MPI

comm = MPI.COMM_WORLD
spins = list(range(200000))
request = comm.isend(spins, dest=comm.rank, tag=1)
back = comm.recv(source=comm.rank, tag=1)
request.wait()

# reported: Chengcheng-Xiao/mpiPyMC 2, a process sends to itself before it receives
# run: -n 2
from mpi4py import MPI

comm = MPI.COMM_WORLD
spins = list(range(200000))
comm.send(spins, dest=comm.rank, tag=1)  # want: deadlock: itself
back = comm.recv(source=comm.rank, tag=1)

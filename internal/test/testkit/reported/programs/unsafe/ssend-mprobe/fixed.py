from mpi4py import MPI

comm = MPI.COMM_WORLD
other = 1 - comm.rank
request = comm.issend("mine", dest=other)
message = comm.mprobe(source=other)
message.recv()
request.wait()

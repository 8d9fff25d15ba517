# run: -n 3
from mpi4py import MPI

comm = MPI.COMM_WORLD
failed = None
if comm.rank == 0:
    try:
        raise ValueError("cannot pack particles")
    except ValueError as e:
        failed = str(e)
failed = comm.bcast(failed, root=0)
if failed is None:
    comm.Barrier()

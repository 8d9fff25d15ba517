# reported: mphowardlab/relentless 221, only the root packs the particles; its exception leaves the others at a barrier
# run: -n 3
from mpi4py import MPI

comm = MPI.COMM_WORLD


def pack(n):
    if n > 10:
        raise ValueError("cannot pack particles")  # want: deadlock: ValueError


def run():
    if comm.rank == 0:
        pack(11)
    comm.Barrier()


try:
    run()
except Exception:
    pass

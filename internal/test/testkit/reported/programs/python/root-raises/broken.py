# reported: mphowardlab/relentless 221, only the root packs the particles; its exception leaves the others at a barrier
# run: -n 3
from mpi4py import MPI

comm = MPI.COMM_WORLD


def pack(n):
    if n > 10:
        raise ValueError("cannot pack particles")


def run():
    if comm.rank == 0:
        pack(11)
    comm.Barrier()  # want: deadlock: rank 0 raised ValueError at broken.py:10 and continued: cannot pack particles
    # hint: handle it on all ranks


try:
    run()
except Exception:
    pass

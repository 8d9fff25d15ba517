# run: -n 4
from mpi4py import MPI

comm = MPI.COMM_WORLD
working = comm.rank < 3


def fit(bundle):
    if bundle == 1:
        raise RuntimeError("the fit has failed")
    return bundle


def schedule():
    group = comm.Split(0 if working else MPI.UNDEFINED, comm.rank)
    if working:
        try:
            fit(comm.rank)
        except RuntimeError as e:
            print(e)
        group.Free()
    comm.barrier()


schedule()

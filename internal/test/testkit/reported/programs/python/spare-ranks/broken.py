# reported: desihub/desispec 2209 and PR 1542, a scheduler has more ranks than work; a job fails, and the ranks without work wait at its end
# run: -n 4
from mpi4py import MPI

comm = MPI.COMM_WORLD
working = comm.rank < 3


def fit(bundle):
    if bundle == 1:
        raise RuntimeError("the fit has failed")  # want: deadlock: RuntimeError
    return bundle


def schedule():
    group = comm.Split(0 if working else MPI.UNDEFINED, comm.rank)
    if working:
        fit(comm.rank)
        group.Free()
    comm.barrier()


try:
    schedule()
except RuntimeError as e:
    print(e)
# also: leak-comm

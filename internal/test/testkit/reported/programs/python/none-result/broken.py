# reported: Pyomo/mpi-sppy PR 820, a function returns None on all ranks but the root, and its result is subscripted
from mpi4py import MPI

comm = MPI.COMM_WORLD


def interval():
    parts = comm.gather(comm.rank, root=0)
    return (min(parts), max(parts)) if comm.rank == 0 else None


def test():
    result = interval()
    assert result[0] == 0  # want: deadlock: TypeError


def main():
    try:
        test()
    except TypeError:
        pass
    else:
        comm.allreduce(1)


main()

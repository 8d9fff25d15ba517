from mpi4py import MPI

comm = MPI.COMM_WORLD


def interval():
    parts = comm.gather(comm.rank, root=0)
    return (min(parts), max(parts)) if comm.rank == 0 else None


def test():
    result = interval()
    if comm.rank == 0:
        assert result[0] == 0


test()
comm.allreduce(1)

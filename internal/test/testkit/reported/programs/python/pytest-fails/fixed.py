# The test fails on all ranks, or on none.
from mpi4py import MPI
import pytest

comm = MPI.COMM_WORLD


def mean(values):
    return sum(values) / len(values)


def test_mean():
    share = [1.0 / comm.size]
    local = mean(share)
    total = comm.allreduce(local)
    assert abs(total - 1.0) < 1e-9


def test_names():
    names = comm.gather("rank %d" % comm.rank, root=0)
    assert comm.rank > 0 or len(names) == comm.size


if __name__ == "__main__":
    pytest.main(["-q", "-p", "no:cacheprovider", __file__])

# reported: a variant of root-raises: pytest reports the failure of one rank, whose next test the other rank does not reach
from mpi4py import MPI
import pytest

comm = MPI.COMM_WORLD


def mean(values):
    return sum(values) / len(values)


def test_mean():
    share = [1.0] if comm.rank == 0 else []
    local = mean(share)
    total = comm.allreduce(local)  # want: collective-mismatch: rank 1 raised ZeroDivisionError at broken.py:9 and continued: division by zero
    # hint: handle it on all ranks
    assert total == 1.0


def test_names():
    names = comm.gather("rank %d" % comm.rank, root=0)
    assert comm.rank > 0 or len(names) == comm.size


if __name__ == "__main__":
    pytest.main(["-q", "-p", "no:cacheprovider", __file__])

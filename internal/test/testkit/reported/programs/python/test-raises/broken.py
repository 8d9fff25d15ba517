# reported: firedrakeproject/mpi-pytest 12 and 34, aragilar/pytest-mpi 49: a test fails on one rank, the test runner catches it, the others wait
import sys
import unittest

from mpi4py import MPI

comm = MPI.COMM_WORLD


class TestMesh(unittest.TestCase):
    def test_size(self):
        if comm.rank == 0:
            self.assertEqual(comm.size, 5)  # want: deadlock: AssertionError
        comm.barrier()


unittest.main(argv=sys.argv[:1], exit=False)

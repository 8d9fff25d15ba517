import sys
import unittest

from mpi4py import MPI

comm = MPI.COMM_WORLD


class TestMesh(unittest.TestCase):
    def test_size(self):
        right = comm.allreduce(comm.rank != 0 or comm.size > 1, MPI.LAND)
        self.assertTrue(right)
        comm.barrier()


unittest.main(argv=sys.argv[:1], exit=False)

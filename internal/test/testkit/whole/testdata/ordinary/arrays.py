# Numbers and random numbers of numpy, which is imported after MPI was initialised.
from mpi4py import MPI

import numpy as np

comm = MPI.COMM_WORLD
generator = np.random.default_rng()
local = generator.standard_normal(100)
total = np.zeros(100)
comm.Allreduce(local, total)
np.save("arrays.%d.npy" % comm.rank, total)
assert np.load("arrays.%d.npy" % comm.rank).shape == (100,)

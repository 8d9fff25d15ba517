# A script ends with a window over an array. The interpreter frees the array before MPI is finalized: that is no second mistake.
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
field = np.zeros(100)
window = MPI.Win.Create(field, comm=comm)  # want: 1 window of this MPI_Win_create not freed
window.Fence()
window.Put(np.ones(1), 1 - comm.rank)
window.Fence()

# reported: sbird/fake_spectra PR 22, some ranks sum up an array of float64 and the root receives one of float32
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
density = np.ones(5, dtype=np.float32 if comm.rank == 0 else np.float64)
total = np.zeros(5, dtype=np.float32)
comm.Reduce(density, total, op=MPI.SUM, root=0)  # want: collective-data-mismatch: MPI_DOUBLE
# also: call-failed rank-died

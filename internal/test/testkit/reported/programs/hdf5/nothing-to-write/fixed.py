# run: -n 3
# needs: python3-h5py-mpi
import os
import tempfile

from mpi4py import MPI
import h5py
import numpy as np

comm = MPI.COMM_WORLD
directory = comm.bcast(tempfile.mkdtemp() if comm.rank == 0 else None)
with h5py.File(os.path.join(directory, "field.h5"), "w", driver="mpio", comm=comm) as f:
    data = f.create_dataset("field", (6,), dtype="f8")
    with data.collective:
        data[2 * comm.rank:2 * comm.rank + 2] = np.ones(2)

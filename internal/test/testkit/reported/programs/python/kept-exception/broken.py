# reported: a variant of root-raises: an executor keeps the exception of one rank's work, for which nobody asks
from concurrent.futures import ThreadPoolExecutor, wait

from mpi4py import MPI

comm = MPI.COMM_WORLD


def load(name):
    with open(name) as file:
        return file.read()


names = ["/nonexistent/%d.txt" % i for i in range(2)] if comm.rank == 1 else [__file__]
with ThreadPoolExecutor(1) as pool:
    jobs = [pool.submit(load, name) for name in names]
done, _ = wait(jobs)
if all(job.exception() is None for job in done):
    comm.Barrier()  # want: deadlock: rank 1 raised FileNotFoundError at broken.py:10 and continued: No such file or directory
    # hint: let it end the job

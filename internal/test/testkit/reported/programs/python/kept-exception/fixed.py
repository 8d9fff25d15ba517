# Whether all work has succeeded is agreed on.
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
failed = sum(job.exception() is not None for job in done)
if comm.allreduce(failed) == 0:
    comm.Barrier()

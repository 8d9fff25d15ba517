# Receives from any source by mpi4py, with messages of both other ranks there.
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()


def both(tag):
    if rank > 0:
        comm.send(rank, 0, tag)
        return False
    comm.probe(1, tag)
    comm.probe(2, tag)
    return True


def tell(form, met):
    print(form, "met", *met, flush=True)


status = MPI.Status()
if both(1):
    met = []
    for _ in range(2):
        value = comm.recv(source=MPI.ANY_SOURCE, tag=1, status=status)
        assert value == status.Get_source()
        met.append(value)
    tell("recv", met)
if rank > 0:
    value = array("i", [rank])
    MPI.Request.Waitall([comm.Isend(value, 0, 2), comm.Isend(value, 0, 3)])
else:
    x = array("i", [0])
    for source in 1, 2:
        comm.Probe(source, 2)
        comm.Probe(source, 3)
    met = []
    for _ in range(2):
        comm.Recv(x, MPI.ANY_SOURCE, 2, status)
        assert x[0] == status.Get_source()
        met.append(x[0])
    tell("Recv", met)
    met = []
    request = comm.Recv_init(x, MPI.ANY_SOURCE, 3)
    for _ in range(2):
        MPI.Prequest.Startall([request])
        request.Wait(status)
        assert x[0] == status.Get_source()
        met.append(x[0])
    request.Free()
    tell("Startall", met)

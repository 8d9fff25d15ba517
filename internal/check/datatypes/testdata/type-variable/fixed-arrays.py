# What scripts pass to mpi4py: arrays of NumPy and their views, structured ones, and other objects with memory, as the datatypes say.
from mpi4py import MPI
import array, mmap
import numpy as np

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
peer = rank ^ 1

def swap(out, into):
    comm.Sendrecv(out, dest=peer, recvbuf=into, source=peer)

a, b = np.arange(12, dtype='d'), np.empty(12)
swap(a, b)
swap([a, MPI.DOUBLE], [b, MPI.DOUBLE])
swap([a[3:7], 4, MPI.DOUBLE], [b[2:], 4, MPI.DOUBLE])
swap([a, 96, MPI.BYTE], [b, MPI.BYTE])
swap([a, 24, MPI.FLOAT], [b, MPI.FLOAT])  # all bytes, as others
swap([a[2:].view('i4'), 5, MPI.INT], [b.view('i4'), MPI.INT])
m, n = np.ones((4, 3)), np.zeros((4, 3), order='F')
swap([m, MPI.DOUBLE], [n, MPI.DOUBLE])
swap([m[1], 6, MPI.DOUBLE], [n, 6, MPI.DOUBLE])  # two rows from the second on
column = MPI.DOUBLE.Create_vector(4, 1, 3).Commit()
swap([m[0, 1:], 1, column], [m[0, 2:], 1, column])
column.Free()
row = MPI.DOUBLE.Create_contiguous(3).Commit()
swap([m, 4, row], [n, 4, row])
row.Free()
t = MPI.DOUBLE.Create_subarray([4, 3], [2, 2], [1, 1]).Commit()
swap([m, 1, t], [n.T.copy(), 4, MPI.DOUBLE])
t.Free()
point = np.dtype([('id', 'i4'), ('x', 'f8', (2,)), ('tag', 'S3')])
p, q = np.zeros(5, point), np.zeros(5, point)
swap([p, p.nbytes, MPI.BYTE], [q, q.nbytes, MPI.BYTE])
s = MPI.Datatype.Create_struct([1, 2, 3], [point.fields[f][1] for f in point.names], [MPI.INT, MPI.DOUBLE, MPI.CHAR])
r = s.Create_resized(0, point.itemsize).Commit()
swap([p, 5, r], [q, 5, r])
r.Free(), s.Free()
z, w = np.ones(4, 'c16'), np.empty(4, 'c16')
swap(z, w)
swap([z, 8, MPI.DOUBLE], [w, 8, MPI.DOUBLE])
swap([z, 4, MPI.DOUBLE_COMPLEX], [w, 4, MPI.DOUBLE_COMPLEX])
for d, x in (('?', MPI.BOOL), ('i1', MPI.SIGNED_CHAR), ('u1', MPI.UNSIGNED_CHAR), ('i2', MPI.SHORT), ('u8', MPI.INT64_T), ('f4', MPI.FLOAT), ('g', MPI.LONG_DOUBLE),
             ('S1', MPI.CHAR), ('f2', MPI.SHORT), ('>i4', MPI.INT), ('i8', MPI.LONG), ('i8', MPI.LONG_LONG), ('i8', MPI.OFFSET), ('i8', MPI.AINT), ('u4', MPI.UNSIGNED)):
    swap([np.ones(6, d), 6, x], [np.zeros(6, d), 6, x])
swap([np.zeros(3, 'M8[s]'), 3, MPI.INT64_T], [np.zeros(3, 'm8[s]'), 3, MPI.INT64_T])
swap([np.zeros(2, 'U4'), 32, MPI.BYTE], [np.zeros(2, 'U4'), 32, MPI.BYTE])
swap([bytearray(16), 2, MPI.DOUBLE], [bytearray(16), 2, MPI.DOUBLE])
swap([b'x' * 8, MPI.CHAR], [bytearray(8), MPI.CHAR])
swap([array.array('d', range(4)), MPI.DOUBLE], [array.array('d', range(4)), MPI.DOUBLE])
swap([array.array('i', range(4)), 3, MPI.INT], memoryview(array.array('i', range(3))))
with mmap.mmap(-1, 4096) as memory:
    swap([memory, 512, MPI.DOUBLE], [np.empty(512), MPI.DOUBLE])
scratch = np.empty(100)  # memory for whatever comes
swap([np.arange(7, dtype='i4'), 7, MPI.INT], [scratch, 7, MPI.INT])
swap([np.arange(200, dtype='i4'), MPI.INT], [scratch, 200, MPI.INT])
big = np.empty(1000)
view = big[:10]
swap([np.ones(20), MPI.DOUBLE], [view, 20, MPI.DOUBLE])

comm.Bcast([a, MPI.DOUBLE], root=0)
comm.Bcast([np.arange(10, dtype='i'), MPI.INT], root=0)
comm.Allreduce(MPI.IN_PLACE, a, op=MPI.SUM)
comm.Allreduce([a[:6], MPI.DOUBLE], [b[6:], MPI.DOUBLE], op=MPI.MAX)
best = np.array((1.5 * rank, rank), np.dtype([('v', 'f8'), ('i', 'i4')], align=True))
won = np.empty_like(best)
comm.Allreduce([best, 1, MPI.DOUBLE_INT], [won, 1, MPI.DOUBLE_INT], op=MPI.MAXLOC)
pair, most = np.array([rank, 7], 'i'), np.empty(2, 'i')
comm.Allreduce([pair, 1, MPI.INT_INT], [most, 1, MPI.INT_INT], op=MPI.MAXLOC)
flags = np.array([True, False])
comm.Allreduce(MPI.IN_PLACE, [flags, MPI.BOOL], op=MPI.LOR)
comm.Allreduce(MPI.IN_PLACE, [np.array([1, 2], 'u8'), MPI.UINT64_T], op=MPI.BOR)
every = np.empty((size, 12)) if rank == 0 else None
comm.Gather(a, every, root=0)
comm.Scatter(every, a, root=0)
counts = [r + 1 for r in range(size)]
at = [sum(counts[:r]) for r in range(size)]
mine = np.full(counts[rank], rank, 'd')
total = np.zeros(sum(counts))
comm.Gatherv(mine, (total, counts) if rank == 0 else None, root=0)
comm.Allgatherv([mine, MPI.DOUBLE], [total, counts, at, MPI.DOUBLE])
comm.Scatterv([total, counts, at, MPI.DOUBLE] if rank == 0 else None, mine, root=0)
comm.Alltoall(np.arange(size * 2, dtype='i'), np.empty(size * 2, 'i'))
comm.Alltoallw([a, [2] * size, [16 * r for r in range(size)], [MPI.DOUBLE] * size], [b, [2] * size, [16 * r for r in range(size)], [MPI.DOUBLE] * size])
comm.Reduce_scatter_block(np.ones(size), np.empty(1))

requests = [comm.Irecv([total[r:r + 1], MPI.DOUBLE], source=peer, tag=r) for r in range(2)] + [comm.Isend(x, dest=peer, tag=r) for r, x in enumerate((a[0:1], a[5:6]))]
MPI.Request.Waitall(requests)
again = [comm.Send_init(a, dest=peer), comm.Recv_init(b, source=peer)]
for _ in range(3):
    MPI.Prequest.Startall(again)
    MPI.Request.Waitall(again)
[q.Free() for q in again]

window = MPI.Win.Create(a, 8, comm=comm)
window.Fence()
window.Put([b, 2, MPI.DOUBLE], peer, [1, 2, MPI.DOUBLE])
window.Fence()
window.Free()
shared = MPI.Win.Allocate_shared(8 * 4 if rank == 0 else 0, 8, comm=comm)
memory, _ = shared.Shared_query(0)
block = np.ndarray(buffer=memory, dtype='d', shape=(4,))
block.fill(1) if rank == 0 else None
comm.Barrier()
comm.Bcast([block if rank == 0 else np.empty(4), MPI.DOUBLE], root=0)
comm.Barrier()
shared.Free()
own = MPI.Alloc_mem(64)
comm.Allreduce([np.ones(8), MPI.DOUBLE], [own, 8, MPI.DOUBLE])
comm.Allreduce([np.ones(8), MPI.DOUBLE], [np.frombuffer(own, 'd'), 8, MPI.DOUBLE])
MPI.Free_mem(own)

comm.Barrier()
x = comm.sendrecv({'a': np.ones(3)}, dest=peer, source=peer)
assert comm.allreduce(1) == size

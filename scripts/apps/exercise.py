"""One call of each kind that mpi4py offers, correctly used: `make apps` runs it plain and watched."""
from mpi4py import MPI
import array
import os
import tempfile
W = MPI.COMM_WORLD
r, n = W.rank, W.size
PATH = W.bcast(tempfile.mktemp() if r == 0 else None)


def ring(c):
    q = c.isend({'a': c.rank}, (c.rank+1) % c.size, tag=3)
    v = c.recv(source=(c.rank-1) % c.size, tag=3)
    q.wait()
    assert v['a'] == (c.rank-1) % c.size


for i in range(3):
    for c in (W, W.Dup(), W.Split(r % 2, r), W.Create(W.Get_group()), W.Create_group(W.Get_group(), tag=i), W.Create_cart([n], [True]), W.Split_type(MPI.COMM_TYPE_SHARED)):
        ring(c)
        c.barrier()
        c.bcast(list(range(100)) if c.rank == 0 else None)
        c.allgather(c.rank)
        c.alltoall([c.rank]*c.size)
        c.allreduce(1)
        c.scan(1)
        c.exscan(1)
        c.gather(c.rank, root=c.size-1)
        c.scatter(list(range(c.size)) if c.rank == 0 else None)
        c.Ibarrier().Wait()
        ia = array.array("i", [0])
        c.Iallreduce(array.array("i", [1]), ia).Wait()
        if c != W:
            c.Free()
    half = W.Split(r % 2)
    inter = half.Create_intercomm(0, W, 1 - r % 2, 4)
    inter.barrier()
    inter.allgather(r)
    m = inter.Merge(r % 2 == 1)
    m.barrier()
    ring(m)
    inter.bcast('x' if r == 0 else None, root=MPI.ROOT if r == 0 else MPI.PROC_NULL if r % 2 == 0 else 0)
    d = inter.Dup()
    d.barrier()
    d.Free()
    m.Disconnect()
    inter.Free()
    half.Free()
    c, q = W.Idup()
    q.Wait()
    ring(c)
    c.Free()
    # wildcards, probes, matched probes
    if r == 0:
        for k in range(n-1):
            st = MPI.Status()
            W.probe(MPI.ANY_SOURCE, MPI.ANY_TAG, st)
            W.recv(source=st.source, tag=st.tag)
        for k in range(n-1):
            mm = W.mprobe()
            mm.recv()
        for k in range(n-1):
            while True:
                mm = W.improbe()
                if mm:
                    break
            mm.irecv().wait() if k % 2 else mm.recv()
    else:
        W.ssend(r, 0, tag=r)
        W.send(r, 0, tag=r)
        W.send(r, 0, tag=r)
    W.barrier()
    # persistent
    b, e = array.array('i', [r]), array.array('i', [0])
    p = [W.Send_init(b, (r+1) % n), W.Recv_init(e, (r-1) % n)]
    for k in range(5):
        MPI.Prequest.Startall(p)
        MPI.Request.Waitall(p)
    for x in p:
        x.Free()
    # grequest
    g = MPI.Grequest.Start(None, None, None)
    g.Complete()
    g.Wait()
    # rma
    win = MPI.Win.Allocate(8*n, 1, comm=W)
    win.Fence()
    win.Put(b, (r+1) % n)
    win.Fence()
    win.Lock((r+1) % n)
    win.Put(b, (r+1) % n)
    win.Flush((r+1) % n)
    win.Unlock((r+1) % n)
    win.Lock_all()
    win.Unlock_all()
    W.barrier()
    grp = W.Get_group()
    win.Post(grp.Incl([(r-1) % n]))
    win.Start(grp.Incl([(r+1) % n]))
    win.Put(b, (r+1) % n)
    win.Complete()
    win.Wait()
    win.Free()
    f = MPI.File.Open(W, PATH, MPI.MODE_CREATE | MPI.MODE_RDWR)
    f.Write_at_all(4*r, b)
    f.Sync()
    f.Read_at_all(0, e)
    f.Write_shared(b)
    f.Write_ordered(b)
    f.Seek_shared(0)
    f.Iwrite_at(0, b).Wait()
    f.Close()
    # cancelled receives, some of many requests, a call that fails on purpose
    q = W.Irecv(e, source=r, tag=99)
    q.Cancel()
    q.Wait()
    qs = [W.Irecv(array.array('i', [0]), source=MPI.ANY_SOURCE, tag=5) for _ in range(n-1)] if r == 0 else [W.Isend(b, 0, tag=5)]
    while MPI.Request.Waitany(qs) != MPI.UNDEFINED:
        pass
    qs = [W.Irecv(array.array('i', [0]), source=k, tag=6) for k in range(1, n)] if r == 0 else [W.Isend(b, 0, tag=6)]
    while MPI.Request.Waitsome(qs) is not None:
        pass
    try:
        W.Send(b, n+5)
    except MPI.Exception:
        pass
    W.Sendrecv_replace(b, (r+1) % n, source=(r-1) % n)
if r == 0:
    os.remove(PATH)
    print('ok')

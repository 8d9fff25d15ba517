package buffers

import (
	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// attached is the buffer of a rank's buffered sends.
type attached struct {
	there   bool
	auto    bool // MPI_BUFFER_AUTOMATIC: MPI makes room for each message (MPI-4.1, 3.6)
	unknown bool // a call failed that was to change it
	size    int64
	by      objects.Made
	// sent is what messages need that were sent since the rank last could learn that others were received.
	sent int64
	n    int // of them
}

// apart says that some messages of a rank do not go through the buffer of the process, but through one of a
// communicator or session (MPI-4.1, 3.6). Which ones is not followed: nothing is then said of room for messages.
type apart struct{ some bool }

// watchAttached follows the buffer of the process and looks whether messages fit (MPI-4.0, 3.6).
func watchAttached(h *check.Hooks) {
	buffers, others := check.SlotOf[attached](h), check.SlotOf[apart](h)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		buf, size, count, datatype, dest := f.Named("buffer"), f.Named("size"), f.Named("count"), f.Named("datatype"),
			f.Named("dest")
		switch f.Class {
		case mpi.BufferAttach:
			if !ofProcess(f) {
				return func(c *check.Call) { others.Of(c.Rank).some = true }
			}
			return func(c *check.Call) { attach(c, buffers.Of(c.Rank), buf, size) }
		case mpi.BufferDetach:
			if !ofProcess(f) {
				break
			}
			return func(c *check.Call) { detach(c, buffers.Of(c.Rank)) }
		case mpi.Send, mpi.Isend:
			if f.Mode != op.Buffered {
				break
			}
			return func(c *check.Call) {
				n, _ := c.Int(count)
				t, _ := c.Int(datatype)
				o := c.Rank.Object(mpi.OType, uint64(t))
				if to, ok := c.Int(dest); ok && to != c.Rank.Limits.ProcNull && o != nil && o.Size > 0 && n > 0 &&
					!others.Of(c.Rank).some {
					buffer(c, buffers.Of(c.Rank), n*o.Size)
				}
			}
		case mpi.Isendrecv, mpi.Irecv, mpi.SendInit, mpi.RecvInit, mpi.PsendInit, mpi.PrecvInit, mpi.Start,
			mpi.Startall:
			return nil
		}
		if f.Class.Quiet() || f.Class == mpi.Isend {
			return nil
		}
		return func(c *check.Call) {
			b := buffers.Of(c.Rank)
			b.sent, b.n = 0, 0
		}
	})
	h.Exit(func(f *mpi.Func) func(*check.Call) {
		if f.Class != mpi.BufferAttach && f.Class != mpi.BufferDetach || !ofProcess(f) {
			return nil
		}
		return func(c *check.Call) {
			b := buffers.Of(c.Rank)
			b.unknown = b.unknown || c.Failed
		}
	})
}

// ofProcess says that a function attaches or detaches the buffer of the process.
func ofProcess(f *mpi.Func) bool { return f.Named("comm") < 0 && f.Named("session") < 0 }

func attach(c *check.Call, b *attached, buf, size int) {
	n, known := c.Int(size)
	at, _ := c.Int(buf)
	automatic := c.Rank.Limits.BufferAutomatic
	if b.there && !b.unknown {
		by := b.by
		c.Say(bufferAttached, -1, func() check.Words {
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s while another buffer is attached.", c.Rank.World,
					c.Func.Name),
				Related: []check.Related{{Text: "that one was attached", Func: by.Func, Site: by.Site}},
				Hint:    "detach the first one with MPI_Buffer_detach",
			}
		})
	}
	*b = attached{there: true, auto: automatic != 0 && uint64(at) == automatic, unknown: b.unknown || !known,
		size: n, by: c.By()}
}

func detach(c *check.Call, b *attached) {
	if !b.there && !b.unknown {
		by := b.by
		c.Say(bufferAttached, -1, func() check.Words {
			w := check.Words{Sentence: finding.Wordf("Rank %d calls %s while no buffer is attached.", c.Rank.World,
				c.Func.Name), Severity: finding.Warning}
			if by.Func != nil {
				w.Related = []check.Related{{Text: "it was detached", Func: by.Func, Site: by.Site}}
			}
			return w
		})
	}
	*b = attached{unknown: b.unknown, by: c.By()}
}

// roomToAttach is the hint for a buffer that is too small (MPI-4.0, 3.6).
const roomToAttach = "attach room for all messages that may be under way at a time: for each its size from " +
	"MPI_Pack_size, and MPI_BSEND_OVERHEAD"

// buffer takes in a buffered send of so many bytes.
func buffer(c *check.Call, b *attached, bytes int64) {
	overhead := c.Rank.Limits.BsendOverhead
	need := bytes + overhead
	b.sent += need
	b.n++
	size, sent, n, by := b.size, b.sent, b.n, b.by
	switch {
	case b.unknown, b.auto:
	case !b.there:
		c.Say(bufferTooSmall, -1, func() check.Words {
			w := check.Words{Sentence: finding.Wordf("Rank %d calls %s while no buffer is attached.", c.Rank.World,
				c.Func.Name), Hint: "attach a buffer with MPI_Buffer_attach first"}
			if by.Func != nil {
				w.Related = []check.Related{{Text: "it was detached", Func: by.Func, Site: by.Site}}
			}
			return w
		})
	case need > size:
		c.Say(bufferTooSmall, -1, func() check.Words {
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s with a message that needs %d bytes (%d of data, %d of "+
					"MPI_BSEND_OVERHEAD); the attached buffer has %d.", c.Rank.World, c.Func.Name, need, bytes,
					overhead, size),
				Related: []check.Related{{Text: "it was attached", Func: by.Func, Site: by.Site}},
				Hint:    roomToAttach,
			}
		})
	case sent > size:
		c.Say(bufferTooSmall, -1, func() check.Words {
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s with the last of %d messages that need %d bytes if none "+
					"has been received yet; the attached buffer has %d.", c.Rank.World, c.Func.Name, n, sent, size),
				Related:  []check.Related{{Text: "it was attached", Func: by.Func, Site: by.Site}},
				Severity: finding.Warning,
				Hint:     roomToAttach,
			}
		})
	}
}

package calls

import (
	"unknot/internal/model/objects"
	"unknot/internal/observe/decode"
	"unknot/internal/vocab/mpi"
)

// Bytes is the size of what a call with these arguments sends, -1 if that is not known.
func (r *Rank) Bytes(f *mpi.Func, words []uint64) int64 {
	c := arguments{decode.Call{Func: f, Words: words}, r}
	return c.bytes()
}

// Volume is how many bytes the last call may have to move.
func (t *Thread) Volume() int64 {
	c := arguments{decode.Call{Func: t.Func, Words: t.Call.Words}, t.Rank}
	sum := int64(0)
	for _, pair := range [][2]mpi.Role{{mpi.RCount, mpi.RType}, {mpi.RRecvCount, mpi.RRecvType}} {
		if content := c.content(pair[0], pair[1]); content.Type != nil {
			sum += content.Type.Size() * content.Count
		}
	}
	if t.Call.Comm != nil && Collective(t.Func) {
		sum *= int64(max(t.Call.Comm.Size(), 1))
	}
	if w := t.window(); w != nil {
		sum += w.Moved
	}
	if t.Op != nil {
		for _, p := range t.Op.Waits {
			sum += max(p.Bytes, 0)
			if p.Content.Type != nil {
				sum += p.Content.Type.Size() * p.Content.Count
			}
		}
	}
	return sum
}

// window is that of the thread's last call, nil if it names none that is known.
func (t *Thread) window() *objects.Window {
	if v, ok := t.Func.EnterWord(mpi.RWin, t.Call.Words); ok && t.Call.Func == t.Func {
		return t.Rank.Objects.Windows[uint64(v)]
	}
	return nil
}

// moves counts the data that calls move into and out of windows.
func (c *arguments) moves() {
	w := c.r.Objects.Windows[c.Word(mpi.RWin)]
	switch {
	case w == nil:
	case c.Func.Class == mpi.WinColl:
		w.Fenced = true
	default:
		if w.Fenced {
			w.Moved, w.Fenced = 0, false
		}
		if content := c.content(mpi.RCount, mpi.RType); content.Type != nil {
			w.Moved += content.Type.Size() * content.Count
		}
	}
}

package text

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// TestWhatIsWrittenIsReadBack proves that a log of any content comes back as it was.
func TestWhatIsWrittenIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLog(t)
		var first bytes.Buffer
		if err := Write(&first, l); err != nil {
			t.Fatal(err)
		}
		back, err := Read(bytes.NewReader(first.Bytes()), "log")
		if err != nil {
			t.Fatalf("%v\n%s", err, first.String())
		}
		if diff := cmp.Diff(normal(l), normal(back)); diff != "" {
			t.Fatalf("it comes back with (- written, + read):\n%s\nfrom\n%s", diff, first.String())
		}
	})
}

// normal leaves out what a plan can give an outcome, numbers functions and places by their first use, and makes empty
// slices nil.
func normal(l *trace.Log) *trace.Log {
	n := &trace.Log{Head: l.Head, Cut: l.Cut, Sites: []trace.Site{{}}, Comms: l.Comms}
	if len(n.Head.Command) == 0 {
		n.Head.Command = nil
	}
	fns, sites := map[string]uint16{}, map[trace.Site]uint32{{}: 0}
	for _, t := range l.Threads {
		c := trace.Thread{Rank: t.Rank, Index: t.Index}
		c.Parts, c.Waits = append(c.Parts, t.Parts...), append(c.Waits, t.Waits...)
		for _, o := range t.Ops {
			name, site := l.Funcs[o.Fn], l.Sites[o.Site]
			if _, known := fns[name]; !known {
				fns[name] = uint16(len(n.Funcs))
				n.Funcs = append(n.Funcs, name)
			}
			if _, known := sites[site]; !known {
				sites[site] = uint32(len(n.Sites))
				n.Sites = append(n.Sites, site)
			}
			o.Fn, o.Site = fns[name], sites[site]
			o.Choice, o.Nth = false, 0 // counted anew, without polls
			for i := range c.Waits {
				c.Waits[i].At = 0
			}
			c.Ops = append(c.Ops, o)
		}
		n.Threads = append(n.Threads, c)
	}
	return n
}

// drawLog makes a log that uses all that a log can hold.
func drawLog(t *rapid.T) *trace.Log {
	n := rapid.IntRange(1, 4).Draw(t, "ranks")
	text := rapid.StringMatching(`[ -~é]{0,8}`)
	l := &trace.Log{Head: trace.Head{Ranks: n, MPI: text.Draw(t, "mpi"), Unknot: text.Draw(t, "unknot"),
		Start: text.Draw(t, "start")},
		Cut: text.Draw(t, "cut"), Sites: []trace.Site{{}}}
	l.Head.Command = rapid.SliceOfN(text, 0, 2).Draw(t, "command")
	l.Funcs = []string{"MPI_Send", "MPI_Isend", "MPI_Recv", "MPI_Irecv", "MPI_Probe", "MPI_Sendrecv", "MPI_Barrier",
		"MPI_Ibcast", "MPI_Bcast",
		"MPI_Waitall", "MPI_Waitany", "MPI_Finalize", "MPI_Comm_spawn", "MPI_Start", "upc_notify", "odd name"}
	for range rapid.IntRange(0, 3).Draw(t, "sites") {
		l.Sites = append(l.Sites, trace.Site{Function: text.Draw(t, "function"),
			File: rapid.SampledFrom([]string{"", "a.c", "b c.f90", "x/y.c"}).Draw(t, "file"),
			Line: rapid.IntRange(0, 99).Draw(t, "line"), Module: text.Draw(t, "module"),
			Offset: rapid.Uint64().Draw(t, "offset")})
	}
	world := trace.Comm{ID: op.CommID(rapid.Uint64Range(0, 3).Draw(t, "id")), Name: "MPI_COMM_WORLD"}
	for r := range n {
		world.Members = append(world.Members, op.Rank(r))
	}
	l.Comms = []trace.Comm{world}
	ranks := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) op.Rank { return drawRank(t, n) }), 0, 4)
	for range rapid.IntRange(0, 3).Draw(t, "comms") {
		c := trace.Comm{ID: op.CommID(rapid.Uint64().Draw(t, "id")),
			Name:    rapid.SampledFrom([]string{"evens", "c1", "comm", "my comm", ""}).Draw(t, "name"),
			Members: ranks.Draw(t, "members"), Inner: rapid.Bool().Draw(t, "inner")}
		if rapid.Bool().Draw(t, "inter") {
			c.Remote = ranks.Draw(t, "remote")
		}
		l.Comms = append(l.Comms, c)
	}
	for r := range n {
		for index := range rapid.IntRange(1, 2).Draw(t, "threads") {
			l.Threads = append(l.Threads, trace.Thread{Rank: op.Rank(r), Index: op.Thread(index)})
		}
	}
	for i := range l.Threads {
		for range rapid.IntRange(0, 6).Draw(t, "calls") {
			drawCall(t, l, i)
		}
	}
	return l
}

func drawRank(t *rapid.T, n int) op.Rank { return op.Rank(rapid.IntRange(0, n-1).Draw(t, "rank")) }

// usual is what a call with one part is when it is as its name says.
type usual struct {
	kind   op.PartKind
	blocks bool
}

func usually() map[string]usual {
	return map[string]usual{"MPI_Send": {op.Send, true}, "MPI_Isend": {op.Send, false}, "MPI_Recv": {op.Recv, true},
		"MPI_Irecv": {op.Recv, false},
		"MPI_Probe": {op.Probe, true}, "MPI_Barrier": {op.Coll, true}, "MPI_Ibcast": {op.Coll, false},
		"MPI_Bcast": {op.Coll, true}}
}

// drawCall adds a call: mostly one that is as its name says, else one of any form.
func drawCall(t *rapid.T, l *trace.Log, at int) {
	th := &l.Threads[at]
	o := trace.Op{Fn: uint16(rapid.IntRange(0, len(l.Funcs)-1).Draw(t, "function")),
		Returned: rapid.Bool().Draw(t, "returned"),
		Site:     uint32(rapid.IntRange(0, len(l.Sites)-1).Draw(t, "site")), First: uint32(len(th.Parts)),
		WaitAt: uint32(len(th.Waits))}
	if as, known := usually()[l.Funcs[o.Fn]]; known && rapid.IntRange(0, 3).Draw(t, "usual") > 0 {
		q := drawPart(t, l)
		for q.Kind != as.kind {
			q = drawPart(t, l)
		}
		th.Parts = append(th.Parts, q)
		if o.Started, o.Blocking = 1, as.blocks; o.Blocking {
			th.Waits, o.Waiting = append(th.Waits, trace.Wait{Thread: uint32(at), Part: o.First, Done: o.Returned}), 1
		}
		th.Ops = append(th.Ops, o)
		return
	}
	for range rapid.IntRange(0, 2).Draw(t, "parts") {
		th.Parts = append(th.Parts, drawPart(t, l))
	}
	o.Started = uint32(len(th.Parts)) - o.First
	if o.Blocking = rapid.Bool().Draw(t, "blocking"); o.Blocking && rapid.Bool().Draw(t, "own") {
		for i := range o.Started {
			th.Waits = append(th.Waits, trace.Wait{Thread: uint32(at), Part: o.First + i, Done: o.Returned})
		}
	} else if o.Blocking {
		for range rapid.IntRange(0, 2).Draw(t, "waits") {
			of := rapid.IntRange(0, at).Draw(t, "of")
			if n := len(l.Threads[of].Parts); n > 0 {
				th.Waits = append(th.Waits,
					trace.Wait{Thread: uint32(of), Part: uint32(rapid.IntRange(0, n-1).Draw(t, "part")),
						Done: rapid.Bool().Draw(t, "done")})
			}
		}
	}
	o.Waiting = uint32(len(th.Waits)) - o.WaitAt
	o.Any = o.Blocking && rapid.Bool().Draw(t, "any")
	o.Opaque, o.Final = rapid.IntRange(0, 5).Draw(t, "opaque") == 0, rapid.IntRange(0, 5).Draw(t, "final") == 0
	th.Ops = append(th.Ops, o)
}

func drawPart(t *rapid.T, l *trace.Log) trace.Part {
	n := l.Head.Ranks
	q := trace.Part{Kind: op.PartKind(rapid.IntRange(0, 4).Draw(t, "kind")),
		Comm: uint32(rapid.IntRange(0, len(l.Comms)-1).Draw(t, "comm")),
		Peer: drawRank(t, n), Tag: int32(rapid.IntRange(0, 3).Draw(t, "tag")), Gone: rapid.IntRange(0, 5).Draw(t,
			"gone") == 0,
		Nth: uint32(rapid.IntRange(0, 2).Draw(t, "nth"))}
	switch q.Kind {
	case op.Send:
		q.Mode = op.SendMode(rapid.IntRange(0, 2).Draw(t, "mode"))
		q.Bytes = int64(rapid.IntRange(-1, 9).Draw(t, "bytes"))
	case op.Recv, op.Probe:
		q.Matched, q.MatchedTag = op.Unknown, int32(op.Unknown)
		q.Wild = rapid.Bool().Draw(t, "wild")
		if q.Wild && rapid.Bool().Draw(t, "open") {
			q.Peer = op.AnySource
		}
		if rapid.Bool().Draw(t, "any tag") {
			q.Tag = op.AnyTag
		}
		if rapid.Bool().Draw(t, "met") {
			q.Matched, q.MatchedTag = drawRank(t, n), int32(rapid.IntRange(0, 3).Draw(t, "met tag"))
		}
	case op.Coll:
		q.Tag = 0
		q.Peer = rapid.SampledFrom([]op.Rank{op.AnySource, op.RootRank, op.ProcNull, 0}).Draw(t, "root")
		q.Sync, q.Seq, q.What = op.Sync(rapid.IntRange(0, 4).Draw(t, "sync")), rapid.Uint64().Draw(t, "seq"),
			rapid.Uint64().Draw(t, "what")
	case op.Served:
		q.Peer = rapid.SampledFrom([]op.Rank{op.ProcNull, op.AnySource, 0}).Draw(t, "peer")
	}
	return q
}

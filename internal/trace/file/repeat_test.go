package file

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// TestWhatRepeatsIsReadAsIfItHadBeenRecorded records random loops of calls twice, once with most periods as one and
// once call by call: what is read is the same.
func TestWhatRepeatsIsReadAsIfItHadBeenRecorded(t *testing.T) {
	testkit.TakesLong(t)
	oneGoroutine(t)
	var sizes [2]int64
	for seed := range uint64(20) {
		var logs [2]*trace.Log
		for i, folded := range []bool{true, false} {
			path := filepath.Join(t.TempDir(), fmt.Sprint(seed, folded))
			k := newWorkload(t, path, 3)
			rnd := rand.New(rand.NewPCG(seed, 7))
			var loops []*loop
			for _, s := range k.streams {
				loops = append(loops, &loop{s: s, comms: make(map[uint32]uint64)})
			}
			k.w.Comm(Comm{Comm: trace.Comm{ID: 2, Name: "half", Members: []op.Rank{0, 1}}})
			for range 1 + rnd.IntN(4) {
				for _, l := range loops {
					l.random(rnd)
					l.once()
					l.repeat(1+uint32(rnd.IntN(1500)), folded)
					l.once()
				}
			}
			if err := k.w.Close(""); err != nil {
				t.Fatal(err)
			}
			log, err := Read(path)
			if err != nil {
				t.Fatal(err)
			}
			logs[i] = log
			sizes[i] += k.w.at
		}
		if !reflect.DeepEqual(logs[0], logs[1]) {
			for i := range logs[0].Threads {
				a, b := &logs[0].Threads[i], &logs[1].Threads[i]
				t.Logf("thread %d: %d and %d calls, %d and %d parts, %d and %d waits", i, len(a.Ops), len(b.Ops),
					len(a.Parts), len(b.Parts), len(a.Waits), len(b.Waits))
				for n := range min(len(a.Parts), len(b.Parts)) {
					if a.Parts[n] != b.Parts[n] {
						t.Logf("part %d: %+v and %+v", n, a.Parts[n], b.Parts[n])
						break
					}
				}
			}
			t.Fatalf("seed %d: what repeats is read as something else", seed)
		}
	}
	if sizes[0] > sizes[1]/4 {
		t.Errorf("%d bytes with what repeats as one, %d without", sizes[0], sizes[1])
	}
}

// loop is a thread that repeats a period.
type loop struct {
	s              *Stream
	events         []Event
	sends, choices uint32 // of a period
	sent, chosen   uint32 // so far
	comms          map[uint32]uint64
}

// random makes a period: calls that start something, complete something that was started before, or both.
func (l *loop) random(rnd *rand.Rand) {
	l.events, l.sends, l.choices = nil, 0, 0
	open := []uint32{} // places of parts from the begin of the period, not completed
	parts := uint32(0)
	for range 1 + rnd.IntN(12) {
		o := &trace.Op{Fn: uint16(rnd.IntN(6)), Site: uint32(rnd.IntN(4))}
		e := Event{Op: o}
		for range rnd.IntN(3) {
			p := trace.Part{Bytes: -1, Peer: op.Rank(rnd.IntN(3)), Tag: int32(rnd.IntN(3))}
			switch p.Kind = []op.PartKind{op.Send, op.Recv, op.Coll}[rnd.IntN(3)]; p.Kind {
			case op.Send:
				p.Mode, p.Bytes = []op.SendMode{op.Standard, op.Synchronous}[rnd.IntN(2)], int64(rnd.IntN(100))
				if p.Mode == op.Standard {
					p.Nth = l.sends
					l.sends++
				}
			case op.Coll:
				p.Tag, p.Sync, p.Comm, p.What = 0, op.SyncAll, uint32(rnd.IntN(2)), uint64(rnd.IntN(5))
			}
			e.Posts = append(e.Posts, p)
			open = append(open, parts+uint32(len(e.Posts)-1))
		}
		end := parts + uint32(len(e.Posts))
		for i := 0; i < len(open); i++ {
			if rnd.IntN(2) == 0 {
				e.Back = append(e.Back, end-open[i])
				open = append(open[:i], open[i+1:]...)
				i--
			}
		}
		if o.Blocking = len(e.Back) > 0; o.Blocking && rnd.IntN(2) == 0 {
			o.Any, o.Choice, o.Nth = true, true, l.choices
			l.choices++
			for i := range e.Back {
				e.At = append(e.At, int32(i))
			}
		}
		l.events = append(l.events, e)
		parts = end
		if o.Any {
			l.events = append(l.events, Event{Kind: Done, Before: 1 + uint32(rnd.IntN(len(e.Back)))})
		}
		if parts > 0 && rnd.IntN(3) == 0 {
			l.events = append(l.events, Event{Kind: Matched, Before: 1 + uint32(rnd.IntN(int(parts))),
				Rank: op.Rank(rnd.IntN(3)), Tag: 5})
		}
	}
}

// now are the events of the next period with the numbers of now.
func (l *loop) now() []Event {
	comms := make(map[uint32]uint64)
	var out []Event
	for _, e := range l.events {
		e.Posts = append([]trace.Part(nil), e.Posts...)
		for i := range e.Posts {
			switch p := &e.Posts[i]; {
			case p.Kind == op.Send && p.Mode == op.Standard:
				p.Nth += l.sent
			case p.Kind == op.Coll:
				p.Seq = l.comms[p.Comm] + comms[p.Comm]
				comms[p.Comm]++
			}
		}
		if e.Op != nil {
			o := *e.Op
			if o.Choice {
				o.Nth += l.chosen
			}
			e.Op = &o
		}
		out = append(out, e)
	}
	return out
}

// once records a period call by call.
func (l *loop) once() {
	for _, e := range l.now() {
		l.s.event(&e)
		for _, p := range e.Posts {
			if p.Kind == op.Coll {
				l.comms[p.Comm]++
			}
		}
	}
	l.sent, l.chosen = l.sent+l.sends, l.chosen+l.choices
	l.s.Returned()
}

// repeat records so many.
func (l *loop) repeat(times uint32, folded bool) {
	if !folded {
		for range times {
			l.once()
		}
		return
	}
	r := &Repeated{Events: l.now(), Times: times, Sends: l.sends, Choices: l.choices}
	l.s.Repeat(r)
	for _, e := range r.Events {
		for _, p := range e.Posts {
			if p.Kind == op.Coll {
				l.comms[p.Comm] += uint64(times)
			}
		}
	}
	l.sent, l.chosen = l.sent+times*l.sends, l.chosen+times*l.choices
}

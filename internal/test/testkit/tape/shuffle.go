package tape

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"unknot/internal/observe/ring"
	"unknot/internal/test/testkit"
)

// Orders are a tape as it is and some that are Shuffled, at night many.
func (t *Tape) Orders() []*Tape {
	shuffled := uint64(2)
	if testkit.Nightly() {
		shuffled = 60
	}
	list := []*Tape{t}
	for seed := range shuffled {
		list = append(list, t.Shuffled(seed))
	}
	return list
}

// Shuffled is a run with the same records in each ring, of which those of different processes come in another order:
// each process is late by a random time, which changes at random. The agent may read the rings of any run so on a busy
// machine. Records of several threads of a process, of which the tape does not say which came first, stay together.
func (t *Tape) Shuffled(seed uint64) *Tape {
	s := shuffle{random: rand.New(rand.NewPCG(seed, 0)), threads: make(map[int]int), late: make(map[int]lateness)}
	for i := range t.Events {
		if m := t.Events[i].Made; m != nil {
			s.threads[m.PID]++
		}
	}
	out := *t
	out.Events = nil
	for i := range t.Events {
		e := t.Events[i]
		switch {
		case e.Made != nil:
			s.rings = append(s.rings, e.Made.PID)
		case e.Slots == nil && e.Header == nil: // what depends on all that has come
			s.end = max(s.end, e.At)
			e.At = s.end
		default:
			if s.threads[s.rings[e.Ring]] == 1 {
				for _, record := range records(e.Slots) {
					out.Events = append(out.Events, Event{At: s.at(&e, true), Ring: e.Ring, Slots: record})
				}
				e.Slots = nil
			}
			e.At = s.at(&e, s.threads[s.rings[e.Ring]] == 1)
		}
		out.Events = append(out.Events, e)
	}
	slices.SortStableFunc(out.Events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	return &out
}

// shuffle is what is known while a tape is shuffled.
type shuffle struct {
	random  *rand.Rand
	rings   []int            // their processes
	threads map[int]int      // of a process, those with rings
	late    map[int]lateness // by process
	end     int64            // the last moment given
}

// lateness is that of one process, in microseconds.
type lateness struct{ by, from, last int64 }

// at is the moment at which an event of a ring comes, which may differ for events of one moment.
func (s *shuffle) at(e *Event, differ bool) int64 {
	process := s.rings[e.Ring]
	l := s.late[process]
	const most = 16 // as a power of two: 65 ms
	if (differ || l.from != e.At) && s.random.IntN(4) == 0 {
		l.by = s.random.Int64N(1 << s.random.IntN(most))
	}
	l.from, l.last = e.At, max(l.last, e.At+l.by)
	s.late[process], s.end = l, max(s.end, l.last)
	return l.last
}

// records are the words of each record.
func records(words Slots) (list []Slots) {
	for len(words) > 0 {
		n := int(uint8(words[0]>>24)) * ring.WordsNext
		list = append(list, words[:n:n])
		words = words[n:]
	}
	return list
}

package match

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"unknot/internal/vocab/op"
)

// script drives a queue by names: sends are s0, s1, …, receives r0, r1, …, in the order of their steps.
type script struct {
	q     Queue
	sends []*Send
	recvs []*Recv
	names map[any]string
	got   []string
}

type step func(*script)

// send lets a message arrive.
func send(src op.Rank, tag int32) step {
	return func(s *script) {
		m := &Send{Src: src, Tag: tag}
		s.names[m] = fmt.Sprintf("s%d", len(s.sends))
		s.sends = append(s.sends, m)
		s.q.Arrive(m)
	}
}

func post(src op.Rank, tag int32, peek bool) step {
	return func(s *script) {
		r := &Recv{Src: src, Tag: tag, Peek: peek}
		s.names[r] = fmt.Sprintf("r%d", len(s.recvs))
		s.recvs = append(s.recvs, r)
		s.q.Post(r)
	}
}

func recv(src op.Rank, tag int32) step  { return post(src, tag, false) }
func probe(src op.Rank, tag int32) step { return post(src, tag, true) }

// decide tells what the n-th receive met.
func decide(n int, src op.Rank, tag int32) step {
	return func(s *script) { s.q.Decide(s.recvs[n], src, tag) }
}

func resolve(s *script) { s.q.Resolve() }

func suspend(n int) step  { return func(s *script) { s.q.Suspend(s.recvs[n]) } }
func drop(n int) step     { return func(s *script) { s.q.Drop(s.recvs[n]) } }
func withdraw(n int) step { return func(s *script) { s.q.Withdraw(s.sends[n]) } }

// then checks the matches since the last check, in their order.
func then(want string) step {
	return func(s *script) {
		var got []string
		for _, p := range s.q.Out {
			got = append(got, s.names[p.Recv]+"="+s.names[p.Send])
		}
		s.q.Out = s.q.Out[:0]
		text := strings.Join(got, " ")
		if text != want {
			text += " (want " + want + ")"
			s.got = append(s.got, text)
		}
	}
}

// open checks what has no partner: messages by source, then wildcards, then receives by source.
func open(want string) step {
	return func(s *script) {
		var got []string
		s.q.Unmatched(func(m *Send) bool { got = append(got, s.names[m]); return true })
		s.q.Posted(func(r *Recv) bool { got = append(got, s.names[r]); return true })
		if text := strings.Join(got, " "); text != want {
			s.got = append(s.got, "open: "+text+" (want "+want+")")
		}
	}
}

// candidate checks which message the n-th receive could take.
func candidate(n int, want string) step {
	return func(s *script) {
		got := "none"
		if m := s.q.Candidate(s.recvs[n]); m != nil {
			got = s.names[m]
		}
		if got != want {
			s.got = append(s.got, fmt.Sprintf("candidate of r%d: %s (want %s)", n, got, want))
		}
	}
}

const (
	anySrc = op.AnySource
	anyTag = op.AnyTag
)

func TestQueue(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []step
	}{
		{"messages of one source come in order", []step{send(1, 5), send(1, 5), recv(1, 5), then("r0=s0"), recv(1, 5),
			then("r1=s1")}},
		{"receives take messages in order", []step{recv(1, 5), recv(1, 5), send(1, 5), then("r0=s0"), send(1, 5),
			then("r1=s1"), open("")}},
		{"a tag overtakes another tag", []step{send(1, 5), send(1, 6), recv(1, 6), then("r0=s1"), recv(1, anyTag),
			then("r1=s0")}},
		{"any tag takes the first message", []step{send(1, 6), send(1, 5), recv(1, anyTag), then("r0=s0")}},
		{"a receive with any tag comes before a later one with a tag", []step{recv(1, anyTag), recv(1, 5), send(1, 5),
			then("r0=s0"), send(1, 6), then(""), send(1, 5), then("r1=s2"), open("s1")}},
		{"another tag waits for its own", []step{recv(1, 7), send(1, 5), then(""), open("s0 r0"), recv(1, 5),
			then("r1=s0"), open("r0")}},
		{"sources do not mix", []step{recv(1, 5), send(2, 5), then(""), open("s0 r0"), send(1, 5), then("r0=s1"),
			open("s0")}},

		{"a wildcard is not guessed", []step{recv(anySrc, 5), send(1, 5), then(""), candidate(0, "s0"), decide(0, 1, 5),
			resolve, then("r0=s0")}},
		{"an undecided wildcard holds up a later receive", []step{recv(anySrc, 5), recv(1, 5), send(1, 5), then(""),
			candidate(1, "s0"), open("s0 r0 r1")}},
		{"and frees it when it took another's message", []step{recv(anySrc, 5), recv(1, 5), send(1, 5), send(2, 5),
			decide(0, 2, 5), resolve, then("r1=s0 r0=s1")}},
		{"and comes before it when it took this one", []step{recv(anySrc, 5), recv(1, 5), send(1, 5), decide(0, 1, 5),
			resolve, then("r0=s0"), send(1, 5), then("r1=s1")}},
		{"a wildcard with another tag holds up nothing", []step{recv(anySrc, 6), recv(1, 5), send(1, 5), then("r1=s0"),
			open("r0")}},
		{"a wildcard holds up nothing before it", []step{recv(1, 5), recv(anySrc, 5), send(1, 5), then("r0=s0"),
			open("r1")}},
		{"a wildcard holds up the second message behind the first", []step{recv(anySrc, anyTag), recv(1, 5), send(1, 6),
			send(1, 5), then(""), decide(0, 1, 6), resolve, then("r0=s0 r1=s1")}},
		{"decisions come in another order than receives", []step{recv(anySrc, 5), recv(anySrc, 5), send(1, 5),
			send(1, 5), decide(1, 1, 5), resolve, then(""), decide(0, 1, 5), resolve, then("r0=s0 r1=s1")}},
		{"decisions are known before their messages", []step{recv(anySrc, 5), recv(anySrc, 5), decide(1, 1, 5),
			decide(0, 2, 5), resolve, then(""), send(2, 5), then("r0=s0"), send(1, 5), then("r1=s1")}},
		{"a decision fixes the tag", []step{recv(anySrc, anyTag), send(1, 5), send(2, 6), decide(0, 2, 6), resolve,
			then("r0=s1"), open("s0")}},
		{"a decision on a definite receive changes nothing", []step{recv(1, 5), decide(0, 2, 6), resolve, send(2, 6),
			then(""), send(1, 5), then("r0=s1")}},
		{"one decision frees several channels", []step{recv(anySrc, 5), recv(1, 5), recv(2, 5), recv(3, 5), send(1, 5),
			send(2, 5), send(3, 5), then(""), decide(0, 2, 5), resolve, then("r1=s0 r0=s1 r3=s2"), open("r2")}},
		{"a channel stays contended while a second wildcard is open", []step{recv(anySrc, 5), recv(anySrc, 5),
			recv(1, 5), send(1, 5), decide(0, 2, 5), resolve, then(""), decide(1, 3, 5), resolve, then("r2=s0"),
			open("r0 r1")}},
		{"a contended channel goes on to hold new messages back", []step{recv(anySrc, 5), recv(1, 5), send(1, 5),
			send(1, 6), recv(1, 6), then("r2=s1"), send(1, 5), then(""), decide(0, 1, 5), resolve,
			then("r0=s0 r1=s2")}},

		{"a probe leaves the message", []step{probe(1, 5), send(1, 5), then("r0=s0"), open("s0"), recv(1, 5),
			then("r1=s0")}},
		{"a probe after the message", []step{send(1, 5), probe(1, 5), then("r0=s0"), recv(1, 5), then("r1=s0")}},
		{"a probe with another tag waits", []step{send(1, 5), probe(1, 6), then(""), send(1, 6), then("r0=s1"),
			open("s0 s1")}},
		{"a probe does not see what an earlier receive takes", []step{recv(1, 5), probe(1, 5), send(1, 5),
			then("r0=s0"), send(1, 5), then("r1=s1"), open("s1")}},
		{"a probe holds up nothing", []step{probe(1, 6), recv(1, anyTag), send(1, 5), then("r1=s0"), open("r0")}},
		{"a probe and the receive after it see one message", []step{probe(1, 5), recv(1, 5), send(1, 5),
			then("r0=s0 r1=s0")}},
		{"a probe from anybody is decided like a receive", []step{probe(anySrc, 5), send(1, 5), send(2, 5), then(""),
			decide(0, 2, 5), resolve, then("r0=s1"), recv(anySrc, 5), decide(1, 2, 5), resolve, then("r1=s1"),
			open("s0")}},
		{"a probe from anybody holds up nothing", []step{probe(anySrc, 5), recv(1, 5), send(1, 5), then("r1=s0")}},
		{"an undecided wildcard holds up a probe", []step{recv(anySrc, 5), probe(1, 5), send(1, 5), then(""),
			decide(0, 2, 5), resolve, then("r1=s0"), open("s0 r0")}},
		{"a probe sees what a later receive has already taken", []step{recv(anySrc, 1), probe(1, anyTag), recv(1, 0),
			send(1, 1), send(1, 0), then("r2=s1"), candidate(1, "s0"), decide(0, 1, 1), resolve,
			then("r0=s0 r1=s1"), open("")}},
		{"a probe from anybody sees what another thread's receive took", []step{probe(anySrc, 5), recv(1, 5),
			send(1, 5), then("r1=s0"), decide(0, 1, 5), resolve, then("r0=s0"), send(1, 5), open("s1")}},

		{"a suspended receive may be cancelled", []step{recv(1, 5), suspend(0), recv(1, 5), send(1, 5), then(""),
			drop(0), resolve, then("r1=s0"), open("")}},
		{"or complete", []step{recv(1, 5), suspend(0), recv(1, 5), send(1, 5), then(""), decide(0, 1, 5), resolve,
			then("r0=s0"), send(1, 5), then("r1=s1")}},
		{"a cancelled receive gives its message to the next", []step{recv(1, 5), send(1, 5), then("r0=s0"), send(1, 5),
			drop(0), resolve, recv(1, 5), then("r1=s0"), recv(1, 5), then("r2=s1")}},
		{"and to one that waits", []step{recv(1, 5), recv(1, 5), send(1, 5), then("r0=s0"), drop(0), resolve,
			then("r1=s0"), open("")}},
		{"a dropped wildcard frees what it held up", []step{recv(anySrc, 5), recv(1, 5), send(1, 5), then(""), drop(0),
			resolve, then("r1=s0")}},
		{"a probe that is given up is gone", []step{probe(1, 5), drop(0), send(1, 5), then(""), open("s0")}},
		{"a withdrawn message is gone", []step{send(1, 5), send(1, 5), withdraw(0), recv(1, 5),
			then("r0=s1"), open("")}},
		{"a withdrawn message frees nothing that it was not in the way of", []step{recv(anySrc, 5), recv(1, 5),
			send(1, 5), withdraw(0), resolve, then(""), decide(0, 1, 5), resolve, send(1, 5), then("r0=s1"),
			open("r1")}},
		{"withdrawing what was matched changes nothing", []step{send(1, 5), recv(1, 5), then("r0=s0"), withdraw(0),
			send(1, 5), recv(1, 5), then("r1=s1")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &script{names: make(map[any]string)}
			for i, do := range c.steps {
				do(s)
				for _, wrong := range s.got {
					t.Errorf("step %d: %s", i+1, wrong)
				}
				s.got = nil
			}
		})
	}
}

// A queue that has settled matches as one that is searched again at each step.
func TestASettledQueueMatchesAsOneThatIsSearched(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type made struct {
			q     Queue
			sends []*Send
			recvs []*Recv
		}
		both := [2]made{}
		source, tag := rapid.Int32Range(0, 1), rapid.Int32Range(0, 2)
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			step, src := rapid.IntRange(0, 9).Draw(t, "step"), op.Rank(source.Draw(t, "source"))
			what, nth := tag.Draw(t, "tag"), rapid.IntRange(0, 30).Draw(t, "nth")
			for i := range both {
				m := &both[i]
				if i == 1 {
					for c := range m.q.channels.all() {
						c.settled = false
					}
				}
				switch {
				case step < 4:
					m.sends = append(m.sends, &Send{Src: src, Tag: what})
					m.q.Arrive(m.sends[len(m.sends)-1])
				case step < 7:
					r := &Recv{Src: src, Tag: what, Peek: nth == 0}
					if nth == 1 {
						r.Src = anySrc
					}
					if nth == 2 {
						r.Tag = anyTag
					}
					m.recvs = append(m.recvs, r)
					m.q.Post(r)
				case nth >= len(m.recvs):
				case step == 7:
					m.q.Decide(m.recvs[nth], src, what)
					m.q.Resolve()
				case step == 8:
					m.q.Suspend(m.recvs[nth])
				case m.recvs[nth].Send == nil && m.recvs[nth].list != nil:
					m.q.Drop(m.recvs[nth])
					m.q.Resolve()
				}
			}
			for k, s := range both[0].sends {
				a, b := s.Recv, both[1].sends[k].Recv
				if slices.Index(both[0].recvs, a) != slices.Index(both[1].recvs, b) {
					t.Fatalf("message %d meets receive %d, and %d if all are searched", k,
						slices.Index(both[0].recvs, a), slices.Index(both[1].recvs, b))
				}
			}
		}
	})
}

// While a receive waits for a later message, each of many others costs the same.
func TestManyUnexpectedMessagesAreNotSearchedForEach(t *testing.T) {
	const messages = 1 << 17
	var q Queue
	start := time.Now()
	last := &Recv{Src: 0, Tag: 1}
	q.Post(last)
	for range messages {
		q.Arrive(&Send{Src: 0})
	}
	q.Arrive(&Send{Src: 0, Tag: 1})
	if took := time.Since(start); last.Send == nil || took > 3*time.Second {
		t.Errorf("%d messages took %s, and the receive met %v", messages, took, last.Send)
	}
}

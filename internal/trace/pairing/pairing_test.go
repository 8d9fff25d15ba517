package pairing_test

import (
	"maps"
	"testing"

	"pgregory.net/rapid"

	"unknot/internal/trace"
	"unknot/internal/trace/pairing"
	"unknot/internal/vocab/op"
)

// slow looks at all messages for each receive.
func slow(l *trace.Log) (message, taker map[pairing.Ref]pairing.Ref) {
	message, taker = make(map[pairing.Ref]pairing.Ref), make(map[pairing.Ref]pairing.Ref)
	for i := range l.Threads {
		for k := range l.Threads[i].Parts {
			me, p := pairing.Ref{Thread: uint32(i), Part: uint32(k)}, &l.Threads[i].Parts[k]
			if p.Kind != op.Recv && p.Kind != op.Probe || p.Gone {
				continue
			}
			from, tag := pairing.Envelope(p)
			func() {
				for j := range l.Threads {
					for n := range l.Threads[j].Parts {
						s, q := pairing.Ref{Thread: uint32(j), Part: uint32(n)}, &l.Threads[j].Parts[n]
						if _, taken := taker[s]; taken || q.Kind != op.Send || q.Gone || l.Threads[j].Rank != from ||
							q.Peer != l.Threads[i].Rank ||
							q.Comm != p.Comm || tag != op.AnyTag && tag != q.Tag {
							continue
						}
						message[me] = s
						if p.Kind == op.Recv {
							taker[s] = me
						}
						return
					}
				}
			}()
		}
	}
	return message, taker
}

// TestPairsAreThoseOfTheSlowWay compares with it on random logs: several threads, communicators and tags, receives with
// any tag, from any source and of what the run saw, probes, and what was cancelled.
func TestPairsAreThoseOfTheSlowWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l trace.Log
		ranks := rapid.IntRange(1, 3).Draw(t, "ranks")
		rank := func(what string) op.Rank { return op.Rank(rapid.IntRange(0, ranks-1).Draw(t, what)) }
		for i := range rapid.IntRange(1, 4).Draw(t, "threads") {
			th := trace.Thread{Rank: op.Rank(i % ranks), Index: op.Thread(i / ranks)}
			for range rapid.IntRange(0, 12).Draw(t, "parts") {
				p := trace.Part{Kind: rapid.SampledFrom([]op.PartKind{op.Send, op.Send, op.Recv, op.Recv,
					op.Probe}).Draw(t, "kind"), Peer: rank("peer"),
					Tag: int32(rapid.IntRange(0, 2).Draw(t, "tag")), Comm: uint32(rapid.IntRange(0, 1).Draw(t, "comm")),
					Matched:    op.Unknown,
					MatchedTag: int32(op.Unknown), Gone: rapid.IntRange(0, 9).Draw(t, "gone") == 0}
				if p.Kind != op.Send {
					switch rapid.IntRange(0, 4).Draw(t, "form") {
					case 0:
						p.Tag = op.AnyTag
					case 1:
						p.Peer, p.Wild = op.AnySource, true
					case 2:
						p.Peer, p.Wild, p.Matched = op.AnySource, true, rank("met")
					case 3:
						p.Tag, p.Matched, p.MatchedTag = op.AnyTag, p.Peer,
							int32(rapid.IntRange(0, 2).Draw(t, "met tag"))

					}
				}
				th.Parts = append(th.Parts, p)
			}
			l.Threads = append(l.Threads, th)
		}
		message, taker := slow(&l)
		if got := pairing.Of(&l); !maps.Equal(got.Message, message) || !maps.Equal(got.Taker, taker) {
			t.Fatalf("%+v\nmessages %v, want %v\ntakers %v, want %v", l.Threads, got.Message, message, got.Taker, taker)
		}
	})
}

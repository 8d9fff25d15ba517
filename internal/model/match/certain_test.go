package match

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"unknot/internal/vocab/op"
)

// TestWhatIsCertainHoldsWhateverMPIChooses: a receive that is served has a message in every way of pairing what is open
// in which no receive is left with a message that fits it, and a send that is taken has a receive.
func TestWhatIsCertainHoldsWhateverMPIChooses(t *testing.T) {
	served, taken := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var q Queue
		var sends []*Send
		var recvs []*Recv
		for range rapid.IntRange(1, 7).Draw(t, "steps") {
			src, tag := op.Rank(rapid.IntRange(0, 2).Draw(t, "source")), int32(rapid.IntRange(0, 1).Draw(t, "tag"))
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				recvs = append(recvs, &Recv{Src: src, Tag: tag})
				q.Post(recvs[len(recvs)-1])
			case 1:
				recvs = append(recvs, &Recv{Src: op.AnySource, Tag: int32(rapid.IntRange(-1, 1).Draw(t, "wanted"))})
				q.Post(recvs[len(recvs)-1])
			default:
				sends = append(sends, &Send{Src: src, Tag: tag})
				q.Arrive(sends[len(sends)-1])
			}
		}
		q.Resolve()
		sends = slices.DeleteFunc(sends, func(s *Send) bool { return s.Recv != nil })
		recvs = slices.DeleteFunc(recvs, func(r *Recv) bool { return r.Send != nil })
		var ways []map[*Recv]*Send
		pairings(recvs, sends, map[*Recv]*Send{}, func(way map[*Recv]*Send) { ways = append(ways, way) })
		for _, r := range recvs {
			if !q.Served(r) {
				continue
			}
			served++
			if slices.ContainsFunc(ways, func(way map[*Recv]*Send) bool { return way[r] == nil }) {
				t.Errorf("receive %+v is served, but may go without", r)
			}
		}
		for _, s := range sends {
			if !q.Taken(s) {
				continue
			}
			taken++
			if slices.ContainsFunc(ways, func(way map[*Recv]*Send) bool { return !has(way, s) }) {
				t.Errorf("send %+v is taken, but may be left", s)
			}
		}
	})
	if served == 0 || taken == 0 {
		t.Errorf("%d receives were served and %d sends taken, want some of each", served, taken)
	}
}

func has(way map[*Recv]*Send, s *Send) bool {
	for _, other := range way {
		if other == s {
			return true
		}
	}
	return false
}

// pairings calls visit for every way to pair receives with sends that leaves no two of them that fit.
func pairings(recvs []*Recv, sends []*Send, way map[*Recv]*Send, visit func(map[*Recv]*Send)) {
	var try func(i int)
	try = func(i int) {
		if i < len(recvs) {
			try(i + 1)
			for _, s := range sends {
				if fits(recvs[i], s) && !has(way, s) {
					way[recvs[i]] = s
					try(i + 1)
					delete(way, recvs[i])
				}
			}
			return
		}
		for _, r := range recvs {
			if way[r] == nil && slices.ContainsFunc(sends, func(s *Send) bool { return fits(r, s) && !has(way, s) }) {
				return
			}
		}
		whole := make(map[*Recv]*Send, len(way))
		for r, s := range way {
			whole[r] = s
		}
		visit(whole)
	}
	try(0)
}

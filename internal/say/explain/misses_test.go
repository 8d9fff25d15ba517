package explain

import (
	"slices"
	"strings"
	"testing"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// TestOnlyWhatIsCertainIsTheCause: one message alone nearly fits what one member waits for. Where there may be another
// one, or where the member may get on by something else, the sentence is as without it.
func TestOnlyWhatIsCertainIsTheCause(t *testing.T) {
	const cause = "Rank 1 sent rank 0 a message with tag 5, but rank 0 waits for one with tag 4. "
	for name, change := range map[string]func(*Story){
		"":                           func(*Story) {},
		"there may be more":          func(s *Story) { s.Members[0].Described.Shape.More = true },
		"another one":                func(s *Story) { add(s, 0, message.Miss{Src: 1, Dst: 0, Sent: 6, Wanted: 4}) },
		"one of the other member":    func(s *Story) { add(s, 1, message.Miss{Src: 0, Dst: 1, Sent: 5, Wanted: 4}) },
		"it fits as far as is known": func(s *Story) { s.Members[0].Described.Shape.Misses[0].Sent = 4 },
		"any of several will do": func(s *Story) {
			s.Members[0].Wait.Any = true
			s.Members[0].Wait.Needs = make([]waitstate.Need, 2)
		},
		"another receive took one": func(s *Story) {
			s.Members[0].Described.Shape.Ate = &message.Eaten{Src: 1, Tag: 4}
		},
		"it speaks for other ranks": func(s *Story) {
			s.Alike = map[message.Key]op.Ranks{{Rank: 0}: op.RanksOf(2)}
		},
		"it would wait if not buffered": func(s *Story) { s.Code = finding.DeadlockUnsafe },
	} {
		s := Story{Code: finding.Deadlock, Members: []Member{
			waiting(0, "MPI_Recv", mpi.Recv, waitstate.Need{Kind: waitstate.NeedMessage, Rank: 1}),
			waiting(1, "MPI_Recv", mpi.Recv, waitstate.Need{Kind: waitstate.NeedMessage, Rank: 0})}}
		add(&s, 0, message.Miss{Src: 1, Dst: 0, Sent: 5, Wanted: 4})
		change(&s)
		f := s.Finding()
		if said := strings.HasPrefix(f.Sentence, cause); said != (name == "") {
			t.Errorf("%s: %s", name, f.Sentence)
		}
	}
}

func add(s *Story, member int, m message.Miss) {
	shape := &s.Members[member].Described.Shape
	shape.Misses = append(shape.Misses, m)
}

// TestWhereRanksPart has rank 0 in its third barrier and rank 1 in a receive after its second, or its first, or where
// that is not known.
func TestWhereRanksPart(t *testing.T) {
	at := func(line int) finding.Frame {
		return finding.Frame{Function: "main", File: "/home/ada/a.c", Line: line}
	}
	barrier := func(seq uint64, line int) message.CollCall {
		return message.CollCall{Ctx: 7, Seq: seq, Call: "MPI_Barrier", At: at(line)}
	}
	for name, c := range map[string]struct {
		other []message.CollCall
		want  []int // lines
	}{
		"one behind":                    {[]message.CollCall{barrier(1, 20), barrier(0, 10)}, []int{20, 30, 40}},
		"two behind":                    {[]message.CollCall{barrier(0, 10)}, []int{10, 20, 40}},
		"common at another line":        {[]message.CollCall{barrier(1, 21)}, []int{20, 21, 30, 40}},
		"no call on that communicator":  {[]message.CollCall{{Ctx: 8, Call: "MPI_Barrier"}}, nil},
		"another call with that number": {[]message.CollCall{{Ctx: 7, Seq: 1, Call: "MPI_Bcast", At: at(20)}}, nil},
		"nothing known":                 {nil, nil},
	} {
		s := Story{Code: finding.Deadlock, Members: []Member{
			waiting(0, "MPI_Barrier", mpi.Coll, waitstate.Need{Kind: waitstate.NeedMembers, Ctx: 7, Seq: 2,
				Ranks: []op.Rank{1}}),
			waiting(1, "MPI_Recv", mpi.Recv, waitstate.Need{Kind: waitstate.NeedMessage, Rank: 0})}}
		s.Members[0].Described.Shape.Collectives = []message.CollCall{barrier(2, 30), barrier(1, 20), barrier(0, 10)}
		s.Members[1].Described.Shape.Collectives, s.Members[1].Described.Place.Frame = c.other, at(40)
		f := s.Finding()
		var lines []int
		for _, m := range f.Timeline {
			lines = append(lines, m.Line)
		}
		if !slices.Equal(lines, c.want) {
			t.Errorf("%s: lines %v, want %v", name, lines, c.want)
		}
		s.Members[0].Needs[0].Ranks = []op.Rank{1, 2} // of rank 2 nothing is known
		if f := s.Finding(); f.Timeline != nil {
			t.Errorf("%s: %v, although rank 2 may be further behind", name, f.Timeline)
		}
	}
}

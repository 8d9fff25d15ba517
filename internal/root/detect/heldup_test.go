package detect

import (
	"slices"
	"testing"
	"time"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// TestOnlyCallsOfRanksInMPIAreHeldUp: rank 0 has all that it needs, and it depends on the others whether the library
// has to complete its call.
func TestOnlyCallsOfRanksInMPIAreHeldUp(t *testing.T) {
	from := func(r op.Rank) waitstate.Need {
		return waitstate.Need{Kind: waitstate.NeedMessage, Rank: r, Met: true, Free: true}
	}
	chosen := from(op.AnySource)
	chosen.There = 2
	all := waitstate.Need{Kind: waitstate.NeedMembers, Ctx: 5, Seq: 1, Met: true, Free: true}
	open := waitstate.Need{Kind: waitstate.NeedMessage, Rank: 1}
	needs := func(list ...waitstate.Need) []waitstate.Need { return list }
	two := func(a, b message.Wait) [2]message.Wait { return [2]message.Wait{a, b} }
	lock := func(r op.Rank) waitstate.Need {
		return waitstate.Need{Kind: waitstate.NeedUnlock, Ctx: 5, Rank: r, Tag: 1}
	}
	flush := func(r op.Rank) waitstate.Need {
		return waitstate.Need{Kind: waitstate.NeedTarget, Ctx: 5, Rank: r, Met: true}
	}
	in := message.Wait{State: message.Blocked, Real: waitstate.Wait{Needs: []waitstate.Need{open}}}
	out := message.Wait{State: message.Running}
	own := message.Wait{State: message.Blocked, Real: waitstate.Wait{Needs: []waitstate.Need{
		{Kind: waitstate.NeedSelf}}}}
	dead, finished, inside := message.Wait{State: message.Dead}, message.Wait{State: message.Finished},
		message.Wait{Inside: true}
	for what, c := range map[string]struct {
		needs  []waitstate.Need
		any    bool
		others [2]message.Wait
		idlers []op.Rank
		is     bool
	}{
		"the sender waits in MPI":           {needs: needs(from(1)), others: two(in, out), is: true},
		"the sender computes":               {needs: needs(from(1)), others: two(out, in), idlers: []op.Rank{1}},
		"the sender is in a call":           {needs: needs(from(1)), others: two(inside, out), is: true},
		"the sender has died":               {needs: needs(from(1)), others: two(dead, in), idlers: []op.Rank{1}},
		"the sender is in MPI_Finalize":     {needs: needs(from(1)), others: two(finished, out), is: true},
		"the sender has not released it":    {needs: needs(from(1)), others: two(own, in), idlers: []op.Rank{1}},
		"one of two messages is there":      {needs: needs(from(1), open), others: two(in, in)},
		"one of two is enough":              {needs: needs(from(1), open), any: true, others: two(in, in), is: true},
		"the sender that MPI may choose":    {needs: needs(chosen), others: two(out, in), is: true},
		"all members are in MPI":            {needs: needs(all), others: two(in, in), is: true},
		"a member has gone on and computes": {needs: needs(all), others: two(in, out), idlers: []op.Rank{2}},
		"a lock that nobody holds":          {needs: needs(lock(1)), others: two(in, out), is: true},
		"a lock that another rank may hold": {needs: needs(lock(2)), others: two(in, in)},
		"a lock on a rank that computes":    {needs: needs(lock(1)), others: two(out, in), idlers: []op.Rank{1}},
		"a flush of a rank in MPI":          {needs: needs(flush(1)), others: two(in, out), is: true},
		"a flush of a rank that computes":   {needs: needs(flush(1)), others: two(out, in), idlers: []op.Rank{1}},
		"a flush of all, one of which sleeps": {needs: needs(flush(op.AnySource)), others: two(in, out),
			idlers: []op.Rank{2}},
		"a message of a rank that is unknown": {needs: needs(from(op.Unknown)), others: two(in, in)},
	} {
		first := message.Wait{State: message.Blocked, Real: waitstate.Wait{Needs: c.needs, Any: c.any}}
		s := merge(3, nil)
		s.groups[5] = op.FirstRanks(3)
		s.locks = []message.Held{{Lock: message.Lock{Win: 5, Target: 2}, Rank: 1, Exclusive: true}}
		s.threads = []*message.Wait{&first, &c.others[0], &c.others[1]}
		for i, w := range s.threads {
			w.Rank = op.Rank(i)
		}
		s.index()
		b := s.graph(standing)
		list, parties := b.heldUp()
		if is := slices.Equal(list, []nodeID{0}); is != c.is || is && !slices.Contains(parties, 0) {
			t.Errorf("%s: held up: %v with %v, want %v", what, list, parties, c.is)
		}
		if got := b.idlers(&first); !slices.Equal(got, c.idlers) {
			t.Errorf("%s: outside of MPI are %v, want %v", what, got, c.idlers)
		}
	}
}

// TestACauseThatIsLikelyIsLookedForAgain: where the ranks are is reported once in each standstill; the cause may take
// longer to be seen. If a rank gets on, nothing more is wanted.
func TestACauseThatIsLikelyIsLookedForAgain(t *testing.T) {
	progress := map[int]message.Progress{0: {Calls: 7}}
	j := job{opts: Options{Stall: time.Minute}}
	v := surveys{job: &j, ledger: &ledger{progress: progress}, pace: &pace{job: &j}, findings: &findings{job: &j}}
	at := time.Unix(1000, 0)
	turn := func(after time.Duration) *survey {
		j.now = at.Add(after)
		v.watchStall()
		return v.wanted
	}
	if turn(0) != nil || turn(59*time.Second) != nil {
		t.Error("wanted too early")
	}
	if s := turn(time.Minute); s == nil || s.more || !s.until.Equal(at.Add(time.Minute+patience)) {
		t.Errorf("%+v", s)
	}
	v.wanted = nil
	if s := turn(2 * time.Minute); s != nil {
		t.Errorf("wanted twice: %+v", s)
	}
	v.advance.again = at.Add(3 * time.Minute)
	if s := turn(2 * time.Minute); s != nil {
		t.Errorf("wanted before it is time: %+v", s)
	}
	if s := turn(3 * time.Minute); s == nil || !s.more {
		t.Errorf("%+v, want another look", s)
	}
	progress[0] = message.Progress{Calls: 8}
	if s := turn(3 * time.Minute); s != nil || !v.advance.again.IsZero() {
		t.Errorf("a rank has got on, and %+v is wanted", s)
	}
}

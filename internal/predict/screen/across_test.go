package screen

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/oracle"
	"unknot/internal/trace"
)

// direct is a host in this process.
type direct struct{ part *Part }

func (d direct) Ask(request []byte) ([]byte, error) { return d.part.Answer(request) }

// dealt gives each of some hosts the calls of its ranks. Each has its own order of communicators but the first.
func dealt(l *trace.Log, hosts int, rng *rand.Rand) ([]*trace.Log, []int) {
	owner := make([]int, l.Head.Ranks)
	for r := range owner {
		owner[r] = rng.IntN(hosts)
	}
	parts := make([]*trace.Log, hosts)
	for h := range parts {
		part := *l
		order := rng.Perm(len(l.Comms))
		at := slices.Index(order, 0)
		order[0], order[at] = order[at], order[0]
		part.Comms, part.Threads = nil, nil
		number := make([]uint32, len(order))
		for n, c := range order {
			part.Comms = append(part.Comms, l.Comms[c])
			number[c] = uint32(n)
		}
		for _, t := range l.Threads {
			if owner[t.Rank] == h {
				t.Parts = slices.Clone(t.Parts)
				for i := range t.Parts {
					t.Parts[i].Comm = number[t.Parts[i].Comm]
				}
			} else {
				t = trace.Thread{Rank: t.Rank, Index: t.Index}
			}
			part.Threads = append(part.Threads, t)
		}
		parts[h] = &part
	}
	return parts, owner
}

// apart screens a log in parts.
func apart(parts []*trace.Log) (*Result, Traffic, error) {
	peers := make([]Peer, len(parts))
	for h, l := range parts {
		p, err := NewPart(l)
		if err != nil {
			return nil, Traffic{}, err
		}
		peers[h] = direct{p}
	}
	return Across(peers)
}

// sameApart compares the screening of a log with that of its parts. It says whether the parts were enough.
func sameApart(l *trace.Log, seed uint64) (decided, certified bool, err error) {
	rng := rand.New(rand.NewPCG(seed, 46))
	parts, owner := dealt(l, 2+rng.IntN(3), rng)
	r, _, err := apart(parts)
	if err != nil {
		return false, false, err
	}
	whole := Log(l)
	clean := !slices.ContainsFunc(whole.Flags, func(f Flag) bool { return f.Reason != Lost })
	switch {
	case r == nil:
		return false, clean, nil
	case !clean:
		return true, false, fmt.Errorf("on hosts %v nothing is flagged, but the whole log has %v", owner, whole.Flags)
	case r.Steps != whole.Steps || r.Ended != whole.Ended || !slices.Equal(r.Limits, whole.Limits):
		return true, true, fmt.Errorf("on hosts %v it gives %+v, as a whole %+v", owner, *r, whole)
	}
	return true, true, nil
}

// TestPartsAreScreenedAsTheWhole screens random programs whose ranks are dealt out to hosts. What they find together is
// what is found in the whole log, and they need it as a whole only if something is flagged there.
func TestPartsAreScreenedAsTheWhole(t *testing.T) {
	var lock sync.Mutex
	var decided, joined, flagged int
	check := func(p *oracle.Program, seed uint64) error {
		var met *oracle.Machine
		if seed%2 == 0 {
			_, _, end := oracle.Run(p, seed)
			met = end.Machine
		}
		enough, clean, err := sameApart(logOf(p, met), seed)
		lock.Lock()
		defer lock.Unlock()
		switch {
		case enough:
			decided++
		case clean:
			joined++
		default:
			flagged++
		}
		return err
	}
	oracle.ForEach(t, check)
	programs := uint64(400)
	if testkit.Nightly() {
		programs = 20000
	}
	for seed := range programs {
		p := contests(seed)
		if err := check(p, seed); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
	}
	t.Logf("%d logs decided in parts; %d flagged; %d without flags had to be joined", decided, flagged, joined)
	if 20*joined > decided || decided < flagged/10 {
		t.Error("the parts decide too little")
	}
}

// TestPartsOfAProgram screens the programs of the paper and a stencil in parts, and bounds what is exchanged.
func TestPartsOfAProgram(t *testing.T) {
	for _, c := range []struct {
		name  string
		log   *trace.Log
		clean bool
	}{
		{"diffusion", program(t, "diffusion.txt"), true},
		{"dependence transition group", program(t, "dtg.txt"), false},
		{"integrate", program(t, "integrate.txt"), true},
		{"all-pairs shortest path", program(t, "floyd.txt"), true},
	} {
		parts, _ := dealt(c.log, 3, rand.New(rand.NewPCG(1, 46)))
		r, traffic, err := apart(parts)
		if err != nil || (r != nil) != c.clean {
			t.Errorf("%s: %v, %v", c.name, r, err)
		}
		if most := 40*len(parts)*traffic.Rounds + 12*traffic.Crossings; traffic.Bytes > most {
			t.Errorf("%s: %d bytes are exchanged for %d messages between hosts in %d rounds, want at most %d", c.name,
				traffic.Bytes, traffic.Crossings, traffic.Rounds, most)
		}
	}
}

// TestPartsThatAreNotOfOneRun names the part that does not fit.
func TestPartsThatAreNotOfOneRun(t *testing.T) {
	one, other := parse(t, "P0: Send(1,0)\nP1: Recv(0,0)"), parse(t, "P0: Send(1,0)\nP1: Recv(0,0)\nP2: Barrier")
	for want, parts := range map[string][]*trace.Log{
		"part 2 has calls of rank 0, which an earlier one has, too": {one, one},
		"part 2 is of a run of 3 ranks, part 1 of one of 2":         {one, other},
	} {
		if _, _, err := apart(parts); err == nil || err.Error() != want {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

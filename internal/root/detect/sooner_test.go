package detect

import (
	"testing"

	"unknot/internal/observe/ring"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// TestDeathsAtAboutTheSameTime are those less than 50 ms apart, whichever is first.
func TestDeathsAtAboutTheSameTime(t *testing.T) {
	for _, c := range []struct {
		a, b uint64
		want bool
	}{{0, 0, true}, {0, 50e6 - 1, true}, {50e6 - 1, 0, true}, {0, 50e6, false}, {50e6, 0, false}} {
		d, e := message.Death{Nanos: c.a}, message.Death{Nanos: c.b}
		if got := near(&d, &e); got != c.want {
			t.Errorf("%d and %d ns: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// TestRanksThatOthersThanTheLauncherEnded: all of them, and of one rank only if it is the only one.
func TestRanksThatOthersThanTheLauncherEnded(t *testing.T) {
	outside, secondary, own := message.Death{Manner: message.Manner{Outside: true}},
		message.Death{Manner: message.Manner{Secondary: true}}, message.Death{}
	for _, c := range []struct {
		name    string
		deaths  []message.Death
		watched int
		want    bool
	}{
		{"the only rank", []message.Death{outside}, 1, true},
		{"one of two, the launcher the other", []message.Death{outside, secondary}, 2, false},
		{"two, the launcher the third", []message.Death{outside, outside, secondary}, 3, true},
		{"one died by itself", []message.Death{outside, outside, own}, 3, false},
		{"one is not known to have ended", []message.Death{outside, outside}, 3, false},
	} {
		var ds deaths
		for i := range c.deaths {
			ds.list = append(ds.list, &c.deaths[i])
		}
		if got := ds.fromOutside(c.watched); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestTheSameStandIsOneCallAtOnePlaceInOneState.
func TestTheSameStandIsOneCallAtOnePlaceInOneState(t *testing.T) {
	at := func(call, state string, line int) *message.Described {
		return &message.Described{Place: finding.Place{Call: call, State: state,
			Frame: finding.Frame{File: "a.c", Line: line}}}
	}
	a := at("MPI_Recv", "blocked", 7)
	for want, others := range map[bool][]*message.Described{true: {at("MPI_Recv", "blocked", 7)},
		false: {at("MPI_Send", "blocked", 7), at("MPI_Recv", "running", 7), at("MPI_Recv", "blocked", 8)}} {
		for _, b := range others {
			if sameStand(a, b) != want {
				t.Errorf("%v and %v: want %v", a.Place, b.Place, want)
			}
		}
	}
}

// TestRanksThatTheLauncherEnded are those whose death follows from another.
func TestRanksThatTheLauncherEnded(t *testing.T) {
	r := New(encoded(t, 1).Member(tree.Root), nil, 3, Options{}, nil)
	if r.deaths.byLauncher([]op.Rank{1}) {
		t.Error("a rank that did not die was ended by the launcher")
	}
	r.message(message.Death{Rank: 1, Manner: message.Manner{Secondary: true}})
	r.message(message.Death{Rank: 2, Manner: message.Manner{Kind: ring.DeathExit, Own: true}})
	for rank, want := range []bool{false, true, false} {
		if got := r.deaths.byLauncher([]op.Rank{op.Rank(rank)}); got != want {
			t.Errorf("rank %d was ended by the launcher: %v, want %v", rank, got, want)
		}
	}
}

package finding

import (
	"fmt"
	"slices"
)

// History is what the threads of a run called last, each in its own order, and what is known of the order between them:
// messages and collectives. There are no times in it.
type History struct {
	// Kept is how many calls were kept of each thread, at most.
	Kept int `json:"kept"`
	// Calls are the different calls, each once; all else names them by their places in this list.
	Calls []PastCall `json:"calls"`
	// Threads are in order of rank and thread.
	Threads []Track `json:"threads"`
	// Messages are those of which both the call that sent and the one that received are here: the place of the sender's
	// thread in Threads, that of the call in its Steps, and the same of the receiver. The receiver's call is the one
	// that completed the receive, where that is known.
	Messages [][4]int `json:"messages,omitempty"`
	// Collectives are those of which several members' calls are here.
	Collectives []Collective `json:"collectives,omitempty"`
}

// PastCall is a call with its arguments and where it is; the fields of its place appear inline.
type PastCall struct {
	Call string `json:"call"`
	Args string `json:"args,omitempty"`
	Frame
}

// Track is what one thread called last.
type Track struct {
	Rank   int `json:"rank"`
	Thread int `json:"thread,omitempty"`
	// Earlier is how many calls it had made before the first of Steps, those that only ask included.
	Earlier uint64 `json:"earlier,omitempty"`
	// Steps are its calls, oldest first, as places in History.Calls.
	Steps []int `json:"steps"`
	// Open says that it has not returned from the last one.
	Open bool `json:"open,omitempty"`
	// Repeats are calls that are not in Steps, as they repeat those before.
	Repeats []Repeat `json:"repeats,omitempty"`
}

// Repeat stands for calls that follow a step and repeat what comes before it.
type Repeat struct {
	After int    `json:"after"` // the step, by its place in Track.Steps
	Times uint64 `json:"times"` // how often the same calls were made once more
	Calls uint64 `json:"calls"` // of all these times together
}

// Collective is a collective operation.
type Collective struct {
	// Waits says what a member cannot complete it without: "all", "from root" (the others: the root), "to root" (the
	// root: all), "lower" (members of lower rank), or "none".
	Waits string `json:"waits"`
	// Root is the world rank of the root; absent if it has none.
	Root *int `json:"root,omitempty"`
	// Members are the calls: the place of a thread in History.Threads, and that of the call in its Steps.
	Members [][2]int `json:"members"`
}

// Waitings are the values of Collective.Waits.
func Waitings() []string { return []string{"all", "from root", "to root", "lower", "none"} }

// Topology is a Cartesian topology that the program made.
type Topology struct {
	Name     string `json:"name"` // of its communicator, as calls name it
	Dims     []int  `json:"dims"`
	Periodic []bool `json:"periodic"` // in each dimension
	// Ranks are the world ranks in row-major order: the last coordinate changes first (MPI-4.0, 8.2).
	Ranks []int `json:"ranks"`
}

func (h *History) validate(world int) error {
	if h.Kept < 1 {
		return fmt.Errorf("kept is %d, expected 1 or more", h.Kept)
	}
	for i := range h.Threads {
		if err := h.Threads[i].validate(world, len(h.Calls)); err != nil {
			return fmt.Errorf("threads[%d].%w", i, err)
		}
	}
	for i, m := range h.Messages {
		for _, end := range [][2]int{{m[0], m[1]}, {m[2], m[3]}} {
			if !h.has(end) {
				return fmt.Errorf("messages[%d] is %v, expected threads and steps that are here", i, m)
			}
		}
	}
	for i, c := range h.Collectives {
		if !slices.Contains(Waitings(), c.Waits) {
			return fmt.Errorf("collectives[%d].waits is %q, expected one of %q", i, c.Waits, Waitings())
		}
		for k, m := range c.Members {
			if !h.has(m) {
				return fmt.Errorf("collectives[%d].members[%d] is %v, expected a thread and a step that are here", i, k,
					m)
			}
		}
	}
	return nil
}

// has says whether there is a step of a thread.
func (h *History) has(at [2]int) bool {
	return at[0] >= 0 && at[0] < len(h.Threads) && at[1] >= 0 && at[1] < len(h.Threads[at[0]].Steps)
}

func (t *Track) validate(world, calls int) error {
	switch {
	case t.Rank < 0 || t.Rank >= world:
		return fmt.Errorf("rank is %d, expected 0 to %d", t.Rank, world-1)
	case t.Thread < 0:
		return fmt.Errorf("thread is %d, expected 0 or more", t.Thread)
	}
	for i, s := range t.Steps {
		if s < 0 || s >= calls {
			return fmt.Errorf("steps[%d] is %d, expected 0 to %d", i, s, calls-1)
		}
	}
	for i, r := range t.Repeats {
		if r.After < 0 || r.After >= len(t.Steps) || i > 0 && r.After <= t.Repeats[i-1].After {
			return fmt.Errorf("repeats[%d].after is %d, expected the place of a step, in ascending order", i, r.After)
		}
	}
	return nil
}

// MostDims is the most dimensions of a topology that is kept.
const MostDims = 8

func (t *Topology) validate(world int) error {
	n := 1
	for i, d := range t.Dims {
		if d < 1 || d > world {
			return fmt.Errorf("dims[%d] is %d, expected 1 to %d", i, d, world)
		}
		if n *= d; n > world {
			break
		}
	}
	switch {
	case len(t.Dims) > MostDims:
		return fmt.Errorf("dims has %d entries, expected at most %d", len(t.Dims), MostDims)
	case len(t.Periodic) != len(t.Dims):
		return fmt.Errorf("periodic has %d entries, expected one for each of the %d dimensions",
			len(t.Periodic), len(t.Dims))
	case n != len(t.Ranks):
		return fmt.Errorf("ranks has %d entries, expected as many as dims %v have places", len(t.Ranks), t.Dims)
	}
	for i, r := range t.Ranks {
		if r < 0 || r >= world {
			return fmt.Errorf("ranks[%d] is %d, expected 0 to %d", i, r, world-1)
		}
	}
	return nil
}

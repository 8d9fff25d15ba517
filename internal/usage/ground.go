package usage

import (
	"fmt"

	"unknot/internal/datatype"
	"unknot/internal/finding"
	"unknot/internal/mpi"
)

// Codes about the memory behind buffers.
const (
	bufferOutside finding.Code = "buffer-outside"
	bufferFreed   finding.Code = "buffer-freed"

	// SentModified needs the probes to look at the data of sends.
	SentModified finding.Code = "sent-buffer-modified"
)

// SentBuffers is the name of the check that looks at it.
const SentBuffers = "sent-buffers"

// GroundKind says what memory is.
type GroundKind uint8

// Kinds of memory.
const (
	NoGround    GroundKind = iota
	HeapBlock              // a block of the heap that is alive
	FreedBlock             // one that has been freed, and nothing else is there yet
	LeftStack              // a part of a stack in which no function has its variables any more
	ThreadStack            // the whole stack of a thread
	Variable               // a global or static variable
)

// Ground is memory that a buffer lies in: the bytes from From to the one before To.
type Ground struct {
	Kind     GroundKind
	From, To uint64
	Name     string // of a variable
	Freed    Freed  // of a block
}

// Freed is how memory was given back.
type Freed struct {
	How  string // "freed", "unmapped"
	Site uint64
}

// Beneath is what a buffer of a call lies in, as the process itself has told.
type Beneath struct {
	Param int
	Ground
}

func groundCheckers() []Checker {
	return []Checker{
		{
			Name: "memory", Family: Buffers, Watch: watchGround,
			Peers: []string{"LOCAL:MEMORY:INACCESSIBLE"},
			Codes: []finding.Doc{{
				Code: bufferOutside, Title: "a buffer extends beyond its memory", Severity: finding.Error, Since: finding.Version01,
				Means: "The data of a call begins inside a variable, a heap block or a stack, and extends beyond its end (MPI-4.0, 5.1.12). What the call writes there overwrites other data; what it reads there is not the program's data. Variables are known from the symbols of the program and its libraries, heap blocks with --check-memory.\n\nA receive may get less than its count (MPI-4.0, 3.2.4), as may a file read, so the data actually received is judged. If only the count extends beyond the end, it is a warning: nothing was overwritten in this run, but a longer message would overwrite it.",
				Why:   "A count in bytes instead of elements, a datatype larger than the array's elements, an array that is one element too short, a count meant for another rank.",
				Fix:   "Allocate at least count times the extent of the datatype, starting at the address passed, or pass a smaller count.",
			}, {
				Code: bufferFreed, Title: "a buffer is used after its memory was freed", Severity: finding.Error, Since: finding.Version01,
				Means: "The memory of a buffer was freed, or the function that owned it returned, before the call or before an operation that uses it was completed (MPI-4.0, 3.7.2). The memory may have been reused since. Frees are known with --check-memory.",
				Why:   "A non-blocking call in a function that returns before the wait, free or a destructor before MPI_Wait, a temporary copy that Fortran makes for the call.",
				Fix:   "Complete the operation with MPI_Wait before the memory is freed or the function returns, or use memory that lives longer.",
			}},
		},
		{
			Name: SentBuffers, Family: Buffers, Watch: watchHeld,
			Peers: []string{"LOCAL:MEMORY:ILLEGAL_MODIFICATION"},
			Codes: []finding.Doc{{
				Code: SentModified, Title: "data is changed while it is being sent", Severity: finding.Error, Since: finding.Version01,
				Means: "The data of a non-blocking send changed between its start and its completion. Until MPI_Wait or MPI_Test has completed a send, the program may read its buffer but must not write to it (MPI-4.0, 3.7.2); the receiver may get the old data, the new, or some of each. The same holds for the origin of a put or an accumulate until MPI_Win_flush, MPI_Win_flush_local, MPI_Win_unlock, MPI_Win_fence or MPI_Win_complete has completed it, or a wait for its request (12.3).\n\nOnly samples of large data are compared; `--check-sent-buffers` compares more.",
				Why:   "The buffer is filled for the next message before the last send is complete, or the wait is in the wrong place. A put seems complete when it returns, but has only started.",
				Fix:   "Wait for the send before writing to the buffer, or alternate between two buffers. After a put, first call MPI_Win_flush_local or end the epoch.",
			}},
		},
	}
}

// watchHeld has the memory of pending operations followed.
func watchHeld(h *Hooks) {
	if !h.holds {
		h.holds = true
		watchOverlap(h)
	}
}

// watchGround looks at what buffers lie in.
func watchGround(h *Hooks) {
	watchHeld(h)
	h.Enter(func(f *mpi.Func) func(*Call) {
		uses := usesOf(f)
		if len(uses) == 0 {
			return nil
		}
		short := fills(f)
		return func(c *Call) {
			for i := range uses {
				g := c.ground(uses[i].At)
				if g.Kind == NoGround {
					continue
				}
				if a := &c.Rank.memory.judged; a.read(c, &uses[i]) && c.onGround(a, g, short && a.write) {
					return
				}
			}
		}
	})
	watchFilled(h)
}

// ground is what the buffer lies in that is a parameter of the call.
func (c *Call) ground(param int) Ground {
	for i := range c.Beneath {
		if c.Beneath[i].Param == param {
			return c.Beneath[i].Ground
		}
	}
	if at, ok := c.Int(param); ok && c.Rank.Where != nil {
		return c.Rank.Where(uint64(at))
	}
	return Ground{}
}

// onGround judges the memory that a call uses by what it begins in; true if it has said something. With upTo, the call may
// use less of it than its count says.
func (c *Call) onGround(a *area, g Ground, upTo bool) bool {
	switch g.Kind {
	case FreedBlock, LeftStack:
		for _, b := range a.all() {
			if b.typ.Type.Absolute() || !within(b, g) {
				continue
			}
			c.sayDead(a, g)
			return true
		}
		return false
	}
	for _, b := range a.all() {
		if to, out := b.leaves(g); out {
			if upTo {
				c.reaches(a, b, g, to)
			} else {
				c.sayOutside(a, b, g, to)
			}
			return true
		}
	}
	return false
}

// within says whether the first byte of a block lies on a ground.
func within(b block, g Ground) bool {
	from, _ := b.bounds()
	return from >= int64(g.From) && from < int64(g.To)
}

// maxRuns bounds the runs of bytes that are looked at.
const maxRuns = 256

// leaves looks for a run of bytes that begins on a ground and goes on behind its end, and gives where it ends.
func (b block) leaves(g Ground) (to int64, out bool) {
	from, end := int64(g.From), int64(g.To)
	if _, last := b.bounds(); last <= end {
		return 0, false
	}
	t := b.typ.Type
	if t.Absolute() {
		return 0, false
	}
	// If a first element is all on the ground, those behind it are meant to be there too.
	if first, last := t.Bounds(1); !t.OneArray() && (b.at+first < from || b.at+last > end) {
		return 0, false
	}
	runs, _ := t.Spans(b.count, maxRuns)
	for _, s := range runs {
		if first, last := b.at+s.From, b.at+s.To; first >= from && first < end && last > end {
			return last, true
		}
	}
	return 0, false
}

// String is how a ground is called.
func (g Ground) String() string {
	switch g.Kind {
	case HeapBlock:
		return fmt.Sprintf("a heap block of %s", bytesOf(int64(g.To-g.From)))
	case Variable:
		return fmt.Sprintf("the variable `%s` of %s", g.Name, bytesOf(int64(g.To-g.From)))
	}
	return "the stack of a thread"
}

func bytesOf(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// from says where on a ground the data begins, if that is not its first byte.
func (b block) from(g Ground) string {
	if b.at > int64(g.From) && g.Kind != ThreadStack {
		return fmt.Sprintf(" from byte %d on", b.at-int64(g.From))
	}
	return ""
}

// overwrites is the hint for data that is written outside of its memory.
const overwrites = "data received there overwrites other data; allocate more, or receive less"

func (c *Call) sayOutside(a *area, b block, g Ground, to int64) {
	c.Say(bufferOutside, a.param, func() Words {
		hint := overwrites
		if !a.write {
			hint = "data sent from there is not the program's; allocate more, or send less"
		}
		return Words{
			Sentence: fmt.Sprintf("Rank %d calls %s with {%s} in %s%s; the data extends %s beyond its end.", c.Rank.World, c.Func.Name, c.Func.Params[a.param].Name, g, b.from(g), bytesOf(to-int64(g.To))),
			Notes:    []string{fmt.Sprintf("the data is %s, spanning %s", datatype.Content{Type: b.typ.Type, Count: b.count}, bytesOf(span(b)))},
			Hint:     hint,
		}
	})
}

func span(b block) int64 {
	from, to := b.bounds()
	return to - from
}

// sayDead reports a buffer that was given back before the call.
func (c *Call) sayDead(a *area, g Ground) {
	c.Say(bufferFreed, a.param, func() Words {
		name := c.Func.Params[a.param].Name
		if g.Kind == LeftStack {
			return Words{
				Sentence: fmt.Sprintf("Rank %d calls %s with {%s} in a part of the stack that is no longer in use.", c.Rank.World, c.Func.Name, name),
				Hint:     "a function must not return the address of its own variable: let the caller pass one, or allocate it",
			}
		}
		return Words{
			Sentence: fmt.Sprintf("Rank %d calls %s with {%s} in memory that has been %s.", c.Rank.World, c.Func.Name, name, g.Freed.How),
			Related:  []Related{{Text: "it was " + g.Freed.How, Site: g.Freed.Site}},
			Hint:     "free the memory after the last call that uses it",
		}
	})
}

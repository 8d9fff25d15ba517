package buffers

import (
	"unknot/internal/check"
	"unknot/internal/check/typed"
	"unknot/internal/check/used"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Codes about the memory behind buffers.
const (
	bufferOutside finding.Code = "buffer-outside"

	// BufferFreed needs the probes to look at what is freed.
	BufferFreed finding.Code = "buffer-freed"
	// SentModified needs the probes to look at the data of sends.
	SentModified finding.Code = "sent-buffer-modified"
	// BufferAccessed needs them to look at the program's own accesses.
	BufferAccessed finding.Code = "pending-buffer-accessed"
)

// SentBuffers is the name of the check that looks at it.
const SentBuffers = "sent-buffers"

func groundCheckers() []check.Checker {
	return []check.Checker{
		{
			Name: "memory", Family: check.Buffers, Watch: watchGround,
			Peers: []string{"LOCAL:MEMORY:INACCESSIBLE"},
			Codes: []finding.Doc{{
				Code: bufferOutside, Title: "a buffer extends beyond its memory", Severity: finding.Error,
				Since: finding.Version01,
				Means: "The data of a call begins inside a variable, a heap block or a stack, and extends beyond its " +
					"end (MPI-4.0, 5.1.12). What the call writes there overwrites other data; what it reads there is " +
					"not the program's data. Variables are known from the symbols of the program and its libraries, " +
					"arrays of Python (NumPy's, array.array, bytearray, mmap) from the interpreter, heap blocks with " +
					"--check-memory.\n\nA receive may get less than its count (MPI-4.0, 3.2.4), as may a file read, " +
					"so the data actually received is judged. If only the count extends beyond the end, it is a " +
					"warning: nothing was overwritten in this run, but a longer message would overwrite it.",
				Why: "A count in bytes instead of elements, a datatype larger than the array's elements, an array " +
					"that is one element too short, a count meant for another rank.",
				Fix: "Allocate at least count times the extent of the datatype, starting at the address passed, or " +
					"pass a smaller count.",
			}, {
				Code: BufferFreed, Title: "a buffer is used after its memory was freed", Severity: finding.Error,
				Since: finding.Version01,
				Means: "The memory of a buffer was freed, or the function that owned it returned, before the call or " +
					"before an operation that uses it was completed (MPI-4.0, 3.7.2). The memory may have been " +
					"reused since. What is freed while an operation uses it is always seen; what was freed before " +
					"the call with --check-memory.",
				Why: "A non-blocking call in a function that returns before the wait; free, a destructor, or a " +
					"container that grows, before MPI_Wait; a section that is not contiguous, of which a Fortran " +
					"compiler passes a copy for the call alone.",
				Fix: "Complete the operation with MPI_Wait before the memory is freed or the function returns, or " +
					"use memory that lives longer.",
			}},
		},
		{
			Name: SentBuffers, Family: check.Buffers, Watch: watchHeld,
			Peers: []string{"LOCAL:MEMORY:ILLEGAL_MODIFICATION"},
			Codes: []finding.Doc{{
				Code: SentModified, Title: "data is changed while it is being sent", Severity: finding.Error,
				Since: finding.Version01,
				Means: "The data of a non-blocking send changed between its start and its completion. Until MPI_Wait " +
					"or MPI_Test has completed a send, the program may read its buffer but must not write to it " +
					"(MPI-4.0, 3.7.2); the receiver may get the old data, the new, or some of each. The same holds " +
					"for the origin of a put or an accumulate until MPI_Win_flush, MPI_Win_flush_local, " +
					"MPI_Win_unlock, MPI_Win_fence or MPI_Win_complete has completed it, or a wait for its request " +
					"(12.3). A partition of a partitioned send is MPI's from MPI_Pready on (4.2). In programs compiled " +
					"with `unknot mpicc`, another thread's stores to the data of a blocking call are seen too.\n\nOnly samples of " +
					"large data are compared; `--check-sent-buffers` compares more.",
				Why: "The buffer is filled for the next message before the last send is complete, or the wait is " +
					"in the wrong place. A put seems complete when it returns, but has only started.",
				Fix: "Wait for the send before writing to the buffer, or alternate between two buffers. After a " +
					"put, first call MPI_Win_flush_local or end the epoch.",
			}},
		},
		{
			Name: "accesses", Family: check.Buffers, Watch: watchHeld,
			Peers: []string{"LOCAL:MEMORY:ILLEGAL_ACCESS"},
			Codes: []finding.Doc{{
				Code: BufferAccessed, Title: "the buffer of a pending receive is read or written",
				Severity: finding.Error, Since: finding.Version01,
				Means: "The program loads from, or stores to, memory into which a pending operation writes. Between " +
					"the start of a receive, of a non-blocking collective or of a read from a file and its " +
					"completion, the program must not access the buffer at all (MPI-4.0, 3.7.2); the same holds for " +
					"the memory into which MPI_Get and the like write, until the operation is completed at the " +
					"origin (12.3), and for each partition of a partitioned receive until MPI_Parrived has found it " +
					"(4.2). A blocking call has its buffers for itself until it returns: another thread must not access " +
					"them (11.6.1). What is read may be old, new, or some of each; what is written may be " +
					"overwritten.\n\nThese accesses are seen in programs that were compiled with `unknot mpicc`, " +
					"`mpicxx` or `mpifort`. A store to the buffer of a pending send is sent-buffer-modified.",
				Why: "The wait is missing or comes too late, a loop computes on the halo while that is still being " +
					"received, a receive is started for the next step before the last one's data has been used.",
				Fix: "Complete the operation before the buffer is used, or compute first on what does not " +
					"depend on it.",
			}},
		},
	}
}

// watchGround looks at what buffers lie in.
func watchGround(h *check.Hooks) {
	x := follow(h)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		uses := used.Of(f)
		if len(uses) == 0 {
			return nil
		}
		short := fills(f)
		return func(c *check.Call) {
			for i := range uses {
				blocks := uses[i].Counts && uses[i].Displs >= 0
				if blocks && overflown(c, &uses[i]) {
					return
				}
				g := c.Ground(uses[i].At)
				if g.Kind == check.NoGround {
					if blocks && farBefore(c, &x.judged, &uses[i]) {
						return
					}
					continue
				}
				a := &x.judged
				if !a.Read(c, &uses[i]) {
					continue
				}
				if x.onGround(c, a, &uses[i], g, short && a.Write) || blocks && displaced(c, &uses[i], a, g) {
					return
				}
			}
		}
	})
	watchFilled(h)
	watchIndexed(h)
	watchPacked(h)
}

// onGround judges the memory that a call uses by what it begins in; true if it has said something. With upTo, the call
// may use less of it than its count says.
func (x *operations) onGround(c *check.Call, a *used.Area, u *mpi.Buffer, g check.Ground, upTo bool) bool {
	switch g.Kind {
	case check.FreedBlock, check.LeftStack:
		for _, b := range a.All() {
			if b.Type.Type.Absolute() || !within(b, g) {
				continue
			}
			sayDead(c, a, g)
			return true
		}
		return false
	}
	for _, b := range a.All() {
		if to, out := leaves(b, g); out {
			if upTo {
				x.reaches(c, a, u, b, g, to)
			} else {
				sayOutside(c, a, u, b, g, to)
			}
			return true
		}
	}
	return false
}

// within says whether the first byte of a block lies on a ground.
func within(b used.Block, g check.Ground) bool {
	from, _ := b.Bounds()
	return from >= int64(g.From) && from < int64(g.To)
}

// maxRuns bounds the runs of bytes that are looked at.
const maxRuns = 256

// leaves looks for a run of bytes that begins on a ground and extends beyond its end, and gives where it ends.
func leaves(b used.Block, g check.Ground) (to int64, out bool) {
	from, end := int64(g.From), int64(g.To)
	if _, last := b.Bounds(); last <= end {
		return 0, false
	}
	t := b.Type.Type
	if t.Absolute() {
		return 0, false
	}
	// If a first element is all on the ground, those behind it are meant to be there too.
	if first, last := t.Bounds(1); !t.OneArray() && (b.At+first < from || b.At+last > end) {
		return 0, false
	}
	runs, _ := t.Spans(b.Count, maxRuns)
	for _, s := range runs {
		if first, last := b.At+s.From, b.At+s.To; first >= from && first < end && last > end {
			return last, true
		}
	}
	// Gaps of the type may lie across the end.
	_, last := b.Bounds()
	return last, !t.OneArray()
}

// fromByte says where on a ground the data begins, if that is not its first byte.
func fromByte(b used.Block, g check.Ground) finding.Wording {
	if b.At > int64(g.From) && g.Kind != check.ThreadStack {
		return finding.Wordf(" from byte %d on", b.At-int64(g.From))
	}
	return finding.Wording{}
}

// overwrites is the hint for data that is written outside of its memory.
const overwrites = "other memory is overwritten: allocate more, or receive less"

func sayOutside(c *check.Call, a *used.Area, u *mpi.Buffer, b used.Block, g check.Ground, to int64) {
	c.Say(bufferOutside, a.Param, func() check.Words {
		hint := overwrites
		if !a.Write {
			hint = "other memory is sent with it: allocate more, or send less"
		}
		if m := typed.Of(c, &typed.Buffer{Use: u, Type: b.Type, Count: b.Count, Certain: true, Ground: g}); m != nil {
			hint = m.Sentence().Text + ": " + m.Hint()
		}
		return check.Words{
			Sentence: finding.Wordf("Rank %d calls %s with {%s} in %s%s; the data extends %s beyond its end.",
				c.Rank.World, c.Func.Name, c.Func.Params[a.Param].Name, g, fromByte(b, g), check.Bytes(to-int64(g.To))),
			Notes: []finding.Note{finding.Remarkf("the data is %s, spanning %s", datatype.Content{Type: b.Type.Type,
				Count: b.Count}, check.Bytes(used.Span(b)))},
			Hint: hint,
		}
	})
}

// sayDead reports a buffer that was given back before the call.
func sayDead(c *check.Call, a *used.Area, g check.Ground) {
	c.Say(BufferFreed, a.Param, func() check.Words {
		name := c.Func.Params[a.Param].Name
		if g.Kind == check.LeftStack {
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s with {%s} in a part of the stack that is no longer in use.",
					c.Rank.World, c.Func.Name, name),
				Hint: "a function must not return the address of its own variable: let the caller pass one, or " +
					"allocate it",
			}
		}
		return check.Words{
			Sentence: finding.Wordf("Rank %d calls %s with {%s} in memory that has been %s.", c.Rank.World, c.Func.Name,
				name, g.Freed.How),
			Related: []check.Related{{Text: "it was " + g.Freed.How, Site: g.Freed.Site}},
			Hint:    "free the memory after the last call that uses it",
		}
	})
}

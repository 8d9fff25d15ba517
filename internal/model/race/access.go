package race

// Thread is one of those that make accesses, from 0.
type Thread int32

// Owner is whose memory it is: addresses of different owners have nothing to do with each other.
type Owner int32

// Site is the place in the program where an access is made; what it stands for is the caller's.
type Site uint32

// Kind says what an access does to memory.
type Kind uint8

// The kinds of accesses. Accumulates, and atomic operations, of the same operation do not conflict with each other; an
// AtomicRead does not modify.
const (
	Read Kind = iota
	Write
	Accumulate
	Atomic
	AtomicRead
)

// Access is one access, or several of one site that are alike.
type Access struct {
	Owner  Owner
	Start  uint64 // the first byte
	Size   uint64 // bytes of an element
	Stride uint64 // from one element to the next, if there are several
	Count  uint64 // elements; 0 stands for 1
	Kind   Kind
	Op     uint32 // of accumulates and atomic operations: which
	Strict bool   // strict accesses do not race with each other
	Site   Site
}

// pieces are how many pieces of memory it touches, each Stride after the last, and of how many bytes each is.
func (a *Access) pieces() (n, size uint64) {
	n = max(a.Count, 1)
	if a.Stride == a.Size {
		return 1, a.Size * n
	}
	return n, a.Size
}

// modifies says whether it changes memory.
func (k Kind) modifies() bool { return k != Read && k != AtomicRead }

// family is of which kinds those are that may not conflict with it.
func (k Kind) family() Kind {
	if k == AtomicRead {
		return Atomic
	}
	return k
}

// conflict says whether two accesses to the same bytes must be ordered.
func conflict(a, b *entry) bool {
	switch {
	case !a.kind.modifies() && !b.kind.modifies(), a.strict && b.strict:
		return false
	case a.kind >= Accumulate && a.kind.family() == b.kind.family():
		return a.op != b.op
	}
	return true
}

// covers says whether whatever conflicts with b conflicts with a too.
func covers(a, b *entry) bool {
	if a.strict && !b.strict {
		return false
	}
	return a.kind == Write || a.kind == b.kind && a.op == b.op || b.kind == Read && a.kind.modifies() &&
		a.kind != Accumulate && a.kind != Atomic
}

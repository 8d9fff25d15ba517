package mpi

import (
	"fmt"
	"slices"
	"strings"
)

// Access is what a call does to a buffer.
type Access uint8

// Accesses.
const (
	Reads   Access = iota
	Writes         // its contents are new
	Updates        // they are combined with what was there
)

func (a Access) String() string { return [...]string{"reads", "writes", "updates"}[a] }

// Where says at which ranks something holds (MPI-4.0, 6.2.3).
type Where uint8

// Places.
const (
	Nowhere Where = iota
	Everywhere
	AtRoot
	AtOthers // at all but the root
	AtLeaves // of an intercommunicator in the group without the root; everywhere in an intracommunicator
	AtLater  // at all but the first rank
	AtEdges  // where there is a neighbour
)

// Buffer is memory that a call uses. Of the places of parameters, -1 stands for none.
type Buffer struct {
	At      int // the parameter with its address; at the target of an RMA call, that with the displacement
	Access  Access
	Count   int // -1 for one element, or if another call has given it
	Counts  bool
	Type    int  // -1 for bytes, or if another call has given it
	Types   bool // Type is an array
	Displs  int  // an array, of elements; of bytes if Types
	Each    Extent
	Sum     bool // of Counts: the elements of all, one after another
	Own     bool // of Counts: those of the own entry
	Used    Where
	InPlace Where // MPI_IN_PLACE may stand for it there, unless in an intercommunicator
	Peer    int   // the buffer is not used if it is MPI_PROC_NULL
}

// Has says whether parameter i says something about the buffer.
func (b *Buffer) Has(i int) bool {
	return i >= 0 && (i == b.At || i == b.Count || i == b.Type || i == b.Displs)
}

// Buffers are the buffers of the process that the call uses, those that it reads first. A parameter that stands for
// two, one that is read and one that is written, is in it twice.
func (f *Func) Buffers() []Buffer { return f.buffers }

// Target is the memory that an RMA call uses in the window of its target; false for other calls.
func (f *Func) Target() (Buffer, bool) {
	if f.target == nil {
		return Buffer{}, false
	}
	return *f.target, true
}

// wheres gives the places that a row may name.
func wheres() map[string]Where {
	return map[string]Where{"root": AtRoot, "others": AtOthers, "leaves": AtLeaves, "later": AtLater, "edges": AtEdges}
}

// accesses gives what a row may say that a call does to a buffer.
func accesses() map[string]Access {
	return map[string]Access{"reads": Reads, "writes": Writes, "updates": Updates}
}

// extents gives how many blocks a row may say that there are.
func extents() map[string]Extent {
	return map[string]Extent{"members": ByMembers, "in": ByIn, "out": ByOut}
}

// loadBuffers gives the functions their buffers.
func (t *T) loadBuffers() error {
	rows, err := lines("buffers.tsv", 7)
	if err != nil {
		return err
	}
	for _, row := range rows {
		for name := range strings.SplitSeq(row[0], ",") {
			found := false
			for i := range t.Funcs() {
				f := &t.Funcs()[i]
				if f.Base != name {
					continue
				}
				found = true
				if err := f.buffer(row[1:]); err != nil {
					return fmt.Errorf("buffers.tsv: %s: %s: %w", f.Name, row[1], err)
				}
			}
			if !found {
				return fmt.Errorf("buffers.tsv: no function has the base %s", name)
			}
		}
	}
	return nil
}

// buffer adds the one of a row.
func (f *Func) buffer(row []string) error {
	place := func(name string) (int, error) {
		if name == "-" || name == "1" {
			return -1, nil
		}
		i := f.Named(name)
		if i < 0 {
			return -1, fmt.Errorf("no parameter is called %s", name)
		}
		return i, nil
	}
	b := Buffer{Used: Everywhere, Peer: -1}
	var known bool
	if b.Access, known = accesses()[row[1]]; !known {
		return fmt.Errorf("unknown access %q", row[1])
	}
	for k, at := range map[int]*int{0: &b.At, 2: &b.Count, 3: &b.Type, 4: &b.Displs} {
		var err error
		if *at, err = place(row[k]); err != nil {
			return err
		}
	}
	b.Counts = b.Count >= 0 && f.Params[b.Count].Kind.Varying()
	b.Types = b.Type >= 0 && f.Params[b.Type].Kind.Varying()
	target := false
	for word := range strings.FieldsSeq(row[5]) {
		word, of, _ := strings.Cut(word, ":")
		known := true
		switch word {
		case "-":
		case "each":
			b.Each, known = extents()[of]
		case "sum":
			b.Sum = true
		case "own":
			b.Own = true
		case "at":
			b.Used, known = wheres()[of]
		case "place":
			b.InPlace = Everywhere
			if of != "" {
				b.InPlace, known = wheres()[of]
			}
		case "peer":
			b.Peer = f.Named(of)
			known = b.Peer >= 0
		case "target":
			target = true
		default:
			known = false
		}
		if !known {
			return fmt.Errorf("unknown attribute %q", row[5])
		}
	}
	if target {
		f.target = &b
		return nil
	}
	f.buffers = append(f.buffers, b)
	return nil
}

// Named is the place of the first parameter with one of the names; -1 if there is none.
func (f *Func) Named(names ...string) int {
	return slices.IndexFunc(f.Params, func(p Param) bool { return slices.Contains(names, p.Name) })
}

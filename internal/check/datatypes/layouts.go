// Package datatypes looks at datatypes together with the memory that they describe.
package datatypes

import (
	"runtime"

	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Codes about datatypes and the memory that they describe.
const (
	typeMisaligned  finding.Code = "type-misaligned"
	typeBottom      finding.Code = "type-bottom"
	typeSelfOverlap finding.Code = "type-self-overlap"
)

// Checkers are those of this directory.
func Checkers() []check.Checker {
	return []check.Checker{
		variableChecker(),
		{
			Name: "layouts", Family: check.Datatypes, Watch: watchLayouts,
			Peers: []string{"WARNING_DATATYPE_BAD_ALIGNMENT", "ERROR_SELFOVERLAPPED", "WARNING_SELFOVERLAPPED"},
			Codes: []finding.Doc{{
				Code: typeMisaligned, Title: "elements of a derived datatype are not aligned",
				Severity: finding.Warning, Since: finding.Version01,
				Means: "With this buffer address, a basic element of the datatype is not at a multiple of its type's " +
					"alignment. Some processors and MPI libraries access such elements slowly, or not at all.",
				Why: "Displacements computed by hand that ignore the padding of a structure, a packed structure, " +
					"or a buffer that begins somewhere within a byte array.",
				Fix: "Use `offsetof` or MPI_Get_address for displacements, and set the extent to `sizeof` with " +
					"MPI_Type_create_resized. Send packed data as MPI_BYTE or with MPI_Pack.",
			}, {
				Code: typeBottom, Title: "absolute and relative displacements of a datatype are mixed up",
				Severity: finding.Error, Since: finding.Version01,
				Means: "A datatype with absolute addresses needs MPI_BOTTOM as the buffer; one with relative " +
					"displacements needs the buffer's address (MPI-4.0, 5.1.5 and 5.1.12). Here it is the other way " +
					"round, so MPI would access invalid memory.",
				Why: "Displacements from MPI_Get_address were not made relative to the first of them, or the " +
					"buffer was forgotten.",
				Fix: "Subtract the address of the buffer from all displacements (MPI_Aint_diff), or pass MPI_BOTTOM.",
			}, {
				Code: typeSelfOverlap, Title: "a receive would write the same memory twice", Severity: finding.Error,
				Since: finding.Version01,
				Means: "Elements of the datatype used for receiving overlap in memory, so the result depends on the " +
					"order in which MPI writes them. That is not allowed (MPI-4.0, 3.2.4, 5.1.11); sending with " +
					"such a type is.",
				Why: "A stride or an extent that is smaller than a block, displacements in the wrong unit, or a " +
					"type intended for sending.",
				Fix: "Correct the strides, or give the type the right extent with MPI_Type_create_resized. Receive " +
					"data to be combined into separate memory.",
			}},
		},
	}
}

// watchLayouts looks at derived datatypes together with the addresses that they are used at.
func watchLayouts(h *check.Hooks) {
	var scratch used.Area
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		uses := used.Of(f)
		if len(uses) == 0 {
			return nil
		}
		return func(c *check.Call) {
			if c.Rank.TypeChanges > 0 { // there are datatypes that are not predefined
				layouts(c, uses, &scratch)
			}
		}
	})
}

// layouts looks at the buffers of a call; a is room for what they use.
func layouts(c *check.Call, uses []mpi.Buffer, a *used.Area) {
	for i := range uses {
		u := &uses[i]
		if !u.Types {
			t, _ := c.Int(u.Type)
			if o := c.Rank.TypeOf(uint64(t)); o == nil || o.Predefined {
				continue
			}
		}
		if !a.Read(c, u) {
			continue
		}
		said := false
		for _, b := range a.All() {
			if !b.Type.Predefined && !said {
				said = layout(c, u, b)
			}
		}
	}
}

// layout looks at a block of a buffer. It returns true if it has said something.
func layout(c *check.Call, u *mpi.Buffer, b used.Block) bool {
	o := b.Type
	from, to := b.Bounds()
	buf, _ := c.Int(u.At)
	if !addressed(c, u, o, uint64(buf), from, to) {
		return true
	}
	if u.Access != mpi.Reads && twice(o, b.Count) {
		c.Say(typeSelfOverlap, u.Type, func() check.Words {
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s with {%s} a derived type whose elements overlap, so that "+
					"bytes of {%s} are written twice.", c.Rank.World, c.Func.Name, c.Func.Params[u.Type].Name,
					c.Func.Params[u.At].Name),
				Related: check.Created(o),
				Hint:    "let strides, displacements and the extent leave each element its own bytes (MPI-4.0, 5.1.11)",
			}
		})
		return true
	}
	if a := c.InArray(u.At); a != nil && a.Items != nil && len(a.Items.Elements) > 1 &&
		a.Items.Size == o.Type.Extent() {
		return false // NumPy packs the fields of an item, and knows that they are not aligned
	}
	if o.Layout.Alignment == nil {
		o.Layout.Alignment = datatype.NewAlignment(o.Type)
	}
	n, align, wrong := o.Layout.Alignment.Misaligned(b.Count, b.At)
	if wrong {
		c.Say(typeMisaligned, u.Type, func() check.Words {
			basic, offset, path := o.Type.At(b.Count, n)
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s with {%s} a derived type in which %s (%s) is at an address "+
					"that is not a multiple of %d, %d bytes after {%s}.",
					c.Rank.World, c.Func.Name, c.Func.Params[u.Type].Name, path, basic, align, offset+b.At-buf,
					c.Func.Params[u.At].Name),
				Related: check.Created(o),
				Hint: "take the displacements of a struct's members from offsetof or MPI_Get_address, and " +
					"align the buffer",
			}
		})
	}
	return wrong
}

// twice says whether a receive of count of a datatype certainly writes a byte twice.
func twice(o *objects.Object, count int64) bool {
	t := o.Type
	kept := &o.Layout.Overlap[1]
	if t.TrueUB()-t.TrueLB() <= max(t.Extent(), -t.Extent()) {
		kept, count = &o.Layout.Overlap[0], 1 // one does not reach into the next
	}
	if kept.Count != count {
		yes, sure := t.SelfOverlap(count)
		kept.Count, kept.Twice = count, yes && sure
	}
	return kept.Twice
}

// addressed says whether the bytes that a buffer has can exist, as far as it is certain: the first page never does, nor
// do addresses that only the kernel has.
func addressed(c *check.Call, u *mpi.Buffer, o *objects.Object, buf uint64, from, to int64) bool {
	const page = 4096
	bottom := buf == c.Rank.Limits.Bottom
	name := c.Func.Params[u.Type].Name
	switch {
	case bottom && from < page:
		c.Say(typeBottom, u.Type, func() check.Words {
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s with {%s} MPI_BOTTOM and {%s} a derived type with relative "+
					"displacements: its data would begin at address %d.", c.Rank.World, c.Func.Name,
					c.Func.Params[u.At].Name, name, from),
				Hint:    "pass the buffer address that the displacements are relative to",
				Related: check.Created(o),
			}
		})
		return false
	case !bottom && o.Type.Absolute() && (to < 0 || to > highest()):
		c.Say(typeBottom, u.Type, func() check.Words {
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s with {%s} that is not MPI_BOTTOM and {%s} a derived type "+
					"whose displacements are addresses: the two are added.", c.Rank.World, c.Func.Name,
					c.Func.Params[u.At].Name, name),
				Hint: "pass MPI_BOTTOM as " + c.Func.Params[u.At].Name +
					", or make the displacements relative to it",
				Related: check.Created(o),
			}
		})
		return false
	}
	return true
}

// highest is the address behind all that a program of this machine can have: 47 bits on x86-64, unless it asks for more
// by name; 48 on others.
func highest() int64 {
	if runtime.GOARCH == "amd64" {
		return 1 << 47
	}
	return 1 << 48
}

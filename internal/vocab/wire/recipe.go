package wire

import "unknot/internal/vocab/datatype"

// recipe writes what a datatype is made from: its form, then what a predefined type has, copies, or a list of blocks.
func (w *Writer) recipe(r *datatype.Recipe) {
	var shape uint64
	switch {
	case r.Basic != datatype.None:
		shape = predefined
	case r.Blocks:
		shape = blocks
	case r.Empty:
		shape = empty
	default:
		shape = copies
	}
	w.Uint(uint64(r.Form))
	w.Uint(shape)
	switch shape {
	case predefined:
		w.Uint(uint64(r.Rules))
		w.Uint(uint64(r.Basic))
		w.Int(r.Size)
		w.Int(r.Extent)
		w.Int(r.Align)
	case blocks:
		w.Type(r.Old)
		w.Ints(r.At)
		w.Ints(r.Lengths)
		w.Int(r.Each)
		w.Uint(uint64(len(r.Types)))
		for _, t := range r.Types {
			w.Type(t)
		}
	default:
		w.Type(r.Old)
		w.Int(r.Start)
		w.Uint(uint64(len(r.Axes)))
		for _, a := range r.Axes {
			for _, v := range [...]int64{a.N, a.Block, a.Step, a.Jump, a.Index, a.Cycle} {
				w.Int(v)
			}
		}
	}
	w.Int(r.LB)
	w.Int(r.UB)
	w.Bool(r.Marked)
	w.Int(r.Displaced)
}

const (
	predefined uint64 = iota
	blocks
	copies
	empty
)

func (r *Reader) recipe() (x datatype.Recipe) {
	x.Form = uint8(r.UpTo(255))
	switch shape := r.UpTo(empty); shape {
	case predefined:
		x.Rules, x.Basic = datatype.Rules(r.UpTo(uint64(datatype.MPICH))), datatype.Basic(r.UpTo(1<<16-1))
		x.Size, x.Extent, x.Align = r.Int(), r.Int(), r.Int()
	case blocks:
		x.Blocks = true
		x.Old = r.Type()
		x.At, x.Lengths, x.Each = r.Ints(), r.Ints(), r.Int()
		if n := r.Count(1); n > 0 {
			x.Types = make([]*datatype.Type, n)
			for i := range x.Types {
				x.Types[i] = r.Type()
			}
		}
	default:
		x.Empty = shape == empty
		x.Old, x.Start = r.Type(), r.Int()
		for range r.Count(6) {
			x.Axes = append(x.Axes, datatype.Axis{N: r.Int(), Block: r.Int(), Step: r.Int(), Jump: r.Int(),
				Index: r.Int(), Cycle: r.Int()})
		}
	}
	x.LB, x.UB, x.Marked, x.Displaced = r.Int(), r.Int(), r.Bool(), r.Int()
	return x
}

// Ints writes a list of numbers, of which nil is another one than one without numbers.
func (w *Writer) Ints(list []int64) {
	if list == nil {
		w.Uint(0)
		return
	}
	w.Uint(uint64(len(list)) + 1)
	for _, v := range list {
		w.Int(v)
	}
}

// Ints reads a list of numbers.
func (r *Reader) Ints() []int64 {
	n, is := r.Length(1)
	if !is {
		return nil
	}
	list := make([]int64, n)
	for i := range list {
		list[i] = r.Int()
	}
	return list
}

// Length reads how many things a list has, each of which takes some bytes at least; false if there is no list.
func (r *Reader) Length(least int) (n int, is bool) {
	v := r.Uint()
	if v == 0 {
		return 0, false
	}
	if v-1 > uint64(len(r.buf)/max(least, 1)) {
		r.Fail(errShort)
		return 0, false
	}
	return int(v - 1), true
}

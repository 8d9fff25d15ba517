package decode

import "unknot/internal/vocab/op"

// words reads the words of a record one after the other.
type words []uint64

func (w *words) next() uint64 {
	if len(*w) == 0 {
		return 0
	}
	v := (*w)[0]
	*w = (*w)[1:]
	return v
}

func (w *words) number() int64 { return int64(w.next()) }

// text reads a string: its length in bytes, then the bytes in whole words.
func (w *words) text() string {
	n := int(min(w.next(), uint64(len(*w)*8)))
	b := make([]byte, 0, n+7)
	for len(b) < n {
		v := w.next()
		for i := range 8 {
			b = append(b, byte(v>>(8*i)))
		}
	}
	return string(b[:n])
}

// ranks reads a list of world ranks; a negative one is a process of another world.
func (w *words) ranks() op.Ranks {
	n := int(min(w.next(), uint64(len(*w))))
	list := make([]op.Rank, n)
	for i := range list {
		if list[i] = op.Rank(int32(w.next())); list[i] < 0 {
			list[i] = op.Unknown
		}
	}
	return op.RanksOf(list...)
}

// Text is the string that the words of a record or of a parameter hold.
func Text(v []uint64) string {
	w := words(v)
	return w.text()
}

// Number is the first word; 0 if there is none.
func Number(v []uint64) uint64 {
	w := words(v)
	return w.next()
}

// list reads numbers that are C's int: how many, then each.
func (w *words) list() []int64 {
	list := make([]int64, min(w.next(), uint64(len(*w))))
	for i := range list {
		list[i] = int64(int32(w.next()))
	}
	return list
}

// span reads a piece of memory.
func (w *words) span() Range { return Range{w.next(), w.next()} }

// site reads a function and where it was called.
func (w *words) site() Site { return Site{uint16(w.next()), w.next()} }

// counted reads words that stay those of the record: how many, then each.
func (w *words) counted() []uint64 {
	n := min(w.next(), uint64(len(*w)))
	list := (*w)[:n]
	*w = (*w)[n:]
	return list
}

// rest is all that is left, which stays the record's; nil if there is nothing.
func (w *words) rest() []uint64 {
	if len(*w) == 0 {
		return nil
	}
	return *w
}

// addresses reads return addresses of a stack: how many, then each.
func (w *words) addresses() (list []uint64) {
	for n := min(w.next(), mostFrames); n > 0; n-- {
		list = append(list, w.next())
	}
	return list
}

// frames reads frames of Python: how many, then each.
func (w *words) frames() (list []Frame) {
	for n := min(w.next(), mostFrames); n > 0; n-- {
		list = append(list, Frame{int(w.next()), w.text(), w.text()})
	}
	return list
}

// lines reads frames of Python without functions: how many, then each.
func (w *words) lines() (list []Frame) {
	for n := min(w.next(), mostFrames); n > 0; n-- {
		list = append(list, Frame{Line: int(w.next()), File: w.text()})
	}
	return list
}

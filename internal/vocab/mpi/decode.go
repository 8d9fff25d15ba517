package mpi

import "fmt"

// maxElements bounds the length of an array in a record, as the wrappers do.
const maxElements = 1 << 24

// AtEntry says that parameters of this kind are written before the call.
func (k Kind) AtEntry() bool { return k > KSkip && k < KOutHandle }

// AtExit says that parameters of this kind are written after the call.
func (k Kind) AtExit() bool { return k >= KOutHandle }

// fixed is the number of words of a kind, 0 if it varies.
func (k Kind) fixed() int {
	switch k {
	case KReqs, KHandles, KInts, KWeights, KRanges, KGroup, KStr, KOutHandles, KOutInts, KOutStatuses:
		return 0
	case KOutType:
		return 2
	case KOutStatus:
		return 3
	}
	return 1
}

// Words in a record's place of a role.
const (
	absent   = -1 // the record has no such role
	floating = -2 // its place depends on the lengths of arrays before it
)

// place computes where each role's value stands.
func (f *Func) place() error {
	for r := range NumRoles {
		f.EnterAt[r], f.ExitAt[r] = absent, absent
	}
	enter, exit := 0, 0
	f.order = f.recorded()
	for _, p := range f.order {
		at, place := &enter, &f.EnterAt
		if p.Kind.AtExit() {
			at, place = &exit, &f.ExitAt
			f.HasExit = true
		}
		if p.Role != RNone {
			if f.EnterAt[p.Role] != absent || f.ExitAt[p.Role] != absent {
				return fmt.Errorf("two parameters have the role of %s", p.Name)
			}
			place[p.Role] = int8(*at)
		}
		if n := p.Kind.fixed(); n == 0 {
			*at = floating
		} else if *at != floating {
			*at += n
		}
	}
	return nil
}

// EnterPlace is the word of an Enter record at which the value of parameter i stands; -1 if the record has none, or not
// at a fixed place.
func (f *Func) EnterPlace(i int) int {
	at := 0
	for _, p := range f.order {
		switch {
		case !p.Kind.AtEntry():
		case p.Kind.Varying():
			return -1 // such come after all others
		case p == &f.Params[i]:
			return at
		default:
			at++
		}
	}
	return -1
}

// recorded are the parameters that records hold, in the order in which they do: those with a fixed number of words
// first.
func (f *Func) recorded() []*Param {
	list := make([]*Param, 0, len(f.Params))
	for _, varying := range []bool{false, true} {
		for i := range f.Params {
			if p := &f.Params[i]; p.Kind != KSkip && (p.Kind.fixed() == 0) == varying {
				list = append(list, p)
			}
		}
	}
	return list
}

// Varying says that the number of words of a kind varies: in a record, such come after all others.
func (k Kind) Varying() bool { return k.fixed() == 0 }

// EnterWord is the first word of a role in an Enter record: the value of a number or handle, the length of an array. It
// is false if the record has none, is cut off before it, or has it after an array.
func (f *Func) EnterWord(r Role, words []uint64) (int64, bool) {
	if at := int(f.EnterAt[r]); uint(at) < uint(len(words)) {
		return int64(words[at]), true
	}
	return 0, false
}

// ExitWord is EnterWord for an Exit record. A status gives its source; tag and size are the next words.
func (f *Func) ExitWord(r Role, words []uint64) (int64, bool) {
	if at := int(f.ExitAt[r]); uint(at) < uint(len(words)) {
		return int64(words[at]), true
	}
	return 0, false
}

// Values are the words of the parameter with a name of the standard in an Enter (or, with enter false, Exit) record, as
// Walk shows them; nil if the record does not hold it.
func (f *Func) Values(name string, words []uint64, enter bool) []uint64 {
	var out []uint64
	_ = f.Walk(words, enter, func(p *Param, v []uint64) {
		if p.Name == name {
			out = v
		}
	})
	return out
}

// Walk calls visit for each parameter that an Enter (or, with enter false, Exit) record holds, in its order, with its
// words: of an array its elements without the length, of a group its handle, the number of members and their world
// ranks, of a string what Text takes. A record that is cut off is an error, after the parameters that are whole.
func (f *Func) Walk(words []uint64, enter bool, visit func(p *Param, v []uint64)) error {
	for _, p := range f.order {
		if p.Kind.AtEntry() != enter {
			continue
		}
		skip, n := 0, p.Kind.fixed()
		if n == 0 {
			at := 0
			if p.Kind == KGroup {
				at = 1
			}
			if at >= len(words) {
				return f.cut(p, at+1, len(words))
			}
			length := words[at]
			if length > maxElements {
				return fmt.Errorf("%s: %s has %d elements, which is more than %d", f.Name, p.Name, length, maxElements)
			}
			skip, n = 1, int(length)
			switch p.Kind {
			case KOutStatuses, KRanges:
				n *= 3
			case KStr:
				skip, n = 0, 1+(n+7)/8
			case KGroup:
				skip, n = 0, 2+n
			}
		}
		if skip+n > len(words) {
			return f.cut(p, skip+n, len(words))
		}
		v := words[skip : skip+n]
		words = words[skip+n:]
		visit(p, v)
	}
	return nil
}

func (f *Func) cut(p *Param, want, have int) error {
	return fmt.Errorf("%s: a record ends within %s: %d words needed, %d left", f.Name, p.Name, want, have)
}

// Text is a string from its words: the length in bytes, then the bytes, eight to a word. Words that are cut off give
// what there is.
func Text(v []uint64) string {
	if len(v) == 0 {
		return ""
	}
	n := int(min(v[0], uint64(8*(len(v)-1))))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(v[1+i/8] >> (8 * (i % 8)))
	}
	return string(b)
}
